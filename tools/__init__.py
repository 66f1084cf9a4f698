"""Tools for whoever works on the project; nothing that is installed needs them."""
