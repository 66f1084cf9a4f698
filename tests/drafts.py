"""Drafts of rolls, as tests write them: the fields in one."""

from __future__ import annotations

from typing import Any


def drafted(fields: dict[str, Any]) -> dict[str, Any]:
    """The draft of a roll of which these fields are said or picked."""
    roll = {"roll": fields["roll"]} if "roll" in fields else {}
    return {**roll, "pick": {name: held for name, held in fields.items() if name != "roll"}}
