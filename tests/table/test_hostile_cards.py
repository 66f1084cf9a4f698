"""Cards that mean ill or are careless: whatever a part gives, the roll ends and its log is true."""

from __future__ import annotations

import asyncio
import itertools
import logging
import sys
from typing import Any, NamedTuple

import pytest

from rollwright.dice import D6
from rollwright.hooks import failed_hooks
from rollwright.i18n.locale import use_locale
from rollwright.i18n.messages import Message, msg
from rollwright.kit import Effect, Game, Goal, Request, Value, add_game, field, preset
from rollwright.kit.card import Assignment, Card, Draft, Mark, Offer, Place, Verdict
from rollwright.kit.card.pages import shared_sheet_to_json, sheet_to_json
from rollwright.rules import choose, roll, rule
from rollwright.server.json_codec import encode
from rollwright.server.routes.bodies import TableForm
from rollwright.server.routes.queries import form_at
from rollwright.table.history.documents import history_csv, history_markdown
from rollwright.table.sheets import sheet_value
from rollwright.table.verify.log import verify_log
from tests.table.tables import Host, forget_transcripts, hashed

LARGEST_EVENT = 40_000
number = itertools.count()


class Fall(NamedTuple):
    height: int


class Sheet(Value):
    name: str = preset("", "who it is", most=20)
    luck: int = preset(1, "luck", 0, 3)


class Pool(Value):
    pool: int = preset(1, "points", 0, 3)


class Nasty:
    """Something that fails whatever is done with it."""

    def _fail(self, *_: object) -> Any:
        raise RuntimeError("nasty")

    __eq__ = __hash__ = __repr__ = __str__ = __bool__ = __len__ = __iter__ = _fail


def nested(depth: int) -> list[Any]:
    """Lists in lists."""
    held: list[Any] = []
    for _ in range(depth):
        held = [held]
    return held


ANYTHING = {
    "a number with a point": 1.5,
    "no number": float("nan"),
    "a giant": 10**6000,
    "bytes": b"x",
    "half a character": "\ud800",
    "nested": nested(2000),
    "much": "x" * 100_000,
    "nasty": Nasty(),
    "a set": {1, 2},
    "a list": [1.5, None],
    "an object": {1.5: b"x"},
    "a class": Nasty,
    "half an id": msg("\ud800"),
    "no id": Message(b"x"),  # type: ignore[arg-type]
    "a message with a float": Message("hit", {"n": {"signed": 1.5}}),  # type: ignore[dict-item]
}
FITTING = {
    "verdict": [
        Verdict("ok", 'x" onload="'),  # type: ignore[arg-type]
        Verdict(Nasty(), Nasty(), (1.5,)),  # type: ignore[arg-type]
        Verdict("ok", "good", "a text"),  # type: ignore[arg-type]
        Verdict("ok", "good", ("much" * 500,) * 40),
    ],
    "offered": [
        Offer(Nasty()),  # type: ignore[arg-type]
        Offer("a", who=7),  # type: ignore[arg-type]
        Offer("a", dice=(1.5,)),  # type: ignore[arg-type]
        Offer("a", dice=("0.1",) * 10_000),
    ],
    "assignment": [
        Assignment("x", ()),  # type: ignore[arg-type]
        Assignment(1.5, (Place("", ""),)),  # type: ignore[arg-type]
        Assignment(2, tuple(Place(str(n), "p" * 1000) for n in range(150))),
        Assignment(10**30, ()),
    ],
    "lies": [
        {(0, 0): 1.5},
        {"0.0": "kept"},
        {(0, n): "kept" for n in range(10_000)},
        {("<", 0): "kept"},
    ],
    "marks": [
        {"d6": {1: "good"}},
        {"d6": {1: Mark(1.5)}},  # type: ignore[arg-type]
        {"d6": {1: Mark("good", (Nasty(),))}},  # type: ignore[arg-type]
    ],
    "form": [[{}], ["note"], [{"control": "group", "form": 7}], [{"control": "note", "text": {1}}]],
    "sheet": [
        [{}],
        ["note"],
        [{"widget": "group", "show": 7}],
        [{"widget": "track", "value": 1, "most": "many"}],
        [{"widget": "things", "rows": [{"show": [{"widget": "track", "most": 3}]}]}],
    ],
    "shared": [[{"widget": Nasty()}], [{"widget": "note", "text": float("nan")}]],
    "start": [Draft(7, 8), Draft({}, {"dice": Nasty()})],  # type: ignore[arg-type]
    "fill": [None, "2d6", {"game": "dust"}],
}
LEAVING = {kind.__name__: kind() for kind in (SystemExit, asyncio.CancelledError)}
PARTS = [
    *("title", "knows", "first", "start", "fill", "form", "sheet", "shared", "marks", "lies"),
    *("label", "whose", "effect", "standing", "ask", "offered", "assignment", "verdict"),
    *("is_good", "told", "word", "agreed", "nothing_to_gain"),
]


