"""What a table shares: points of nobody alone, changed by rolls and hands, bounded, undoable."""

from __future__ import annotations

from typing import Any

import pytest

from rollwright.errors import Misuse, UnknownName
from rollwright.kit import SHARED, Effect, Game, Value, add_game, field, preset
from rollwright.kit.shared import shared_after
from rollwright.table import LIMITS, CodedError, TableState
from rollwright.table.history.documents import history_csv, history_markdown
from rollwright.table.history.rolls import TableNames
from rollwright.table.imports import import_log
from rollwright.table.verify.log import verify_log
from tests import outside
from tests.table.hidden_games import Guess, House
from tests.table.tables import Host
from tests.table.tables import check as is_true
from tests.table.written_logs import rechained

GAME = outside.known()
BOAT = {"light": 3, "alarm": 0}


def crew(**fields: Any) -> Host:
    """A table of smugglers: s2 and s3 have sheets."""
    host = Host("harbour_lights", players=2, **fields)
    for seat in ("s2", "s3"):
        host.do(seat, "sheet.create", values={"name": f"smuggler {seat}", "skill": 1})
    return host


def shared(host: Host) -> dict[str, Any]:
    """What the table shares."""
    return dict(host.state.sheets["table"].values)


def sail(host: Host, *faces: str, by: str = "s2", **how: Any) -> str:
    """A run with one deed die and one peril die, whose faces were typed."""
    roles = how.pop("roles", {})
    said = {"roll": "run", "set": {"peril": 1, **how.pop("set", {})}, "roles": roles}
    host.do(by, "roll.start", draft=said, physical=True, **how)
    roll = f"r{host.state.rolled}"
    left = list(faces)
    while roll in host.state.going and left:
        many = len((host.state.rolls[roll].after or {})["dice"])
        host.do(by, "roll.enter", roll=roll, faces=left[:many])
        del left[:many]
    return roll


def effects(host: Host) -> list[dict[str, Any]]:
    """What the last roll did, as it is told."""
    done = [e.body["after"] for e in host.events if "effects" in e.body.get("after", {})]
    found: list[dict[str, Any]] = done[-1]["effects"]
    return found


def check(host: Host) -> None:
    """The log folds to the state, is true for everybody, and can be gone on with elsewhere."""
    is_true(host)
    imported = TableState.of(import_log(host.log("s1")).events)
    assert host.state.sheets == imported.sheets


def test_a_new_table_has_it_as_the_game_says() -> None:
    """It lies there from the beginning, and everybody sees it, watchers too."""
    host = crew()
    made = next(event for event in host.events if event.body.get("sheet") == "table")
    assert ("sheet.created", "s1", "table") == (made.kind, made.body["by"], made.body["owner"])
    for seat in ("s1", "s2", ""):
        (seen,) = [one for one in host.snapshot(seat)["sheets"] if one["sheet"] == "table"]
        assert (BOAT, True) == (seen["values"], seen["shown"])
    check(host)


def test_a_game_that_shares_nothing_has_none() -> None:
    """Tables of all other games are as they were."""
    host = Host()
    assert ["table.created", "seat.joined"] == host.kinds(host.events)[:2]
    assert {} == host.state.sheets
    assert "bad_field" == host.refused("s1", "sheet.create", sheet="table").code


def test_rolls_change_it_at_once_and_an_undo_takes_it_back() -> None:
    """A gull is an alarm, burnt light is gone: no leave is needed, and a referee undoes it."""
    host = crew()
    roll = sail(host, "star+rope", "star", "gull", set={"light": 1})
    assert {"light": 2, "alarm": 1} == shared(host)
    told = [("light", True, "table"), ("alarm", True, "table")]
    assert told == [(one["kind"], one["applied"], one["sheet"]) for one in effects(host)]
    check(host)
    host.do("s1", "roll.undo", roll=roll)
    assert BOAT == shared(host)
    check(host)


