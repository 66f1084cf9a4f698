"""Each game once more as a package from outside: wherever the two differ, ours has a privilege."""
