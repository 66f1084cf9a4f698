"""What may be chosen: counted in the log, told beside it to those who see it while it is open."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rollwright.engine.transcript import Transcript
from rollwright.i18n.messages import sentences
from rollwright.kit import Message
from rollwright.kit.card import Card, Mark, Offer
from rollwright.kit.games import own_games
from rollwright.rules import choose, rule
from rollwright.table import CodedError, Decision, Event, TableState, snapshot
from rollwright.table.options import (
    LISTED_BYTES,
    count_options,
    list_options,
    options_at,
    options_differ,
)
from rollwright.table.verify.log import verify_log
from tests import outside
from tests.archive import make
from tests.table.hidden_games import GAME
from tests.table.tables import TABLE, Host, forget_transcripts
from tests.table.written_logs import rechained

AIMS = [{"name": name, "capacity": 9} for name in ("A", "B", "C", "D")]
ATTACK = {"roll": "attack", "attribute": "A", "skill": "A", "targets": AIMS}
ARCHIVE = Path(make.__file__).parent / "3" / "logs"


def burst(sixes: int = 6) -> tuple[Host, dict[str, Any]]:
    """A burst at four targets with sixes to spend: the host, and what it waits for."""
    host = Host(players=1)
    attack = {**ATTACK, "ammo_dice": sixes, "rate_of_fire": sixes, "rounds": 100}
    host.do("s2", "roll.start", request=attack, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[6, 7, *[6] * sixes])
    return host, host.last["after"]


@rule
async def pick(options: tuple[str, ...]) -> str:
    """One of some options."""
    return await choose(*options)


def of_many(many: int) -> tuple[Transcript, tuple[str, ...]]:
    """A choice among many options."""
    options = tuple(f"option number {number} of very many" for number in range(many))
    return Transcript(pick(options)), options


def harbour(host_of: type[Host]) -> Host:
    """An evening of a game from outside: a choice of the roller, and one of the other side."""
    outside.known()
    host = host_of("harbour_lights", players=2, spectators=1, seed="harbour")
    for seat in ("s2", "s3"):
        host.do(seat, "sheet.create", values={"name": f"smuggler {seat}", "skill": 2})
    for number in range(8):
        draft = {"roll": "run", "set": {"peril": 1}, "roles": {}}
        make.go_on(host, "s2", make.start(host, "s2", draft=draft, note=str(number)))
        roles = {"opponent": ("s3", "s1")[number % 2]}
        request = {"roll": "duel", "skill": 2}
        make.go_on(host, "s2", make.start(host, "s2", request=request, roles=roles))
    return host


EVENINGS = (*own_games(), "harbour_lights")


def evening(game: str, monkeypatch: pytest.MonkeyPatch, host_of: type[Host] = Host) -> Host:
    """Every kind of roll of a game, secret ones too."""
    if game not in own_games():
        return harbour(host_of)
    monkeypatch.setattr(make, "Host", host_of)
    return make.moved(make.an_evening(game))


def names_in(value: Any) -> Iterator[str]:
    """Every name that stands anywhere in some data, but for the values of a sentence."""
    parts = value if isinstance(value, list) else ()
    if isinstance(value, dict):
        yield from value
        parts = [part for name, part in value.items() if name != "told"]
    for part in parts:
        yield from names_in(part)


@pytest.mark.parametrize("game", EVENINGS)
def test_no_event_lists_options(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every choice of an evening the log has the number and the digest, and no list."""
    host = evening(game, monkeypatch)
    asked = [event.body.get("after") or {} for event in host.events]
    asked = [after for after in asked if after.get("step") == "choice"]
    assert asked
    assert all(after["count"] > 0 and len(after["digest"]) == 64 for after in asked)
    structured = {"twilight2000": "assign", "ghostburn": "ladder", "kleptonomicon": "party"}
    assert any(structured.get(game, "digest") in after for after in asked)
    for seat in ("", *host.state.seats):
        log = host.log(seat)
        assert {"options", "offers"}.isdisjoint(names_in(log["events"]))
        assert () == verify_log(log).problems


class Comer(Host):
    """A table at which somebody looks for the first time after every event that asks something.

    They are shown what those were shown who were there, by a server that knows only the log.
    """

    compared = 0

    def commit(self, decision: Decision) -> list[Event]:
        """The events of a command, and a look at the table by everybody after them."""
        made = super().commit(decision)
        if any(offers is not None for offers in self.state.options.values()):
            self._look()
        return made

    def _look(self) -> None:
        forget_transcripts()
        bare = [event._replace(offers=None) for event in self.events]
        again = TableState.of(bare)
        assert set(self.state.options) == set(again.options)
        for roll in again.going.values():
            for seq in roll.asked_at:
                again.options[seq] = options_at(again.table, roll, seq)
        for seat in (None, *again.seats.values()):
            now = snapshot(self.state, seat, self.events[-9:], self.events)
            assert now == snapshot(again, seat, bare[-9:], bare)
        type(self).compared += 1


