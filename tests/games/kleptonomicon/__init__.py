"""The Kleptonomicon, tested."""