def game_with(part: str, do: Any, **more: Any) -> Game:
    """A game of which one part of the card does something, known by a name of its own."""

    class Drop(Request, roll="drop", title="Drop", outcome=Fall):
        "A die falls."

        dice: int = field(help="how many", low=1, high=6)
        where: str = preset("", "where", most=20)

    @rule
    async def drop(asked: Drop) -> Fall:
        hand = await roll(asked.dice * D6)
        if await choose("keep", "again") == "again":
            hand = await roll(asked.dice * D6)
        return Fall(sum(hand))

    card = type("Odd", (Card,), {part: lambda self, *_: do()})
    usual = {
        "effects": lambda request, fall: (Effect("luck", 1), Effect("pool", 1, "@table")),
        "apply": lambda sheet, effect: sheet.but(luck=2),
        "goals": {"high": Goal("high", lambda fall: fall.height)},
    }
    return add_game(
        Game(
            name=f"odd_{next(number)}",
            title="Odd",
            summary="A die.",
            requests={Drop: drop},
            sheet=Sheet,
            shared=Pool,
            card=card(),
            package=__name__,
            **usual | more,
        )
    )


def evening(game: Game) -> None:
    """A roll from its form to its end; all of it can be sent and stored, and its log is true."""
    forget_transcripts()
    host = Host(game.name)
    host.do("s2", "sheet.create", values={"name": "Nix"})
    draft = {"roll": "drop", "set": {"dice": 2}}
    asked = TableForm.from_plain({"n": 1, "draft": draft})
    form = form_at(host.state, host.state.seats["s2"], asked)
    assert encode(form)
    assert form["can"]
    host.do("s2", "roll.start", draft=draft, nonce=hashed("first"), policy="ask")
    if host.state.rolls["r1"].is_open:
        host.do("s2", "roll.choose", roll="r1", option="again", nonce=hashed("then"))
    assert "done" == host.state.rolls["r1"].status
    for name, shown in (("s2", sheet_to_json), ("table", shared_sheet_to_json)):
        value = sheet_value(host.state, name, host.state.sheets[name].values)
        more = {} if name == "s2" else {"by_referee": False}
        assert encode(shown(game, value, **more))  # type: ignore[operator]
    host.do("s1", "session.end")
    log = host.log("s1")
    assert max(len(encode(event)) for event in log["events"]) < LARGEST_EVENT
    assert () == verify_log(log).problems


@pytest.fixture(autouse=True)
def quiet():
    """A card that fails is told once, with its traceback; here there would be hundreds."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("part", PARTS)
def test_whatever_a_part_gives_the_roll_ends_and_its_log_is_true(part):
    """What nobody can show is not shown; it neither stops a roll nor stands in a log."""
    for what in [*ANYTHING.values(), *FITTING.get(part, ())]:
        evening(game_with(part, lambda what=what: what))


@pytest.mark.parametrize("part", [*FITTING, "is_good", "told", "whose"])
def test_what_does_not_fit_is_told_of(part):
    """The author learns of it, and whoever sees the form or the sheet."""
    given = FITTING.get(part, [1.5])
    for what in given:
        game = game_with(part, lambda what=what: what)
        evening(game)
        assert [part] == failed_hooks(game)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("leaving", LEAVING.values(), ids=LEAVING)
def test_a_part_that_leaves_takes_nobody_with_it(part, leaving):
    """`sys.exit` in a card would end the server, and with it every other table."""

    def leave() -> None:
        raise leaving

    evening(game_with(part, leave))


EFFECTS = [
    *ANYTHING.values(),
    [Effect(7, 1)],  # type: ignore[arg-type]
    [Effect("luck", 1.5)],
    [Effect("luck", Nasty())],
    [Effect("luck", 2**80), Effect("luck", "x" * 100_000)],
    [Effect("luck", 1, b"x")],  # type: ignore[arg-type]
    [Effect("\ud800", 1)],
    [Effect("luck" * 1000, 1)],
]


@pytest.mark.parametrize("part", ["effects", "new_session"])
def test_whatever_a_roll_or_a_session_changes_it_ends(part):
    """What is no effect changes nothing; a roll that was thrown cannot be refused any more."""
    for what in EFFECTS:
        evening(game_with("x", None, **{part: lambda *_, what=what: what}))


@pytest.mark.parametrize("part", ["apply", "apply_shared"])
def test_whatever_an_effect_leaves_of_a_sheet_the_roll_ends(part):
    """What is no sheet of that kind is not put in the place of one."""
    for what in [*ANYTHING.values(), None, Pool(), Sheet()]:
        evening(game_with("x", None, **{part: lambda *_, what=what: what}))


@pytest.mark.parametrize("part", ["effects", "new_session", "apply", "apply_shared"])
def test_effects_that_leave_take_nobody_with_them(part):
    """`sys.exit` is no more than any other slip."""

    def leave(*_: object) -> None:
        raise SystemExit

    evening(game_with("x", None, **{part: leave}))


def failing(*_: object) -> Any:
    """What an author did not think of."""
    raise KeyError("luck")


def test_an_effect_that_fails_is_told_as_not_done():
    """In the event with the reason, in the history in the reader's language; the sheet stays."""
    host = Host(game_with("x", None, apply=failing).name)
    host.do("s2", "sheet.create", values={"name": "Nix"})
    draft = {"roll": "drop", "set": {"dice": 2}}
    host.do("s2", "roll.start", draft=draft, sheet="s2", nonce=hashed("first"), policy="ask")
    chosen, *_ = host.do("s2", "roll.choose", roll="r1", option="keep", nonce=hashed("then"))
    luck = chosen.body["after"]["effects"][0]
    assert (False, ["not_done.game", {"game": "Odd"}]) == (luck["applied"], luck["why"])
    assert 1 == host.state.sheets["s2"].values["luck"]
    views = host.seen("s1")
    with use_locale("de"):
        story = history_markdown(views)
    assert "Nicht geschehen: luck 1 (hier versagt der Code von Odd selbst" in story
    assert "luck 1 (not done)" in history_csv(views)