def test_it_is_cut_where_its_field_ends() -> None:
    """HARBOUR R4: a light more than the boat holds is none."""
    host = crew()
    host.do("s1", "sheet.change", sheet="table", values={"light": 6, "alarm": 10})
    sail(host, "rope+rope", "wave+gull")
    assert {"light": 6, "alarm": 10} == shared(host)
    check(host)


def test_a_form_goes_by_what_is_left_and_a_roll_cannot_take_more() -> None:
    """Light is burnt as long as there is any; the refusal says how much there is."""
    host = crew()
    host.do("s2", "sheet.change", sheet="table", values={"light": 1})
    said = {"roll": "run", "set": {"light": 2}}
    refusal = host.refused("s2", "roll.start", draft=said)
    assert ("draft.light", True) == (refusal.field, "1 light" in str(refusal))
    sail(host, "star", "star", "wave", set={"light": 1})
    assert 0 == shared(host)["light"]
    check(host)


def test_players_change_it_by_hand_but_not_what_is_for_referees() -> None:
    """`referee=True` on a field: whoever plays sees it, and only referees set it."""
    host = crew(spectators=1)
    host.do("s2", "sheet.change", sheet="table", values={"light": 5})
    host.do("s3", "sheet.apply_effect", sheet="table", kind="light", amount=-1)
    assert 4 == shared(host)["light"]
    for do, how in (
        ("sheet.change", {"values": {"light": 0, "alarm": 1}}),
        ("sheet.apply_effect", {"kind": "alarm", "amount": 1}),
    ):
        refusal = host.refused("s2", do, sheet="table", **how)
        assert ("forbidden", True) == (refusal.code, "alarm" in str(refusal))
    assert "forbidden" == host.refused("s4", "sheet.change", sheet="table", values={}).code
    host.do("s1", "sheet.change", sheet="table", values={"alarm": 7})
    (change,) = host.do("s1", "sheet.undo", seq=host.state.head)
    assert {"alarm": {"before": 7, "after": 0}} == change.body["changes"]
    check(host)


@pytest.mark.parametrize(
    ("do", "how", "field"),
    [
        ("sheet.change", {"values": {"light": 7}}, "values.light"),
        ("sheet.change", {"values": {"light": "x" * 50_000}}, "values"),
        ("sheet.change", {"values": {"lights": 1}}, "values.lights"),
        ("sheet.apply_effect", {"kind": "gold", "amount": 1}, "kind"),
        ("sheet.apply_effect", {"kind": "light", "amount": "much"}, "amount"),
        ("sheet.change_item", {"list": "light", "after": {}}, "list"),
    ],
)
def test_nothing_beyond_its_fields_goes_in(do: str, how: dict[str, Any], field: str) -> None:
    """What comes is checked as on a sheet."""
    refusal = crew().refused("s1", do, sheet="table", **how)
    assert (refusal.field or "").startswith(field.split(".")[0]), refusal


def test_it_is_no_sheet_to_roll_with_and_stays_with_the_table() -> None:
    """Nobody takes it away, and nobody is it."""
    host = crew()
    run = {"roll": "run"}
    assert "bad_field" == host.refused("s2", "roll.start", draft=run, sheet="table").code
    assert "conflict" == host.refused("s1", "sheet.remove", sheet="table").code
    assert "conflict" == host.refused("s1", "sheet.create", sheet="table").code
    assert "bad_field" == host.refused("s2", "sheet.create", sheet="table").code


def test_a_secret_roll_leaves_it_alone_until_it_may_be_known() -> None:
    """Everybody sees what is shared, so that it would tell of the roll."""
    host = crew()
    roll = sail(host, "star", "gull", visibility="private")
    assert (BOAT, ("table",)) == (shared(host), host.state.rolls[roll].waits)
    check(host)
    host.do("s2", "roll.reveal", roll=roll)
    assert 1 == shared(host)["alarm"]
    check(host)


def test_who_helps_is_tired_once_they_let_it_happen() -> None:
    """A part of the rule is played by somebody of the table, whose sheet is theirs."""
    host = crew()
    roll = sail(host, "star", "star", "wave", roles={"helper": "s3"})
    assert {"helper": "s3"} == host.state.rolls[roll].roles
    assert True is host.state.rolls[roll].what["request"]["helped"]
    assert ("s3",) == host.state.rolls[roll].waits
    assert "forbidden" == host.refused("s2", "roll.apply", roll=roll).code
    host.do("s3", "roll.apply", roll=roll)
    assert 1 == host.state.sheets["s3"].values["tired"]
    check(host)


