"""One module for each version; a version that was released is never changed again."""
