"""What the options of an open choice are worth, and what each of them would lead to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rollwright.ask.advice import Weighed, weighed
from rollwright.ask.measures import COSTS, Aim, worth_said
from rollwright.cli.options import names_of
from rollwright.cli.paper import Paper, wrapped
from rollwright.engine.steps import Choice
from rollwright.errors import RollwrightError
from rollwright.kit.words import option_said
from rollwright.pictures.outcomes import field_said, fields_in
from rollwright.pictures.rows import all_measured

if TYPE_CHECKING:
    from rollwright.ask.subjects import Subject
    from rollwright.budget import Budget
    from rollwright.engine.transcript import Transcript
    from rollwright.exact import Dist

MOST_FIELDS = 4
ECHO = 4
"""The place of a field that tells nothing new."""


class Counsel:
    """Advice for one roll and one goal, which may change while the roll is open."""

    def __init__(self, subject: Subject, goal: str | None) -> None:
        self.subject = subject
        self.aim = Aim(subject, goal or "") if subject.request is not None else None

    @property
    def name(self) -> str:
        """The goal by name; empty for dice, which have none."""
        return self.aim.name if self.aim is not None else ""

    def change(self, name: str, page: Paper) -> str:
        """Take another goal, or list those there are."""
        if self.subject.request is None:
            return "  Only games have goals."
        try:
            self.aim = Aim(self.subject, name or "?")
            return f"  Goal: {self.aim.title}"
        except RollwrightError as problem:
            goals = ", ".join(names_of(type(self.subject.request), "goal"))
            said = "" if not name else f"{problem}. "
            text = f"  {said}Goals: {goals}; prices too: hit=1,ones=-0.3"
            return wrapped(text, page.width, "  ")

    def options_said(
        self, transcript: Transcript, page: Paper, budget: Budget | None = None
    ) -> str:
        """The options with what each is worth and what it leads to."""
        labels = _labels(transcript.step)
        if self.aim is None:
            return "\n".join(labels)
        try:
            found = weighed(transcript, self.aim, budget=budget)
        except RollwrightError as problem:
            note = wrapped(f"  (no advice: {problem})", page.width, "  ")
            return "\n".join([*labels, note])
        return "\n".join(_weighed_said(found, self.aim.title, labels, page))


def _weighed_said(found: Weighed, title: str, labels: list[str], page: Paper) -> list[str]:
    futures = [dist for dist in map(found.futures.get, range(len(labels))) if dist is not None]
    futures = futures if len(futures) == len(labels) else []
    worths = dict(found.ranked)
    lines = [wrapped(f"Goal: {title}", page.width, "  ")]
    for place, label in enumerate(labels):
        is_best = found.advice.matters and worths[place] == found.advice.value
        mark = "  ◀ best" if is_best else ""
        lines.append(f"{label}  {worth_said(worths[place], found.chance):>8}{mark}".rstrip())
        lines += _future_said(futures, place, page) if futures else []
    if found.advice.matters:
        return lines
    costs = costs_said([option_said(option) for option in found.step.options], futures)
    said = "It does not matter for this goal" + (f", but {costs}" if costs else "")
    return [*lines, wrapped(f"{said}.", page.width, "  ")]


def _labels(choice: Choice[Any]) -> list[str]:
    """The options in a column, numbered unless they are numbers themselves."""
    names = [option_said(option) for option in choice.options]
    wide = max(map(len, names))
    numbered = not any(name.isdigit() for name in names)
    signs = [str(number) if numbered else " " for number in range(1, len(names) + 1)]
    return [f"  {sign}  {name:<{wide}}" for sign, name in zip(signs, names)]


def answers_said(choice: Choice[Any]) -> str:
    """What may be typed for a choice: a number of the list, or one of the options."""
    names = [option_said(option) for option in choice.options]
    return " or ".join(names) if any(n.isdigit() for n in names) else f"1-{len(names)}"


def _future_said(futures: Sequence[Dist[Any]], number: int, page: Paper) -> list[str]:
    """The fields in which the options differ, for one of them."""
    names = telling_fields(futures)
    wide = max(map(len, names), default=0)
    lines = []
    for name in names:
        text = field_said(futures[number].of(name), page.width - wide - 9).strip()
        lines.append(wrapped(f"       {name:<{wide}}  {text}", page.width, " " * 9))
    return lines


def telling_fields(futures: Sequence[Dist[Any]]) -> list[str]:
    """The fields in which the options differ, those first that tell most."""
    found = [name for name in fields_in(futures[0]) if len({dist.of(name) for dist in futures}) > 1]
    places = {name: _place(name, futures) for name in found}
    news = [name for name in found if places[name] < ECHO] or found
    return sorted(news, key=lambda name: places[name])[:MOST_FIELDS]


def _place(name: str, futures: Sequence[Dist[Any]]) -> int:
    """What is paid for certain, what may be paid, then the rest.

    A yes or no that is certain and costs nothing only repeats what was chosen.
    """
    parts = [dist.of(name) for dist in futures]
    certain = all(len(part) == 1 for part in parts)
    if name in COSTS:
        return 0 if certain else 1
    if certain and all(isinstance(part.outcomes[0], bool) for part in parts):
        return ECHO
    return 2 if certain else 3


def costs_said(names: list[str], futures: Sequence[Dist[Any]]) -> str:
    """Which option costs less, or what each costs more than the cheapest in that; or nothing."""
    prices = [_prices(dist) for dist in futures]
    dearer = [
        [COSTS[cost] for cost in mine if mine[cost] > min(other[cost] for other in prices)]
        for mine in prices
    ]
    if not any(dearer):
        return ""
    if cheap := [name for name, more in zip(names, dearer) if not more]:
        return f"{' or '.join(cheap)} costs less"
    said = [f"{name} costs more in {', '.join(more)}" for name, more in zip(names, dearer)]
    return "; ".join(said)


def _prices(dist: Dist[Any]) -> dict[str, Any]:
    """What is paid on average, by the name of the field."""
    parts = {name: dist.of(name) for name in fields_in(dist) if name in COSTS}
    return {name: part.map(int).mean for name, part in parts.items() if _is_paid(part.outcomes)}


def _is_paid(values: Sequence[Any]) -> bool:
    """Whether a cost was counted: yes or no, or a number."""
    return all(isinstance(value, bool) for value in values) or all_measured(values)
