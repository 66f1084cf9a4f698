"""`python -m rollwright` does what the command `rollwright` does."""

import sys

from rollwright.cli import main

sys.exit(main())