class Unwritten(NamedTuple):
    height: float


FAULTS = {
    "an error": failing,
    "an exit": lambda *_: sys.exit(),
    "no data": lambda *_: Unwritten(1.5),
}


def rule_with(fault: Any) -> tuple[Game, list[Any]]:
    """A game whose rule has a fault after its first throw, and the faults in it, to be mended."""
    faults = [fault]

    class Drop(Request, roll="drop", title="Drop", outcome=Fall):
        "A die falls."

        dice: int = field(help="how many", low=1, high=6)

    @rule
    async def drop(asked: Drop) -> Fall:
        hand = await roll(asked.dice * D6)
        return faults[0](hand) if faults else Fall(sum(hand))

    name = f"odd_{next(number)}"
    about = {"name": name, "title": "Odd", "summary": "A die.", "package": __name__}
    return add_game(Game(requests={Drop: drop}, **about)), faults


def stopped(fault: Any) -> tuple[Host, list[Any]]:
    """A table with a roll whose rule failed at the faces, and the faults to be mended."""
    forget_transcripts()
    game, faults = rule_with(fault)
    host = Host(game.name)
    host.do("s2", "roll.start", request={"game": game.name, "roll": "drop", "dice": 2})
    return host, faults


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_rule_that_fails_at_faces_ends_the_roll_without_an_outcome(fault):
    """The throw is in the log, the roll does not hang, and whose fault it was is said."""
    host, _ = stopped(fault)
    body = host.events[-1].body
    assert ("roll.thrown", 2, "fair") == (host.events[-1].kind, len(body["faces"]), body["how"])
    assert "stopped" == body["after"]["step"]
    assert ["stopped.rule", "Odd"] == [body["after"]["why"][0], body["after"]["why"][1]["game"]]
    assert ("cancelled", {}) == (host.state.rolls["r1"].status, host.state.going)
    with use_locale("de"):
        assert "Die Regel von Odd selbst versagt bei diesen Augen" in history_markdown(
            host.seen("s1")
        )
    assert () == verify_log(host.log("s1")).problems
    again = host.do("s2", "roll.repeat", roll="r1")
    assert 2 == len([event for event in host.events[1:] if "slots" in event.open])
    assert "roll.thrown" == again[-1].kind


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_whoever_says_that_a_rule_failed_is_held_to_it(fault):
    """Faces that were disliked would be easy to get rid of; and a rule that fails tells nothing."""
    host, faults = stopped(fault)
    faults.clear()
    found = verify_log(host.log("s1")).problems
    assert ["altered outcome"] == [problem.what for problem in found]


def test_a_rule_that_fails_at_typed_faces_leaves_the_roll_open():
    """They may be mistyped: nothing is written, and others can be entered."""
    game, faults = rule_with(failing)
    host = Host(game.name)
    request = {"game": game.name, "roll": "drop", "dice": 1}
    host.do("s2", "roll.start", request=request, physical=True)
    assert "stumbled" in str(host.refused("s2", "roll.enter", roll="r1", faces=[3]))
    faults.clear()
    host.do("s2", "roll.enter", roll="r1", faces=[3])
    assert "done" == host.state.rolls["r1"].status


def test_whoever_interrupts_a_program_ends_it():
    """Ctrl-C may come while a card is called; it is no failure of the card's."""

    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evening(game_with("told", interrupt))