@pytest.mark.parametrize("roles", [{"helper": "s9"}, {"helper": 3}, {"helper": "n7"}, [1]])
def test_only_somebody_at_the_table_plays_a_part(roles: Any) -> None:
    """A form may say anything; a part is for a seat, or for a character in sight."""
    draft = {"roll": "run", "roles": roles}
    assert "roles" in (crew().refused("s2", "roll.start", draft=draft).field or "")


def test_the_referee_plays_a_character_of_theirs() -> None:
    """An opponent who is nobody's player chooses by the referee, and waits for them."""
    host = crew()
    host.do("s1", "sheet.create", sheet="npc", shown=True, values={"name": "Customs", "skill": 1})
    draft = {"roll": "duel", "set": {"theirs": 1}, "roles": {"opponent": "n1"}}
    host.do("s2", "roll.start", draft=draft, physical=True)
    host.do("s1", "roll.enter", roll="r1", faces=["blank"])
    assert ["referee"] == (host.state.rolls["r1"].after or {})["by"]
    assert "forbidden" == host.refused("s2", "roll.choose", roll="r1", option="stand").code
    host.do("s1", "roll.choose", roll="r1", option="stand")
    host.do("s2", "roll.enter", roll="r1", faces=["star"])
    assert ("n1",) == host.state.rolls["r1"].waits
    host.do("s1", "roll.apply", roll="r1")
    assert 3 == host.state.sheets["n1"].values["nerve"]
    check(host)


def test_a_part_that_nobody_plays_is_the_rollers_but_not_their_sheet() -> None:
    """Whoever rolls throws and chooses for it; what it would lose is nobody's."""
    host = crew()
    host.do("s2", "roll.start", draft={"roll": "duel", "set": {"theirs": 1}}, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=["blank"])
    host.do("s2", "roll.choose", roll="r1", option="stand")
    host.do("s2", "roll.enter", roll="r1", faces=["star"])
    assert [("nerve", "opponent", False)] == [
        (one["kind"], one["target"], one["applied"]) for one in effects(host)
    ]
    assert 4 == host.state.sheets["s2"].values["nerve"]
    check(host)


def test_a_forged_change_is_found() -> None:
    """More than the rules give, or a player's hand on what is for referees."""
    host = crew()
    sail(host, "star", "gull")
    log = host.log("s1")
    (event,) = [e for e in log["events"] if e["kind"] == "sheet.changed"]
    event["body"]["changes"]["alarm"]["after"] = 0
    assert "altered sheet" in [one.what for one in verify_log(rechained(log)).problems]
    host = crew()
    host.do("s1", "sheet.change", sheet="table", values={"alarm": 1})
    log = host.log("s1")
    log["events"][-1]["body"]["by"] = "s2"
    assert ["forbidden act"] == [one.what for one in verify_log(rechained(log)).problems]
    log["events"][-1]["body"] |= {"by": "s1", "changes": {"alarm": {"before": 0, "after": 99}}}
    with pytest.raises(CodedError, match="alarm"):
        import_log(rechained(log))


def test_histories_say_whose_it_is() -> None:
    """What changed at the table stands in a session and in a spreadsheet."""
    host = crew()
    host.do("s1", "sheet.change", sheet="table", values={"alarm": 2}, why="a dog barks")
    sail(host, "star", "gull")
    events = host.seen("s1")
    assert "*the table: alarm 0 → 2 (“a dog barks”)*" in history_markdown(events)
    assert "1 alarm in the harbour" in history_csv(events)
    assert "der Tisch" == TableNames.of(events, "de").name("table")


