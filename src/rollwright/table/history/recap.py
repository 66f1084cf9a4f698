"""An evening looked back on: its great moments, its luck, its numbers, and what waits.

Luck is measured by what the same rolls come to on average, counted exactly with the play that the
game takes for granted. Rolls that are too large to be counted at once are left out of that, and
it is said how many were measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial
from json import loads
from typing import Any, NamedTuple

from rollwright.api import odds
from rollwright.budget import Budget
from rollwright.dice import Outcome
from rollwright.engine.values import field_names
from rollwright.errors import RollwrightError
from rollwright.exact import Dist
from rollwright.guard import words_plain
from rollwright.kit.games import Game, find_game, from_plain
from rollwright.kit.requests import Request
from rollwright.kit.shared import TABLE
from rollwright.kit.surfaces import sheet_shown
from rollwright.plain import Json, Record, canonical
from rollwright.table.history.rolls import RollTold, kind_of, rolls_of
from rollwright.table.schemas import EventTold

WORK = 100_000
MOST_COUNTED = 60
"""How much may be counted for one roll, and for how many different ones."""
MOST_LISTED = 6
EVEN_CHANCE = Fraction(1, 2)
WARNING = ("mixed", "bad", "awful")
"""Tones of what somebody should remember until the next evening."""


class Measured(NamedTuple):
    """What a roll comes to on average, with the play that its game takes for granted."""

    good: Fraction | None
    """The chance that it goes well; None where nobody can say what that is."""
    tones: Mapping[str, Fraction]
    """How often it ends in each tone."""
    prices: Mapping[str, Fraction]
    """What is paid for it on average."""


def recap(events: Iterable[EventTold], session: int = 0) -> dict[str, object]:
    """A session as plain data, as whoever saw these events may tell it: the last one that ended."""
    listed = list(events)
    ends = {e["body"]["number"]: e for e in listed if _is(e, "session.ended")}
    number = session or max(ends, default=1)
    first = ends[number - 1]["seq"] if number - 1 in ends else 0
    last = ends[number]["seq"] if number in ends else listed[-1]["seq"] if listed else 0
    evening = [event for event in listed if first < event["seq"] <= last]
    told = [roll for roll in rolls_of(listed).values() if roll.session == number]
    rolls = [roll for roll in told if roll.status == "done" and roll.end is not None]
    measures = _Measures()
    return {
        "session": number,
        "over": number in ends,
        "began": evening[0]["at"] if evening else 0,
        "ended": evening[-1]["at"] if evening else 0,
        "people": sorted({roll.by for roll in told if roll.by}),
        "rolls": len(rolls),
        "dice": sum(len(throw.faces) for roll in rolls for throw in roll.throws),
        "moments": _moments(rolls, measures),
        "luck": _luck(rolls, measures),
        "prices": _prices(rolls, measures),
        "choices": _most([canonical(said) for roll in rolls for said in roll.choices]),
        "waits": [*_open(told), *_on_sheets([e for e in listed if e["seq"] <= last])],
    }


def _is(event: EventTold, kind: str) -> bool:
    return kind_of(event) == kind and bool(event.get("body"))


class _Measures:
    """What rolls come to on average, each different one counted once."""

    def __init__(self) -> None:
        self._known: dict[bytes, Measured | None] = {}

    def of(self, roll: RollTold) -> Measured | None:
        """What a roll of a game comes to; None where it cannot be counted here."""
        asked = (roll.what or {}).get("request")
        if asked is None:
            return None
        key = canonical(asked)
        if key not in self._known:
            full = len(self._known) >= MOST_COUNTED
            self._known[key] = None if full else _measured(asked)
        return self._known[key]


def _measured(asked: Record) -> Measured | None:
    try:
        request = from_plain(asked)
        dist = odds(request, budget=Budget(WORK))
    except RollwrightError:  # too large, or of a game that is not here
        return None
    game = find_game(request.game)
    goods = dist.map(partial(game.card.is_good, request))
    tones = dist.map(lambda outcome: game.card.verdict(request, outcome).tone)
    known = all(one is not None for one in goods.outcomes)
    return Measured(
        goods.p(True) if known else None,
        {str(tone): tones.p(tone) for tone in tones.outcomes},
        _paid_on_average(game, request, dist),
    )


def _paid_on_average(game: Game, request: Request, dist: Dist[Outcome]) -> Mapping[str, Fraction]:
    names = [name for name in game.card.prices if name in (field_names(request.outcome) or ())]
    return {name: Fraction(dist.map(partial(_amount, name)).mean) for name in names}


def _amount(name: str, outcome: Any) -> int:
    held = getattr(outcome, name, 0)
    return int(held) if isinstance(held, int) else 0


def _moments(rolls: list[RollTold], measures: _Measures) -> list[dict[str, object]]:
    """The rarest great one, the rarest awful one, and what went well against the odds."""
    found: list[tuple[str, RollTold, Fraction | None]] = []
    for kind in ("great", "awful"):
        of_tone = [roll for roll in rolls if _tone(roll) == kind]
        chances = [(_chance_of(measures.of(roll), kind), roll) for roll in of_tone]
        if chances:
            least, rarest = min(chances, key=lambda one: (one[0] is None, one[0] or 0, one[1].seq))
            found.append((kind, rarest, least))
    taken = {roll.id for _, roll, _ in found}
    unlikely = [
        (measured.good, roll)
        for roll in rolls
        if roll.end and roll.end["good"] and roll.id not in taken
        if (measured := measures.of(roll)) and measured.good is not None
        if measured.good < EVEN_CHANCE
    ]
    if unlikely:
        chance, roll = min(unlikely, key=lambda pair: (pair[0], pair[1].seq))
        found.append(("odds", roll, chance))
    return [_moment(kind, roll, chance) for kind, roll, chance in found]


def _tone(roll: RollTold) -> str:
    verdict = roll.end.get("verdict") if roll.end else None
    return verdict["tone"] if verdict else ""


def _chance_of(measured: Measured | None, tone: str) -> Fraction | None:
    return measured.tones.get(tone) if measured else None


def _moment(kind: str, roll: RollTold, chance: Fraction | None) -> dict[str, object]:
    end = roll.end
    assert end is not None
    return {
        "kind": kind,
        "roll": roll.id,
        "at": roll.at,
        "by": roll.by,
        "sheet": roll.sheet,
        "title": roll.title,
        "verdict": end.get("verdict"),
        "choices": roll.choices,
        "chance": None if chance is None else str(chance),
    }


def _luck(rolls: list[RollTold], measures: _Measures) -> list[dict[str, object]]:
    """For everybody what went well, what was to be expected, and how rare an evening that is."""
    chances: dict[str, list[Fraction]] = {}
    reached: Counter[str] = Counter()
    for roll in rolls:
        measured, end = measures.of(roll), roll.end
        if end is None or end["good"] is None or measured is None or measured.good is None:
            continue
        chances.setdefault(roll.by, []).append(measured.good)
        reached[roll.by] += end["good"]
    return [
        {
            "seat": seat,
            "rolls": len(some),
            "good": reached[seat],
            "expected": str(sum(some, Fraction())),
            "at_least": str(share_from(some, reached[seat])),
            "at_most": str(1 - share_from(some, reached[seat] + 1)),
        }
        for seat, some in sorted(chances.items(), key=lambda pair: int(pair[0][1:] or 0))
    ]


def share_from(chances: list[Fraction], many: int) -> Fraction:
    """How often at least so many of these come about, counted exactly.

    >>> share_from([Fraction(1, 2), Fraction(1, 3)], 1)
    Fraction(2, 3)
    """
    weights, total = [1], 1
    for chance in chances:
        yes, all_of_it = chance.numerator, chance.denominator
        no = all_of_it - yes
        weights = [
            before * no + hit * yes
            for before, hit in zip([*weights, 0], [0, *weights], strict=True)
        ]
        total *= all_of_it
    return Fraction(sum(weights[max(many, 0) :]), total)


def _prices(rolls: list[RollTold], measures: _Measures) -> list[dict[str, object]]:
    """What was paid in all, beside what the same rolls cost on average."""
    paid: Counter[str] = Counter()
    expected: dict[str, Fraction] = {}
    game = ""
    for roll in rolls:
        measured, end = measures.of(roll), roll.end
        if measured is None or end is None or roll.what is None:
            continue
        game = str(roll.what["request"]["game"])
        for name, mean in measured.prices.items():
            held = end["fields"].get(name)
            paid[name] += int(held) if isinstance(held, int) else 0
            expected[name] = expected.get(name, Fraction()) + mean
    known = find_game(game).card.prices if game else {}
    return [
        {
            "name": name,
            "unit": known[name].unit,
            "said": words_plain(known[name].said),
            "n": paid[name],
            "expected": str(expected[name]),
        }
        for name in known
        if name in expected and (paid[name] or expected[name])
    ]


def _most(said: list[bytes]) -> list[dict[str, object]]:
    """What was chosen, the most frequent first."""
    counted = Counter(said).most_common(MOST_LISTED)
    return [{"said": loads(text), "n": many} for text, many in counted]


def _open(rolls: list[RollTold]) -> list[dict[str, object]]:
    """Rolls that nobody has ended."""
    return [{"sheet": roll.by, "text": roll.title} for roll in rolls if roll.status == "open"]


def _on_sheets(events: list[EventTold]) -> list[dict[str, object]]:
    """What the game marks on people's sheets as something to mind."""
    game, sheets = "", dict[str, Record]()
    for event in events:
        body = event.get("body")
        if not body:
            continue
        kind = kind_of(event)
        if kind == "table.created":
            game = body["game"]
        elif kind == "sheet.made":
            sheets[body["sheet"]] = dict(body["values"])
        elif kind == "sheet.removed":
            sheets.pop(body["sheet"], None)
        elif kind == "sheet.changed" and body["sheet"] in sheets:
            changes = {name: one["after"] for name, one in body["changes"].items()}
            sheets[body["sheet"]] |= changes
    if not game:
        return []
    mine = {id: values for id, values in sheets.items() if id.startswith("s") and id != TABLE}
    return [
        {"sheet": id, **found}
        for id, values in mine.items()
        for found in _minded(find_game(game), values)
    ][: 2 * MOST_LISTED]


def _minded(game: Game, values: Record) -> list[dict[str, object]]:
    if game.sheet is None:
        return []
    try:
        waiting: list[Any] = list(sheet_shown(game, game.sheet(**values))["widgets"])
    except (RollwrightError, TypeError):  # a sheet of rules that are not here any more
        return []
    found: list[dict[str, object]] = []
    while waiting:
        widget = waiting.pop(0)
        waiting = [*widget.get("show", ()), *waiting]
        if widget.get("tone") not in WARNING:
            continue
        value: Json = widget.get("value")
        if widget["widget"] == "note":
            found.append({"text": widget["text"]})
        elif widget["widget"] in ("track", "number", "flag") and value:
            most = widget.get("most")
            found.append({"text": widget["label"], "value": value, "most": most})
    return found
