"""Whatever people do at a table in whatever order, what the table promises holds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollwright.table import CodedError, Event, TableState, kind_of, snapshot
from rollwright.table.events import chain_hash, digest_of, first_hash
from rollwright.table.verify.log import verify_log
from tests.drafts import drafted
from tests.table.tables import TABLE, Host, forget_transcripts, hashed

SEATS = ("s1", "s2", "s3", "s4")
SHEETS: dict[str, dict[str, Any]] = {
    "twilight2000": {"name": "Bo", "recon": "B", "weapons": [{"name": "M4"}]},
    "dust": {"name": "Bo", "stats": [{"name": "Wits", "rating": 3}], "adrenaline": 4},
    "kleptonomicon": {"name": "Bo", "modifiers": [{"name": "Sneaking", "value": 2}]},
    "edge20": {"name": "Bo", "skills": [{"name": "Aim", "modifier": 5}], "rerolls": 3},
    "ghostburn": {
        "name": "Bo",
        "abilities": [{"name": "Presence", "score": 3}],
        "skills": [{"name": "Persuade", "ability": "Presence"}],
    },
    "": {"name": "Bo", "gold": 3},
}
SIDE = {"attribute": "B", "skill": "C"}
ROLLS: dict[str, list[dict[str, Any]]] = {
    "twilight2000": [
        {"request": {"roll": "skill", **SIDE}},
        {"request": {"roll": "opposed", "active": SIDE, "passive": SIDE, "secret": True}},
        {"request": {"roll": "attack", **SIDE, "ammo_dice": 2, "rate_of_fire": 4, "rounds": 9}},
        {"draft": drafted({"roll": "skill", "skill_name": "recon"})},
        {"draft": drafted({"roll": "attack", "weapon": "M4", "ammo_dice": 3})},
        {
            "request": {
                "roll": "group",
                "members": [{"name": "@s2", **SIDE}, {"name": "@s3", **SIDE}],
            }
        },
    ],
    "dust": [
        {"draft": drafted({"roll": "roll", "attribute": "Wits", "ability": 4})},
        {"request": {"roll": "extended", "pool": 5, "target": 6, "limit": 3, "adrenaline": 2}},
    ],
    "kleptonomicon": [
        {"draft": drafted({"roll": "test", "score_name": "Sneaking", "advantages": 1})},
        {
            "request": {
                "roll": "group",
                "members": [{"name": f"@s{n}", "modifier": n} for n in (2, 3, 4)],
            }
        },
        {"request": {"roll": "contest", "first": {"name": "@s2"}, "second": {"name": "@s3"}}},
    ],
    "edge20": [
        {"draft": drafted({"roll": "check", "skill": "Aim", "dc": 15, "advantages": 1})},
        {"request": {"roll": "check", "modifier": 3, "dc": 12, "edges": 2, "rerolls": 2}},
    ],
    "ghostburn": [
        {"draft": drafted({"roll": "roll", "skill": "Persuade", "dl": "Hard"})},
        {"request": {"roll": "roll", "ability": 2, "dl": "Easy", "luck_points": 1}},
    ],
    "": [],
}
DICE = [{"expression": "2d6+1"}, {"expression": "3d6!"}, {"expression": "1d20 vs 12"}]

REFEREES = (
    "sheet.remove",
    "sheet.undo",
    "roll.undo",
    "session.end",
    "roll_request.create",
    "seat.change_role",
)


class Player:
    """Draws commands that mostly make sense, from what the table looks like."""

    def __init__(self, host: Host, data: st.DataObject) -> None:
        self.host = host
        self.data = data

    def pick(self, options: Any) -> Any:
        """One of some."""
        return self.data.draw(st.sampled_from(list(options)))

    def chance(self) -> bool:
        """Yes or no."""
        return self.data.draw(st.booleans())

    def command(self) -> tuple[str, str, dict[str, Any]]:
        """A seat, a command and its fields."""
        going = list(self.host.state.going)
        ways = [self.start, self.start, self.other]
        if going:
            ways += [self.go_on] * 4
        do, fields = self.pick(ways)()
        return self.seat(do, fields), do, fields

    def seat(self, do: str, fields: dict[str, Any]) -> str:
        """Mostly somebody who may do it, and now and then anybody."""
        if self.data.draw(st.integers(0, 4)) == 0:
            return str(self.pick(SEATS))
        roll = self.host.state.rolls.get(fields.get("roll", ""))
        if do in REFEREES or roll is None:
            return "s1" if do in REFEREES else str(self.pick(("s2", "s3")))
        choosers = (roll.after or {}).get("by") if do == "roll.choose" else None
        return str(self.pick([roll.by, "s1"] if choosers in (None, ["referee"]) else choosers))

    def start(self) -> tuple[str, dict[str, Any]]:
        """A new roll."""
        fields = dict(self.pick(ROLLS[self.host.state.game] + DICE))
        fields["visibility"] = self.pick(("open", "private", "blind", "hidden"))
        announce = self.chance()
        fields["announce"] = announce or fields["visibility"] == "open"
        fields["physical"] = self.chance()
        fields["note"] = f"note of {len(self.host.state.rolls)}."
        if self.chance():
            fields["nonce"] = hashed(f"nonce {self.host.state.head}")
        if self.host.state.asks and self.chance():
            fields = {"ask": self.pick(self.host.state.asks)}
        return "roll.start", fields

    def go_on(self) -> tuple[str, dict[str, Any]]:
        """Something with a roll that is open."""
        roll = self.host.state.going[self.pick(self.host.state.going)]
        after = roll.after or {}
        if self.data.draw(st.integers(0, 3)) == 0:
            ways = ["roll.cancel", "roll.repeat", "roll.reveal"]
            return self.pick(ways + ["roll.take_back"] * (1 + 6 * bool(roll.entries))), {
                "roll": roll.id
            }
        if after["step"] == "choice":
            return "roll.choose", {
                "roll": roll.id,
                "number": self.data.draw(st.integers(0, after["count"] - 1)),
                "nonce": hashed("c"),
            }
        if self.chance():
            return "roll.throw", {"roll": roll.id}
        return "roll.enter", {"roll": roll.id, "faces": [self.face(d) for d in after["dice"]]}

    def face(self, die: str) -> Any:
        """A face that the die can mostly show."""
        named = {"coin": "won", "toss": "first"}
        return named.get(die) or self.data.draw(st.integers(1, 6))

    def other(self) -> tuple[str, dict[str, Any]]:
        """Anything that is not about a roll under way."""
        state = self.host.state
        sheet = self.pick([*state.sheets, "s2"])
        commands: list[tuple[str, dict[str, Any]]] = [
            ("sheet.create", {"values": SHEETS[state.game]}),
            (
                "sheet.create",
                {"values": SHEETS[state.game], "sheet": "npc", "shown": self.chance()},
            ),
            ("sheet.change", {"sheet": sheet, "values": {"name": self.pick(("Bo", "Cy"))}}),
            ("witness.commit", {"commitments": [hashed(f"w {state.head} {n}") for n in range(2)]}),
            ("chat.send", {"text": "hello", "to": [self.pick(SEATS)]}),
            (
                "seat.change_role",
                {"seat": self.pick(SEATS), "role": self.pick(("referee", "player"))},
            ),
            ("session.end", {}),
            ("sheet.remove", {"sheet": sheet}),
            (
                "roll_request.create",
                {"who": ["s2", "s3"], "expression": "1d6", "visibility": "private"},
            ),
            ("person.erase", {"seat": self.pick(SEATS)}),
        ]
        if state.rolls:
            roll = {"roll": self.pick(state.rolls)}
            commands += [(do, roll) for do in ("roll.undo", "roll.repeat", "roll.reveal")]
            commands += [(do, roll) for do in ("roll.apply", "roll.decline")]
        if state.changes:
            commands += [("sheet.undo", {"seq": self.pick(state.changes)})] * 2
        return self.pick(commands)  # type: ignore[no-any-return]


def knows(state: TableState, roll_id: str, seat: str, *, change: bool = False) -> bool:
    """Whether a seat may see a roll, said once more in other words than the table's own."""
    roll = state.rolls[roll_id]
    referee = seat != "" and state.seats[seat].role == "referee"
    if roll.revealed or roll.visibility == "open":
        return True
    if change and referee:
        return True
    return {
        "private": seat == roll.by or referee,
        "blind": referee,
        "hidden": seat == roll.by,
    }[roll.visibility]


