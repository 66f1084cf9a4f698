"""Every field of every event is checked, or listed by name as what nobody can check."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rollwright.table.events import true_kind
from rollwright.table.schemas import EVENTS
from rollwright.table.verify.log import verify_log
from tests.table.altered_fields import STORIES, altered

PAGE = Path(__file__).parents[2] / "docs" / "table" / "verifier.md"
WORD, RULES = "## What rests on the host's word", "And of these, only the table's state"


def listed(after: str) -> set[tuple[str, str]]:
    """The kinds of events with their fields, as the document lists them behind some words."""
    rows = PAGE.read_text("utf-8").split(after)[1].split("|---|---|\n")[1].split("\n\n")[0]
    found = set()
    for row in rows.splitlines():
        _, kinds, fields, _ = row.split("|")
        before = next((one for one in ("unsigned", "withheld") if one in kinds), "")
        for kind in re.findall("`([^`]+)`", kinds) or [""]:
            found |= {(f"{before} {kind}".strip(), one) for one in re.findall("`([^`]+)`", fields)}
    return found


def is_listed(field: str, known: set[tuple[str, str]]) -> bool:
    """Whether a field, or what it lies in, is in a list."""
    kind, name = field.rsplit(" ", 1)
    before = kind.split(" ")[0]
    parts = name.split(".")
    ways = [".".join(parts[: n + 1]) for n in range(len(parts))]
    kinds = {kind, kind.removeprefix("unsigned "), *([before] if before == "withheld" else [])}
    return any((one, way) in known for one in kinds for way in ways)


@pytest.mark.long
@pytest.mark.parametrize("name", STORIES)
def test_whatever_is_altered_is_found_or_rests_on_the_hosts_word(name: str) -> None:
    """With hashes that fit, and nobody who has signed anything since."""
    make, seat = STORIES[name]
    log = make().log(seat)
    assert "true" == verify_log(log).verdict
    missed = {field for field, one in altered(log) if verify_log(one).verdict == "true"}
    word = listed(WORD)
    assert set() == {field for field in missed if not is_listed(field, word)}


def test_the_stories_have_every_kind_of_event() -> None:
    """So that no field is left out."""
    kinds = set()
    for make, seat in STORIES.values():
        kinds |= {true_kind(one["kind"], one.get("body")) for one in make().log(seat)["events"]}
    assert set(EVENTS) == kinds & set(EVENTS)


def test_what_a_roll_comes_to_is_never_the_hosts_word() -> None:
    """Dice, outcomes and effects are checked; so is who threw, and for whom."""
    word = {name for kind, name in listed(WORD) if kind.startswith("roll.")}
    core = {"faces", "fair", "index", "how", "pool", "option", "by", "whose", "role"}
    core |= {f"after.{name}" for name in ("step", "outcome", "fields", "effects", "by", "about")}
    assert set() == word & core
