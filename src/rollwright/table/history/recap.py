"""An evening looked back on: its great moments, its luck, its numbers, and what waits.

What went well and what was paid is summed over all rolls. Luck is measured by what the same rolls
come to on average, counted exactly with the play that the game takes for granted. Rolls that are
too large to be counted at once are left out of that alone, and it is said how many were counted,
and what came of just those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
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
from rollwright.hooks import Text, text_to_json
from rollwright.jsonable import JsonObject, canonical_json
from rollwright.kit.card.marks import marks_to_json
from rollwright.kit.card.pages import sheet_to_json
from rollwright.kit.card.parts import Price
from rollwright.kit.card.shapes import MarksView
from rollwright.kit.games import Game, find_game, from_plain
from rollwright.kit.requests import Request
from rollwright.kit.shared import TABLE
from rollwright.table.history.chances import chance_of_at_least, format_fraction
from rollwright.table.history.lost_commands import lost_commands
from rollwright.table.history.rolls import (
    ChoiceRecord,
    RollRecord,
    TableNames,
    kind_of,
    rolls_of,
    unfinished_by_seat,
)
from rollwright.table.schemas import KnownEvent

WORK, WORK_IN_ALL = 1_000_000, 6_000_000
MOST_COUNTED = 60
"""How much may be counted for one roll and for all, and for how many different ones."""
MOST_LISTED = 6
MOST_DICE = 16
"""Dice of a moment that are drawn; more would only be a heap."""
EVEN_CHANCE = Fraction(1, 2)
RARE = Fraction(1, 4)
WARNING = ("mixed", "bad", "awful")
"""Tones of what somebody should remember until the next evening."""


class AverageResult(NamedTuple):
    """The average results of a roll, with the play that its game takes for granted."""

    good: Fraction | None
    """The chance that it goes well; None where nobody can say what that is."""
    tones: Mapping[str, Fraction]
    """How often it ends in each tone."""
    prices: Mapping[str, Fraction]
    """Average price of it, as far as its outcomes hold that."""


def recap(events: Iterable[KnownEvent], session: int = 0) -> dict[str, object]:
    """Return a session as plain data for the seers of these events: the last that ended.

    Of hidden events nothing is mentioned, not even their time; of a secret roll that was announced,
    only that it was cancelled or left open, or not shown where the roller showed another.
    """
    listed = list(events)
    names = TableNames.of(listed)
    ends = {e["body"]["number"]: e for e in listed if _is_kind(e, "session.ended")}
    number = session or max(ends, default=1)
    first = ends[number - 1]["seq"] if number - 1 in ends else 0
    last = ends[number]["seq"] if number in ends else listed[-1]["seq"] if listed else 0
    evening = [event for event in listed if first < event["seq"] <= last and event.get("body")]
    told = [roll for roll in rolls_of(listed).values() if roll.session == number]
    calls = [call for call in lost_commands(listed) if call.session == number]
    rolls = [roll for roll in told if roll.status == "done" and roll.end is not None]
    measures = _Measures()
    return {
        "session": number,
        "over": number in ends,
        "began": evening[0]["at"] if evening else 0,
        "ended": evening[-1]["at"] if evening else 0,
        "people": sorted({roll.by for roll in told if roll.what is not None}),
        "names": names.all,
        "rolls": len(rolls),
        "dice": sum(len(throw.faces) for roll in rolls for throw in roll.throws),
        "given_up": [
            {"seat": seat, **sums._asdict()}
            for seat, sums in sorted(
                unfinished_by_seat(told, calls).items(), key=lambda one: _place(one[0])
            )
        ],
        "moments": _moments(rolls, measures, names),
        "luck": _luck(rolls, measures),
        "prices": _prices(rolls, measures),
        "choices": _most([canonical_json(said) for roll in rolls for said in _habits(roll)]),
        "waits": [*_open(told), *_on_sheets([e for e in listed if e["seq"] <= last])],
    }


def _place(seat: str) -> int:
    return int(seat[1:] or 0)


def _is_kind(event: KnownEvent, kind: str) -> bool:
    return kind_of(event) == kind and bool(event.get("body"))


class _Measures:
    """Average results of rolls, each different one counted once."""

    def __init__(self) -> None:
        self._known: dict[bytes, AverageResult | None] = {}
        self._left = WORK_IN_ALL

    def of(self, roll: RollRecord) -> AverageResult | None:
        """Return the average results of a roll of a game; None if it cannot be counted here."""
        asked = (roll.what or {}).get("request")
        if asked is None:
            return None
        key = canonical_json(asked)
        if key not in self._known:
            full = len(self._known) >= MOST_COUNTED
            budget = Budget(0 if full else min(WORK, self._left))
            self._known[key] = _average(asked, budget)
            self._left -= budget.spent
        return self._known[key]


def _average(asked: JsonObject, budget: Budget) -> AverageResult | None:
    try:
        request = from_plain(asked)
        dist = odds(request, budget=budget)
    except Exception:  # too large, of a game that is not here, or of one whose rule fails
        return None
    game = find_game(request.game)
    goods = dist.map(partial(game.card.is_good, request))
    tones = dist.map(lambda outcome: game.card.verdict(request, outcome).tone)
    known = all(one is not None for one in goods.outcomes)
    return AverageResult(
        goods.p(True) if known else None,
        {str(tone): tones.p(tone) for tone in tones.outcomes},
        _paid_on_average(game, request, dist),
    )


def _paid_on_average(game: Game, request: Request, dist: Dist[Outcome]) -> Mapping[str, Fraction]:
    names = [name for name in game.card.prices if name in (field_names(request.outcome) or ())]
    paid = {name: dist.map(partial(_field_of, name)) for name in names}
    return {
        name: Fraction(some.map(int).counted_mean)
        for name, some in paid.items()
        if all(isinstance(held, int) for held in some.outcomes)
    }


def _field_of(name: str, outcome: Any) -> Any:
    return getattr(outcome, name, None)


def _moments(
    rolls: list[RollRecord], measures: _Measures, names: TableNames
) -> list[dict[str, object]]:
    """The rarest great one, the rarest awful one, a mixed one that is rare, and what went well or
    failed against the odds.
    """
    found: list[tuple[str, RollRecord, Fraction | None]] = []
    for kind in ("great", "awful", "mixed"):
        of_tone = [roll for roll in rolls if _tone(roll) == kind]
        chances = [(_chance_of(measures.of(roll), kind), roll) for roll in of_tone]
        if kind == "mixed":  # the usual end of many a roll is no moment
            chances = [one for one in chances if measures.of(one[1]) and (one[0] or 0) < RARE]
        if chances:
            least, rarest = min(chances, key=lambda one: (one[0] is None, one[0] or 0, one[1].seq))
            found.append((kind, rarest, least))
    taken = {roll.id for _, roll, _ in found}
    for kind, good in (("odds", True), ("failed", False)):
        unlikely = [
            (measured.good if good else 1 - measured.good, roll.seq, roll, measured.good)
            for roll in rolls
            if roll.end and roll.end["good"] is good and roll.id not in taken
            if (measured := measures.of(roll)) and measured.good is not None
        ]
        share, _, roll, chance = min(unlikely, default=(EVEN_CHANCE, 0, None, None))
        if roll is not None and share < EVEN_CHANCE:
            found.append((kind, roll, chance))
    return [_moment(kind, roll, chance, names) for kind, roll, chance in found]


def _tone(roll: RollRecord) -> str:
    verdict = roll.end.get("verdict") if roll.end else None
    return verdict["tone"] if verdict else ""


def _chance_of(measured: AverageResult | None, tone: str) -> Fraction | None:
    return measured.tones.get(tone) if measured else None


def _moment(
    kind: str, roll: RollRecord, chance: Fraction | None, names: TableNames
) -> dict[str, object]:
    end, dice = roll.end, roll.final_dice[:MOST_DICE]
    assert end is not None
    return {
        "kind": kind,
        "roll": roll.id,
        "at": roll.at,
        "by": roll.by,
        "sheet": roll.sheet if names.has_sheet(roll.sheet) else "",
        "title": roll.title,
        "verdict": end.get("verdict"),
        "choices": roll.choices,
        "dice": [die for die, _ in dice],
        "faces": [face for _, face in dice],
        "marks": _marks(roll),
        "chance": None if chance is None else format_fraction(chance),
    }


def _marks(roll: RollRecord) -> MarksView:
    """How its faces are read, where its game is here."""
    asked = (roll.what or {}).get("request")
    try:
        return marks_to_json(from_plain(asked)) if asked else {}
    except RollwrightError:  # of a game, or of rules, that are not here any more
        return {}


def _luck(rolls: list[RollRecord], measures: _Measures) -> list[dict[str, object]]:
    """For everybody what went well; of what could be counted also what was to be expected."""
    ended: dict[str, list[bool]] = {}
    counted: dict[str, list[tuple[Fraction, bool]]] = {}
    for roll in rolls:
        good, measured = roll.end and roll.end["good"], measures.of(roll)
        if good is None:
            continue
        ended.setdefault(roll.by, []).append(bool(good))
        if measured is not None and measured.good is not None:
            counted.setdefault(roll.by, []).append((measured.good, bool(good)))
    return [
        {
            "seat": seat,
            "rolls": len(ended[seat]),
            "good": sum(ended[seat]),
            **_against([chance for chance, _ in some], sum(good for _, good in some)),
        }
        for seat in sorted(ended, key=_place)
        for some in [counted.get(seat, [])]
    ]


def _against(chances: list[Fraction], reached: int) -> dict[str, object]:
    """So many that went well of these chances, beside what was to be expected of them."""
    return {
        "counted": len(chances),
        "counted_good": reached,
        "expected": format_fraction(sum(chances, Fraction())),
        "at_least": format_fraction(chance_of_at_least(chances, reached)),
        "at_most": format_fraction(1 - chance_of_at_least(chances, reached + 1)),
    }


@dataclass(slots=True)
class _PriceSum:
    """A price summed up: over all rolls, and over those whose average is known."""

    price: Price
    n: int = 0
    rolls: int = 0
    counted: int = 0
    counted_n: int = 0
    expected: Fraction = Fraction()


def _prices(rolls: list[RollRecord], measures: _Measures) -> list[dict[str, object]]:
    """Return the prices paid in all, and the average ones of the rolls that could be counted."""
    sums: dict[str, _PriceSum] = {}
    for roll in rolls:
        measured, end = measures.of(roll), roll.end
        known = _prices_of(roll)
        for name, price in known.items():
            fields = end["fields"] if end else {}
            held = None if price.beside in fields else fields.get(name)
            if not isinstance(held, int):
                continue
            paid = sums.setdefault(name, _PriceSum(price))
            paid.n += held
            paid.rolls += 1
            if measured is not None and name in measured.prices:
                paid.counted += 1
                paid.counted_n += held
                paid.expected += measured.prices[name]
        sums = {name: sums[name] for name in (*known, *sums) if name in sums}  # as the game has it
    return [
        {
            "name": name,
            "unit": paid.price.unit,
            "said": text_to_json(paid.price.said),
            "n": paid.n,
            "rolls": paid.rolls,
            "counted": paid.counted,
            "counted_n": paid.counted_n,
            "expected": format_fraction(paid.expected),
        }
        for name, paid in sums.items()
        if paid.n or paid.expected
    ]


def _prices_of(roll: RollRecord) -> Mapping[str, Price]:
    """Return the prices a roll may cost, in the order in which its game lists them."""
    asked = (roll.what or {}).get("request")
    game = _known_game(str(asked.get("game"))) if asked else None
    return game.card.prices if game else {}


def _known_game(name: str) -> Game | None:
    """A game; None where it is not here, or not any more."""
    try:
        return find_game(name)
    except RollwrightError:
        return None


def _habits(roll: RollRecord) -> list[Text]:
    """Return the choices, but not who got which token: that is about one roll alone."""
    return [
        step.said for step in roll.steps if isinstance(step, ChoiceRecord) and not step.assigned
    ]


def _most(said: list[bytes]) -> list[dict[str, object]]:
    """Return the choices, the most frequent first."""
    counted = Counter(said).most_common(MOST_LISTED)
    return [{"said": loads(text), "n": many} for text, many in counted]


def _open(rolls: list[RollRecord]) -> list[dict[str, object]]:
    """Rolls that nobody has ended."""
    return [{"sheet": roll.by, "text": roll.title} for roll in rolls if roll.status == "open"]


def _on_sheets(events: list[KnownEvent]) -> list[dict[str, object]]:
    """Return the warnings that the game marks on people's sheets."""
    game, sheets = "", dict[str, JsonObject]()
    for event in events:
        body = event.get("body")
        if not body:
            continue
        kind = kind_of(event)
        if kind == "table.created":
            game = body["game"]
        elif kind == "sheet.created":
            sheets[body["sheet"]] = dict(body["values"])
        elif kind == "sheet.removed":
            sheets.pop(body["sheet"], None)
        elif kind == "sheet.changed" and body["sheet"] in sheets:
            changes = {name: one["after"] for name, one in body["changes"].items()}
            sheets[body["sheet"]] |= changes
    known = _known_game(game) if game else None
    if known is None:
        return []
    mine = {id: values for id, values in sheets.items() if id.startswith("s") and id != TABLE}
    return [
        {"sheet": id, **found}
        for id, values in mine.items()
        for found in _game_warnings(known, values)
    ][: 2 * MOST_LISTED]


def _game_warnings(game: Game, values: JsonObject) -> list[dict[str, object]]:
    if game.sheet is None:
        return []
    try:
        return list(_widget_warnings(sheet_to_json(game, game.sheet(**values))["widgets"]))
    except (RollwrightError, TypeError, AttributeError):  # of rules that are not here any more
        return []


def _widget_warnings(widgets: Iterable[Any], of: Text = "") -> Iterator[dict[str, object]]:
    """Yield the warnings that widgets mark, each with the title of its thing."""
    about = {"of": of} if of else {}
    for widget in widgets:
        kind, value = widget["widget"], widget.get("value")
        is_marked = widget.get("tone") in WARNING
        if is_marked and kind == "note":
            yield {"text": widget.get("text", ""), **about}
        elif is_marked and kind in ("track", "number", "flag") and value:
            label, most = widget.get("label", ""), widget.get("most")
            yield {"text": label, "value": value, "most": most, **about}
        yield from _widget_warnings(widget.get("show", ()), of)
        for row in widget.get("rows", ()):
            title = row.get("title", "")
            if row.get("tone") in WARNING:
                yield from ({"text": chip, "of": title} for chip in row.get("chips", ()))
            yield from _widget_warnings(row.get("show", ()), title)