def roll_of(event: Event, state: TableState) -> tuple[str, bool]:
    """The roll an event belongs to, and whether it is a change of a sheet."""
    kind, body = kind_of(event), event.body
    if kind == "sheet.changed":
        cause = body["cause"]
        if "undo" in cause:
            return state.changes[cause["undo"]].roll, True
        return cause.get("roll", ""), True
    return (body.get("roll", "") if kind.startswith("roll.") else ""), False


def check_leaks(host: Host) -> None:
    """No byte for a seat holds the key, the salt, the note or the faces of what it may not see."""
    for seat in (*SEATS, ""):
        told = json.dumps([host.seen(seat), host.snapshot(seat, recent=20)])
        let = set()
        for event in host.events:
            name, change = roll_of(event, host.state)
            if kind_of(event) == "roll.applied":
                let.update((name, sheet) for sheet in event.body["sheets"])
            if not name or event.kind == "roll.revealed":
                continue
            if change and (name, event.body["sheet"]) in let:
                continue  # whoever may see the roll has put it on a sheet that others see
            if knows(host.state, name, seat, change=change):
                continue
            assert event.salt not in told
            fair = event.body.get("fair")
            assert not fair or fair.get("key", event.salt) not in told
            assert all(sealed.text not in told for sealed in event.texts.values())
            shown = host.seen(seat, [event])[0]
            assert shown.keys() == {"seq", "at", "kind", "open", "digest", "hash"}
            allowed = {"by", "roll", "visibility", "after", "slots"}
            assert shown["open"].keys() <= allowed
            assert shown["open"].get("after", {}).keys() <= {"step", "by"}
        secret_sheets = [s for s in host.state.sheets.values() if not s.shown and not s.removed]
        is_referee = seat != "" and host.state.seats[seat].role == "referee"
        listed = [sheet["sheet"] for sheet in host.snapshot(seat)["sheets"]]
        assert is_referee or not {sheet.id for sheet in secret_sheets} & set(listed)


