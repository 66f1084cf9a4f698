"""Choices among very many options: bounded in an event, and still checked to the last."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rollwright.kit import Message
from rollwright.kit.card import Card, Mark, Offer
from rollwright.table.transcripts import LISTED_BYTES, options_differ, options_plain
from rollwright.table.verify.log import verify_log
from rollwright.words.messages import sentences
from tests.table.hidden_games import GAME
from tests.table.tables import Host
from tests.table.written_logs import rechained

AIMS = [{"name": name, "capacity": 9} for name in ("A", "B", "C", "D")]
ATTACK = {"roll": "attack", "attribute": "A", "skill": "A", "ammo_dice": 6, "targets": AIMS}


def burst(sixes: int = 6) -> tuple[Host, dict[str, Any]]:
    """A burst at four targets with sixes to spend: the host, and what it waits for."""
    host = Host(players=1)
    host.do("s2", "roll.start", request={**ATTACK, "ammo_dice": sixes}, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[6, 7, *[6] * sixes])
    return host, host.last["after"]


def test_an_event_of_many_options_is_bounded() -> None:
    """Tokens to deal stand in the place of all ways to deal them; a digest vouches for those."""
    host, after = burst()
    assert (True, []) == (after["count"] > 900, after["options"])
    assert 64 == len(after["digest"])
    assert len(json.dumps(host.last)) < LISTED_BYTES + 3_000
    assert ["ask.spend"] == after["question"]
    assert (6, ["", "A", "B", "C", "D"]) == (
        after["assign"]["tokens"],
        [place["at"] for place in after["assign"]["places"]],
    )


def test_many_options_without_tokens_are_named_as_far_as_there_is_room() -> None:
    """It names the first options, how many there are, and a digest of all."""
    many = tuple(f"option number {number} of very many" for number in range(4000))
    plain = options_plain(many)
    assert (4000, 64) == (plain["count"], len(plain["digest"]))
    assert 20 < len(plain["options"]) < 900
    assert len(json.dumps(plain)) < LISTED_BYTES + 3_000


def test_few_options_are_all_listed() -> None:
    """Where all fit, the list is whole and needs no digest."""
    assert {"options"} == options_plain(("keep", "push")).keys()


def test_every_option_can_be_chosen() -> None:
    """By its number, also behind those that are named; and not beyond the last."""
    host, after = burst()
    assert "bad_field" == host.refused("s2", "roll.choose", roll="r1", number=after["count"]).code
    host.do("s2", "roll.choose", roll="r1", number=after["count"] - 1)
    assert () == verify_log(host.log("s1")).problems


@pytest.mark.parametrize(
    "forge",
    [
        lambda after: after.update(count=after["count"] - 1),
        lambda after: after.update(digest="0" * 64),
        lambda after: after["options"].append({"option": "all to me", "said": "all to me"}),
        lambda after: after.pop("digest"),
        lambda after: after.update(options=None),
    ],
)
def test_other_options_than_by_the_rules_are_told(forge: Any) -> None:
    """Number, digest and the options that are named are those of the rule, or the log is false."""
    host, _ = burst()
    log = host.log("s1")
    forge(log["events"][-1]["body"]["after"])
    told = [problem.what for problem in verify_log(rechained(log)).problems]
    assert ["altered face or outcome"] == told


class Loud(Card):
    """A card that says far too much."""

    def marks(self, request: Any) -> dict[str, dict[int, Mark]]:
        """A mark for every face of a die that has thousands."""
        return {"*": {face: Mark("good", ("star",) * 5) for face in range(5000)}}

    def title(self, request: Any) -> str:
        """A title that goes on."""
        return "Guess " * 9000

    def standing(self, request: Any, transcript: Any) -> Message:
        """As many values as there are stars."""
        return sentences(*[f"Star number {number}." for number in range(9000)])

    told = ask = standing

    def offer(self, request: Any, transcript: Any, option: Any) -> Offer:
        """A label that goes on."""
        return Offer("high or low? " * 9000)


def test_a_card_that_says_too_much_makes_no_large_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are cut as people read them, and too many marks are none."""
    card = Loud()
    card.game = GAME
    monkeypatch.setattr(GAME, "card", card)
    host = Host("hidden-game", players=1)
    host.do("s2", "roll.start", request={"roll": "guess"}, physical=True, roles={"keeper": "s2"})
    host.do("s2", "roll.enter", roll="r1", faces=[3])
    host.do("s2", "roll.choose", roll="r1", number=0)
    host.do("s2", "roll.enter", roll="r1", faces=[4])
    assert "done" == host.last["after"]["step"]
    assert 20_000 > max(len(json.dumps(event.body)) for event in host.events)
    assert () == verify_log(host.log("s1")).problems


def test_the_digest_is_of_the_order_too() -> None:
    """The same options in another order are other options: they are chosen by their number."""
    many = tuple(f"option number {number} of very many" for number in range(400))
    plain = options_plain(many)
    assert not options_differ(plain, many)
    assert options_differ(plain, (*many[:-2], many[-1], many[-2]))
