"""Names of people: they can be seen, and nobody is called so that they look to be somebody else."""

from __future__ import annotations

import pytest

from rollwright.table import Refusal, found
from rollwright.table.imports import check_bounds
from rollwright.table.people import skeleton
from tests.table.tables import TABLE, Host, hashed

UNSEEN = {
    "zero width": "\u200b",
    "joiners": "\u200c\u200d\u2060",
    "soft hyphens": "\u00ad\u00ad",
    "marks of direction": "\u200e\u200f",
    "a filler": "\u3164",
    "a blank of braille": "\u2800",
    "a mark on nothing": "\u0301",
    "wide spaces": "\u2003\u3000",
    "what turns the text": "\u202eAnn",
    "what isolates it": "\u2067Ann\u2069",
}
ALIKE = {
    "the same": "player 0",
    "large letters": "PLAYER 0",
    "wide letters": "\uff50layer 0",
    "more space": "player  0",
    "another space": "player\u00a00",
    "something unseen": "pla\u200byer 0",
    "a selector": "player\ufe0f 0",
    "another alphabet": "\u0440l\u0430\u0443\u0435r 0",
    "another digit": "player \uff10",
}
ANOTHER = (
    "player 00",
    "pl\u00e4yer 0",
    "player",
    "player \U0001f468\u200d\U0001f469\u200d\U0001f467",
)


@pytest.mark.parametrize("name", UNSEEN.values(), ids=UNSEEN)
def test_a_name_of_which_nothing_is_seen(name: str) -> None:
    """Whoever founds a table, sits down, or is called otherwise has one that can be seen."""
    host = Host("")
    tokens = {"seat": hashed("a")}
    with pytest.raises(Refusal) as founded:
        found({"name": name, "tokens": tokens}, table=TABLE, secret=b"", entropy=host.entropy)
    with pytest.raises(Refusal) as joined:
        host.join("player", name)
    renamed = host.refused("s2", "seat.rename", name=name)
    assert {"name"} == {problem.field for problem in (founded.value, joined.value, renamed)}


@pytest.mark.parametrize("name", ALIKE.values(), ids=ALIKE)
def test_a_name_that_looks_like_that_of_somebody_who_is_there(name: str) -> None:
    """It is refused with what to do; one's own may be written otherwise."""
    host = Host("")
    with pytest.raises(Refusal, match="a referee can move your seat") as joined:
        host.join("player", name)
    assert ("bad_field", "name") == (joined.value.code, joined.value.field)
    assert "name" == host.refused("s3", "seat.rename", name=name).field
    assert "name" == host.refused("s1", "seat.rename", seat="s3", name=name).field
    host.do("s2", "seat.rename", name=name)


@pytest.mark.parametrize("name", ANOTHER)
def test_another_name(name: str) -> None:
    """What can be told from it is nobody else's."""
    host = Host("")
    host.join("player", name)
    assert skeleton(name) != skeleton("player 0")


def test_the_name_of_somebody_who_is_no_more() -> None:
    """Who has left, or was forgotten, has none that anybody could take for theirs."""
    host = Host("")
    host.do("s1", "seat.remove", seat="s2")
    host.join("player", "player 0")
    host.do("s3", "person.forget")
    host.join("player", "player 1")


def test_a_log_from_elsewhere_with_two_of_a_name() -> None:
    """A host that lets in what is not let in here."""
    host = Host("")
    check_bounds(TABLE, host.events)
    sealed = {
        ref: held._replace(text="player 0")
        for event in host.events
        if event.kind == "seat.joined" and event.body["seat"] == "s3"
        for ref, held in event.texts.items()
    }
    forged = [
        event._replace(texts=sealed) if sealed.keys() & event.texts.keys() else event
        for event in host.events
    ]
    with pytest.raises(Refusal, match="looks to be"):
        check_bounds(TABLE, forged)
