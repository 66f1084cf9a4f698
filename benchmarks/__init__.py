"""How fast Rollwright is, side by side with icepool and dyce: `python -m benchmarks`."""
