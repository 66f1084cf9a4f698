"""The HTTP routes, the page, and the document that describes them."""
