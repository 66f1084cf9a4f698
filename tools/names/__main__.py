"""The command line of the name sweep: apply, count, list."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.names.counting import count_names, list_names
from tools.names.rules import load_rules
from tools.names.sweep import apply_rules


def main() -> None:
    """Run one of the three."""
    action, *rest = sys.argv[1:] or ["count"]
    if action == "apply":
        apply_rules(load_rules([Path(each).resolve() for each in rest]))
    elif action == "count":
        for what, number in count_names().items():
            print(f"{number:6,} {what}")
    elif action == "list":
        for line in list_names():
            print(line)
    else:
        raise SystemExit(f"{action}: write apply, count or list")


main()
