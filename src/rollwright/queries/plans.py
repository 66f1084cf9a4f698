"""Best play as people read it: a whole policy as calls, rows of a table and one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from rollwright.engine.best.advice import Advice, PolicyEntry
from rollwright.errors import RollwrightError
from rollwright.exact.text import outcome_to_json as stored_value
from rollwright.i18n.locale import in_words
from rollwright.i18n.messages import Message, Value, clauses
from rollwright.i18n.messages import msg as message
from rollwright.kit.titles import choice_title, outcome_label, seat_title, value_title
from rollwright.kit.words import format_option, format_situation
from rollwright.pictures.charts import TextTable
from rollwright.queries.measures import fraction, percent

if TYPE_CHECKING:
    from rollwright.kit.games import Game
    from rollwright.queries.schemas import PolicyLine, PolicyLineText

MOST_CALLS = 24
MOST_PARTS = 3
"""A situation of more parts than this is not spelled out in a sentence."""
MOST_TOLD, FEW_ROWS = 3, 12
"""Fields that describe a decision at most, and rows that are few."""
HEAD = ("chance", "best_call", "who", "situation")


class PolicyRow(NamedTuple):
    """How likely a decision is, the best call, who makes it, and what it turns on."""

    chance: Fraction
    call: str
    by: str
    situation: str
    """In words; empty where the call is always the same."""
    matters: bool

    @property
    def call_text(self) -> str:
        """The call, and whether it matters."""
        return self.call if self.matters else in_words("advice.or_not", call=self.call)

    @property
    def cells(self) -> tuple[str, str, str]:
        """The call, who makes it, and when."""
        return self.call_text, self.by, self.situation or in_words("advice.always")


def calls_of(advice: Advice, game: Game | None = None) -> list[PolicyLineText]:
    """The best policy by what each decision turns on, the likeliest first."""
    rows = _find_rows(advice.lines, in_short=True, game=game)
    several = _by_several(rows)
    return [_call_plain(row, several=several) for row in rows[:MOST_CALLS]]


def _by_several(rows: Sequence[PolicyRow]) -> bool:
    return len({row.by for row in rows}) > 1


def _call_plain(row: PolicyRow, *, several: bool) -> PolicyLineText:
    found: PolicyLineText = {
        "chance": percent(row.chance),
        "best_call": row.call_text,
        "situation": row.situation or in_words("advice.always"),
    }
    if several:
        found["who"] = row.by
    return found


def line_plain(line: PolicyEntry) -> PolicyLine:
    """One line of a policy, exactly."""
    try:
        situation = stored_value(line.situation)
    except RollwrightError:
        situation = format_situation(line.situation)
    return {
        "by": line.by,
        "situation": situation,
        "choose": format_option(line.choose),
        "chance": fraction(line.chance),
        "options": [
            {"option": format_option(one.option), "value": fraction(one.value)}
            for one in line.worths
        ],
    }


def format_plan(advice: Advice, game: Game | None) -> Message:
    """Best play in a sentence, by the likeliest of the decisions that matter."""
    if not advice.lines:
        return message("advice.nothing.roll")
    if not any(line.matters for line in advice.lines):
        return message("advice.same.roll")
    rows = _find_rows(advice.lines, in_short=True, game=game)[:MOST_CALLS]
    telling = [row for row in rows if row.matters]
    calls: list[Value] = [_call(row, several=_by_several(rows)) for row in telling[:3]]
    if len(telling) > 3:
        calls.append(message("advice.rarer", n=len(telling) - 3))
    elif len(telling) < len(rows):
        calls.append(message("advice.otherwise"))
    return message("advice.plan", calls=clauses(calls))


def _call(row: PolicyRow, *, several: bool) -> Message:
    id = "advice.call.with"
    if not row.situation:
        id = "advice.call.always"
    elif row.situation.count(",") >= MOST_PARTS:
        id = "advice.call.once"
    call = message(id, call=row.call, situation=row.situation, chance=percent(row.chance))
    return message("advice.call.who", who=row.by, call=call) if several else call


def policy_table(
    lines: Sequence[PolicyEntry], *, in_short: bool = False, game: Game | None = None
) -> TextTable:
    """The decisions, the likeliest first; in short, only by what the best call turns on."""
    found = _find_rows(lines, in_short, game)
    rows = [(percent(row.chance), *row.cells) for row in found]
    head = tuple(in_words(f"column.{id}") for id in HEAD)
    if _by_several(found):
        return TextTable(head, tuple(rows), left=4)
    return TextTable((*head[:2], head[3]), tuple((a, b, d) for a, b, _, d in rows), left=3)


def policy_rows(lines: Sequence[PolicyEntry]) -> TextTable:
    """The decisions for a spreadsheet: the chance as a decimal number and as the exact fraction."""
    rows = [
        (f"{float(row.chance):.10g}", fraction(row.chance), *row.cells)
        for row in _find_rows(lines, in_short=False)
    ]
    head = ("chance", "exactly", *HEAD[1:])
    return TextTable(tuple(in_words(f"column.{id}") for id in head), tuple(rows))


def format_rest(lines: Sequence[PolicyEntry]) -> str:
    """That some throws leave no choice, where the chances of the lines do not make up all."""
    total = sum(line.chance for line in lines)
    if total >= 1:
        return ""
    return in_words("advice.unasked", share=percent(total))


def _kinds(lines: Sequence[PolicyEntry]) -> dict[tuple[str, type], list[PolicyEntry]]:
    """The decisions by who makes them and by what they turn on."""
    kinds: dict[tuple[str, type], list[PolicyEntry]] = {}
    for line in lines:
        kinds.setdefault((line.by, type(line.situation)), []).append(line)
    return kinds


def _find_rows(
    lines: Sequence[PolicyEntry], in_short: bool, game: Game | None = None
) -> list[PolicyRow]:
    kinds = _kinds(lines).values()
    found = [row for alike in kinds for row in _decisions(alike, in_short, game)]
    return sorted(found, key=lambda row: -row.chance)


def _decisions(lines: list[PolicyEntry], in_short: bool, game: Game | None) -> list[PolicyRow]:
    """Decisions of one kind by one person; those that read alike are one."""
    names = _differing_fields(lines)
    if in_short and names is not None:
        names = _fields_enough(lines, names)
    grouped: dict[tuple[str, str], tuple[PolicyEntry, Fraction]] = {}
    calls: dict[str, set[str]] = {}
    for line in lines:
        if line.matters:
            words = _format_situation(line.situation, names, game)
            calls.setdefault(words, set()).add(format_option(line.choose))
    for line in lines:
        words = _format_situation(line.situation, names, game)
        apart = format_option(line.choose) if len(calls.get(words, ())) > 1 else ""
        first, chance = grouped.get((words, apart), (line, Fraction(0)))
        grouped[words, apart] = (line if line.matters else first, chance + line.chance)
    return [
        PolicyRow(
            chance,
            choice_title(game, line.choose),
            seat_title(game, line.by),
            words,
            line.matters,
        )
        for (words, _), (line, chance) in grouped.items()
    ]


def alike(lines: Sequence[PolicyEntry], game: Game | None = None) -> str:
    """That some situations read alike and are decided otherwise, where there are such."""
    told = [(row.by, row.situation) for row in _find_rows(lines, in_short=True, game=game)]
    return in_words("advice.alike") if len(set(told)) < len(told) else ""


def _differing_fields(lines: list[PolicyEntry]) -> list[str] | None:
    """The fields in which the situations differ; None where they have no fields."""
    names = getattr(lines[0].situation, "_fields", None)
    if names is None:
        return None
    return [n for n in names if len({getattr(line.situation, n) for line in lines}) > 1]


def _fields_enough(lines: list[PolicyEntry], names: list[str]) -> list[str]:
    """As few of the fields as still say what to do, in few rows if that can be."""
    lines = _told_apart(lines, names)
    fewest: list[str] | None = None
    for count in range(min(len(names), MOST_TOLD) + 1):
        for some in map(list, combinations(names, count)):
            if _decide(lines, some):
                if _rows(lines, some) <= FEW_ROWS:
                    return some
                fewest = fewest or some
    return fewest or _without_idle(lines, names)


def _told_apart(lines: list[PolicyEntry], names: list[str]) -> list[PolicyEntry]:
    """Return the lines whose best call follows from all of the fields together."""
    calls: dict[tuple[object, ...], set[str]] = {}
    for line in lines:
        calls.setdefault(_values_of(line, names), set()).add(format_option(line.choose))
    return [line for line in lines if len(calls[_values_of(line, names)]) == 1]


def _values_of(line: PolicyEntry, names: Sequence[str]) -> tuple[object, ...]:
    return tuple(getattr(line.situation, name) for name in names)


def _without_idle(lines: list[PolicyEntry], names: list[str]) -> list[str]:
    """Return the fields without those that add nothing to the others."""
    for name in reversed(names):
        others = [other for other in names if other != name]
        if _decide(lines, others):
            names = others
    return names


def _rows(lines: list[PolicyEntry], names: Sequence[str]) -> int:
    return len({_values_of(line, names) for line in lines})


def _decide(lines: list[PolicyEntry], names: Sequence[str]) -> bool:
    """Check whether these fields alone decide the best call of every line."""
    calls: dict[tuple[object, ...], str] = {}
    for line in lines:
        call = format_option(line.choose)
        if calls.setdefault(_values_of(line, names), call) != call:
            return False
    return True


def _format_situation(situation: object, names: list[str] | None, game: Game | None) -> str:
    if names is None:
        return format_situation(situation)
    return ", ".join(
        f"{outcome_label(game, name)} {value_title(game, getattr(situation, name))}"
        for name in names
    )