@pytest.mark.long
@pytest.mark.parametrize("game", EVENINGS)
def test_whoever_comes_later_is_told_the_same(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From every seat, what the rules say anew is what was told when it was decided."""
    monkeypatch.setattr(Comer, "compared", 0)
    evening(game, monkeypatch, Comer)
    assert Comer.compared > 3


@pytest.mark.parametrize("sixes", [1, 2, 3, 10])
def test_the_largest_event_of_a_burst_is_bounded(sixes: int) -> None:
    """However many ways there are to spend its sixes; ten at four targets have 20,098."""
    host, after = burst(sixes)
    assert sixes == after["assign"]["tokens"]
    assert sixes != 10 or (20_098, []) == (after["count"], host.offered)
    assert max(len(json.dumps(event.body)) for event in host.events) < 3_000


def test_tokens_to_deal_stand_in_the_place_of_all_ways_to_deal_them() -> None:
    """Where there are too many ways none is listed; a digest vouches for all."""
    host, after = burst()
    assert (True, []) == (after["count"] > 900, host.offered)
    assert 64 == len(after["digest"])
    assert ["ask.spend"] == after["question"]
    assert (6, ["", "A", "B", "C", "D"]) == (
        after["assign"]["tokens"],
        [place["at"] for place in after["assign"]["places"]],
    )


def test_many_options_without_tokens_are_named_as_far_as_there_is_room() -> None:
    """The first options are listed, whoever is told of them."""
    transcript, _ = of_many(400)
    for said in (None, {"question": ""}):
        named = list_options(transcript, said)["options"]
        assert 20 < len(named) < 200
        assert "option number 0 of very many" == named[0]["option"]
        assert len(json.dumps(named)) < LISTED_BYTES + 3_000


def test_few_options_are_all_listed() -> None:
    """Where all fit, the list is whole; the log has their number and a digest all the same."""
    transcript, options = of_many(3)
    assert list(options) == [one["option"] for one in list_options(transcript, None)["options"]]
    assert 3 == count_options(options)["count"]


@pytest.mark.parametrize("sixes", [6, 10])
def test_every_option_can_be_chosen(sixes: int) -> None:
    """By its number, also behind those that are named; and not beyond the last."""
    host, after = burst(sixes)
    assert "bad_field" == host.refused("s2", "roll.choose", roll="r1", number=after["count"]).code
    host.do("s2", "roll.choose", roll="r1", number=after["count"] - 1)
    assert () == verify_log(host.log("s1")).problems


@pytest.mark.parametrize(
    "forge",
    [
        lambda after: after.update(count=after["count"] - 1),
        lambda after: after.update(digest="0" * 64),
        lambda after: after.pop("digest"),
        lambda after: after.pop("count"),
    ],
)
def test_other_options_than_by_the_rules_are_told(forge: Any) -> None:
    """Number and digest are those of the rule, or the log is false."""
    host, _ = burst()
    log = host.log("s1")
    forge(log["events"][-1]["body"]["after"])
    told = [problem.what for problem in verify_log(rechained(log)).problems]
    assert ["altered face or outcome"] == told


def test_rules_that_have_changed_list_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version of the rule, or other options than the log vouches for, are refused."""
    host, _ = burst()
    roll = host.state.rolls["r1"]
    forget_transcripts()
    monkeypatch.setitem(roll.after, "digest", "0" * 64)
    with pytest.raises(CodedError, match="rules have changed"):
        options_at(TABLE, roll, host.state.head)
    monkeypatch.setattr(roll, "version", "0")
    with pytest.raises(CodedError, match="rules have changed"):
        options_at(TABLE, roll, host.state.head)


def test_options_are_forgotten_with_the_choice() -> None:
    """Chosen, taken back and let go: what is told is what may be chosen now, and nothing else."""
    host, _ = burst(2)
    (asked,) = host.state.options
    host.do("s2", "roll.choose", roll="r1", number=0)
    assert asked not in host.state.options
    host.do("s2", "roll.take_back", roll="r1")
    assert [host.state.head] == list(host.state.options)
    assert host.events[-1].offers == host.state.options[host.state.head]
    host.do("s2", "roll.cancel", roll="r1")
    assert {} == host.state.options


class Telltale(Card):
    """A card whose options say what was thrown unseen."""

    def offered(self, request: Any, transcript: Any, option: Any) -> Offer:
        """What it leads to, for who may know."""
        return Offer(f"{option}, for it is a 3")


def test_options_are_bare_for_who_missed_a_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    """The keeper is told what they mean, the guesser what can be typed; so is who comes later."""
    card = Telltale()
    card.game = GAME
    monkeypatch.setattr(GAME, "card", card)
    host = Comer("hidden-game", players=3)
    request, roles = {"roll": "guess"}, {"keeper": "s2", "guesser": "s3"}
    host.do("s2", "roll.start", request=request, physical=True, roles=roles)
    host.do("s2", "roll.enter", roll="r1", faces=[3])
    assert ["roll.thrown", "roll.waiting"] == host.kinds(host.events[-2:])
    told = {
        seat: [
            [one["said"] for one in event["offers"]["options"]]
            for event in host.snapshot(seat)["rolls"]["r1"]
            if "offers" in event
        ]
        for seat in ("s2", "s3", "s4", "")
    }
    whole, bare = ["high, for it is a 3", "low, for it is a 3"], ["high", "low"]
    assert {"s2": [whole, bare], "s3": [bare], "s4": [bare], "": [bare]} == told


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

    def offered(self, request: Any, transcript: Any, option: Any) -> Offer:
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
    _, many = of_many(400)
    told = dict(count_options(many))
    assert not options_differ(told, many)
    assert options_differ(told, (*many[:-2], many[-1], many[-2]))