def check_sheets_seen(host: Host) -> None:
    """A snapshot shows a sheet as folding the events that the seat sees would give it."""
    for seat in (*SEATS, ""):
        known: dict[str, dict[str, Any]] = {}
        for shown in host.seen(seat):
            body = shown.get("body", {})
            kind = body.get("kind", shown["kind"])
            if kind == "sheet.created" and body:
                known[body["sheet"]] = dict(body["values"])
            elif kind == "sheet.removed" and body:
                del known[body["sheet"]]
            elif kind == "sheet.changed" and body:
                for name, both in body["changes"].items():
                    known[body["sheet"]][name] = both["after"]
        assert known == {s["sheet"]: s["values"] for s in host.snapshot(seat)["sheets"]}


def check_log(host: Host) -> None:
    """Seqs without gaps, a true chain, and entries that go back only where they may."""
    before = first_hash(TABLE)
    entries: dict[str, list[str]] = {}
    for seq, event in enumerate(host.events, start=1):
        assert seq == event.seq
        assert digest_of(event.salt, event.body) == event.digest
        before = chain_hash(before, seq, event.at, event.kind, event.open, event.digest)
        assert before == event.hash
        kind, body = kind_of(event), event.body
        if kind == "roll.thrown":
            entries.setdefault(body["roll"], []).append(body["how"])
        elif kind == "roll.chosen":
            entries.setdefault(body["roll"], []).append("chosen")
        elif kind == "roll.taken_back":
            assert entries[body["roll"]].pop() in ("typed", "chosen")


def check_changes(host: Host) -> None:
    """Sheets are the fold of their changes, and an undo gives back what was there before."""
    values: dict[str, dict[str, Any]] = {}
    touched: dict[tuple[str, str], int] = {}
    made: dict[int, dict[str, Any]] = {}
    removed: set[str] = set()
    for event in host.events:
        kind, body = kind_of(event), event.body
        if kind == "sheet.created":
            values[body["sheet"]] = dict(body["values"])
            removed.discard(body["sheet"])
        elif kind == "sheet.removed":
            removed.add(body["sheet"])
        if kind != "sheet.changed":
            continue
        sheet, undone = body["sheet"], body["cause"].get("undo")
        for name, both in body["changes"].items():
            assert values[sheet].get(name, both["before"]) == both["before"]
            if undone and name in made[undone] and touched[sheet, name] == undone:
                assert made[undone][name]["before"] == both["after"]
            values[sheet][name] = both["after"]
            touched[sheet, name] = event.seq
        made[event.seq] = body["changes"]
    for sheet, folded in values.items():
        assert host.state.sheets[sheet].values == ({} if sheet in removed else folded)


def check_partial(host: Host, seat: str) -> None:
    """What one seat sees of a log can be folded too, whatever is missing from it."""
    shown = host.seen(seat)
    events = [
        event if "body" in plain else event._replace(body={}, salt="", texts={})
        for event, plain in zip(host.events, shown, strict=True)
    ]
    state = TableState.of(events)
    assert (host.state.head, host.state.hash) == (state.head, state.hash)
    assert host.state.lanes == state.lanes
    snapshot(state, state.seats["s1"], events)


def tried(host: Host, seat: str, do: str, fields: dict[str, Any]) -> str:
    """A command, done if it can be; the code of its refusal if not."""
    try:
        host.decide(seat, do, **fields)  # as if somebody else's command had come between
        host.do(seat, do, **fields)
    except CodedError as refusal:
        return refusal.code
    return ""


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_whatever_people_do(data: st.DataObject) -> None:
    """Random commands of random seats keep every promise of the table."""
    game = data.draw(st.sampled_from(sorted(SHEETS)))
    host = Host(game=game, players=3, seed=str(data.draw(st.integers(0, 9))))
    for seat in ("s2", "s3"):
        host.do(seat, "sheet.create", values=SHEETS[game])
    player = Player(host, data)
    for _ in range(data.draw(st.integers(5, 25))):
        seat, do, fields = player.command()
        if data.draw(st.integers(0, 9)) == 0:
            forget_transcripts()
        assert "internal" != tried(host, seat, do, fields)
        check_leaks(host)
    check_log(host)
    check_changes(host)
    check_sheets_seen(host)
    assert TableState.of(host.events) == host.state
    for seat in (*SEATS, ""):
        check_partial(host, seat)
    for seat in SEATS:
        report = verify_log(host.log(seat))
        assert report.ok, report.problems