def test_an_older_table_goes_on_without_it_until_a_referee_lays_it_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A game that learned to share something later: its old logs are read, and stay true."""
    with monkeypatch.context() as before:
        before.setattr(GAME, "shared", None)
        host = Host("harbour_lights", players=1)
    assert {} == host.state.sheets
    host.do("s2", "sheet.create", values={"name": "Mo", "skill": 1})
    sail(host, "star", "gull")
    assert [("", False)] == [(one["sheet"], one["applied"]) for one in effects(host)]
    check(host)
    assert "bad_field" == host.refused("s2", "sheet.create", sheet="table").code
    host.do("s1", "sheet.create", sheet="table", values={"light": 2})
    sail(host, "star", "gull")
    assert {"light": 2, "alarm": 1} == shared(host)
    check(host)


class Pool(Value):
    """What the guessers share."""

    chips: int = preset(4, "chips", 0, 9)
    mood: str = preset("good", "how it stands", most=9)
    open: bool = preset(True, "whether the house is open")


class OwnGuess(Guess, roll="guess", title="Guess", outcome=int):
    """One of this module's own: a kind of roll belongs to one game."""


class Guesser(Value):
    """A sheet."""

    name: str = preset("", "who", most=9)
    chips: int = preset(0, "one's own", 0, 9)


def _new_session() -> tuple[Effect, ...]:
    return (Effect("chips", 4, SHARED), Effect("chips", 1), Effect("mood", "new", SHARED))


def guessing(**fields: Any) -> Game:
    """A small game."""
    return Game(
        name="guessing",
        title="Guessing",
        summary="Guess.",
        requests=(OwnGuess,),
        house=House,
        prefix="GUESS",
        rulebook={},
        **fields,
    )


def test_a_new_session_renews_it_apart_from_sheets() -> None:
    """Effects of a new session on SHARED are for it alone, the others for every sheet alone."""
    add = lambda sheet, effect: sheet.but(chips=sheet.chips + effect.amount)  # noqa: E731
    add_game(guessing(sheet=Guesser, shared=Pool, apply=add, new_session=_new_session))
    host = Host("guessing", players=1)
    host.do("s2", "sheet.create")
    host.do("s1", "session.end")
    assert {"chips": 8, "mood": "new", "open": True} == shared(host)
    assert 1 == host.state.sheets["s2"].values["chips"]
    host.do("s1", "session.end")
    assert 9 == shared(host)["chips"]
    check(host)


def test_effects_are_named_after_fields_where_a_game_says_nothing_else() -> None:
    """Numbers are added within their bounds, anything else is set, the rest is refused."""
    assert Pool(chips=0) == shared_after(Pool(), Effect("chips", -7))
    assert Pool(mood="bad") == shared_after(Pool(), Effect("mood", "bad"))
    assert Pool(open=False) == shared_after(Pool(), Effect("open", False))
    with pytest.raises(UnknownName, match="gold"):
        shared_after(Pool(), Effect("gold", 1))


class Growing(Value):
    """A number without an end."""

    points: int = preset(0, "points", 0)


class Open(Value):
    """A text without an end."""

    notes: str = preset("", "notes")


class Asking(Value):
    """Something that nobody fills in."""

    points: int = field(help="points", low=0, high=5)


class Listing(Value):
    """A list of numbers without an end."""

    clocks: tuple[int, ...] = preset((), "clocks", most=5)


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (Growing, "shared.points has no bound: low and high would do"),
        (Open, "shared.notes has no bound: most would do"),
        (Asking, "shared.points needs a default"),
        (Listing, "shared.clocks has no bound: low and high would do"),
    ],
)
def test_a_game_is_told_what_is_not_bounded(kind: type[Value], says: str) -> None:
    """What has no end would grow for years: such a game is refused when it is made."""
    with pytest.raises(Misuse, match=says):
        guessing(shared=kind)


def test_it_counts_among_the_bytes_of_a_table() -> None:
    """The bound on all sheets of a table holds for it as well."""
    host = crew()
    host.limits = LIMITS._replace(sheets_bytes=host.state.sheets["s2"].weight + 30)
    refusal = host.refused("s1", "sheet.change", sheet="table", values={"alarm": 9})
    assert "too_large" == refusal.code
