"""`rollwright advise`: the best call now, what each option is worth, or a whole policy."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from rollwright.api import advise as best_play
from rollwright.api import odds
from rollwright.cli.console import Console, paper, show
from rollwright.cli.options import GivenOptions, command, names_of
from rollwright.cli.query_commands import QueryCommand, subject_of
from rollwright.cli.rolls import play_on, source_of
from rollwright.cli.texts import text, usage
from rollwright.errors import RollwrightError
from rollwright.i18n.locale import format_text, in_words
from rollwright.i18n.messages import any_of, row_of
from rollwright.kit.card.endings import narrate
from rollwright.kit.titles import option_title, outcome_label, value_title
from rollwright.kit.words import format_option
from rollwright.pictures.outcomes import describe_field, fields_in, has_mean
from rollwright.pictures.terminal import format_bound_note, wrap_text
from rollwright.queries.advice import OptionValues, from_start, in_progress, value_options
from rollwright.queries.measures import GoalMeasure, Prices, format_worth, goals_of
from rollwright.queries.plans import alike, format_rest, policy_rows, policy_table
from rollwright.queries.roll_specs import ExpressionSpec

if TYPE_CHECKING:
    from rollwright.budget import Budget
    from rollwright.dice import Outcome
    from rollwright.engine.best.advice import Advice
    from rollwright.engine.transcript import Transcript
    from rollwright.exact import Dist
    from rollwright.queries.roll_specs import RollSpec

MOST_LINES = 16
FEW_OPTIONS = 6
"""So many are listed always, also where they are too many for the screen."""
MOST_FIELDS = 4
ECHO = 4
"""Rank of a field that adds nothing new."""


@command(
    "what arg house from goal against lying chosen lines csv work json",
    cls=QueryCommand,
)
def advise(ctx: click.Context, given: GivenOptions) -> None:
    """Say what to do: now, for a saved roll or given faces, or as a policy for the whole roll."""
    given.check_outputs()
    subject = subject_of(ctx)
    if subject.request is None:
        raise click.UsageError(in_words("advice.dice"))
    aim = GoalMeasure(subject, given.goal or "", given.against)
    counsel = AdvicePrinter(subject, aim)
    transcript = _lying(subject, given)
    given.put_out(
        table=lambda: policy_rows(_advice(transcript, aim, given).lines),
        plain=lambda: _plain(subject, transcript, aim, given),
        words=lambda: _print(subject, transcript, counsel, aim, given),
    )


def _lying(subject: RollSpec, given: GivenOptions) -> Transcript:
    """Return the roll with the faces already rolled."""
    if given.faces is not None:
        return play_on(subject.start(), source_of(given.faces, None), given.choose)
    if given.choose:
        raise usage("refusal.choose")
    return subject.start()


def _advice(transcript: Transcript, aim: GoalMeasure, given: GivenOptions) -> Advice:
    return best_play(transcript, aim.goal, against=aim.against, budget=given.budget)


def _plain(
    subject: RollSpec, transcript: Transcript, aim: GoalMeasure, given: GivenOptions
) -> dict[str, object]:
    head = {"title": subject.title, "goal": aim.plain, "goals": goals_of(subject)}
    if transcript.entries:
        return head | in_progress(transcript, aim, "", given.budget)
    return head | from_start(subject, aim, given.budget, lines=True)


def _print(
    subject: RollSpec,
    transcript: Transcript,
    counsel: AdvicePrinter,
    aim: GoalMeasure,
    given: GivenOptions,
) -> None:
    page = paper()
    show(page.bold(wrap_text(subject.title, page.width)), page)
    if transcript.throws:
        show(wrap_text(narrate(transcript), page.width), page)
    if transcript.is_done:
        show(in_words("advice.ended"), page)
        return
    advice = _advice(transcript, aim, given)
    if advice.here is None:
        _print_policy(advice, subject, aim, given)
        return
    show(counsel.format_options(transcript, page, given.budget), page)
    if advice.matters:
        ties = any_of(option_title(transcript, option) for option in advice.ties)
        show(text("advice.best", options=ties), page)
    _print_truncation(advice)


def _print_policy(advice: Advice, subject: RollSpec, aim: GoalMeasure, given: GivenOptions) -> None:
    page = paper()
    show(wrap_text(text("advice.goal", goal=aim.title), page.width), page)
    worth = format_worth(advice.value, _is_chance(subject, aim))
    show(text("advice.worth", worth=worth), page)
    table = policy_table(advice.lines, in_short=not given.show_all, game=subject.game)
    if not table.rows:
        show(in_words("advice.nothing.roll"), page)
        return
    shown = table if given.show_all else table._replace(rows=table.rows[:MOST_LINES])
    show(shown.text(page.width, whole=True), page)
    if len(shown.rows) < len(table.rows):
        show(text("advice.all"), page)
    if rest := format_rest(advice.lines):
        show(wrap_text(rest, page.width), page)
    if riddle := alike(advice.lines, subject.game):
        show(wrap_text(riddle, page.width), page)
    if subject.game is not None and not subject.game.says_sides:
        _print_sides(advice, page)
    _print_truncation(advice)


def _print_sides(advice: Advice, page: Console) -> None:
    """Print who plays together: a rule does not say, so we say what we assumed."""
    together = sorted({line.by for line in advice.lines if not line.against})
    if len(together) > 1:
        show(wrap_text(text("advice.together", names=row_of(together)), page.width), page)


def _print_truncation(advice: Advice) -> None:
    if advice.lost:
        page = paper()
        show(wrap_text(format_bound_note(advice.lost), page.width), page)


def _is_chance(subject: RollSpec, aim: GoalMeasure) -> bool:
    if isinstance(subject.what, ExpressionSpec):
        return False
    try:
        return aim.is_chance(odds(subject.what, aim.play))
    except RollwrightError:
        return False


class AdvicePrinter:
    """Advice for one roll and one goal, which may change while the roll is open."""

    def __init__(self, subject: RollSpec, aim: GoalMeasure | None) -> None:
        self.subject = subject
        self.aim = aim

    @classmethod
    def for_roll(cls, subject: RollSpec, goal: str | None) -> AdvicePrinter:
        """By the goal that is named or usual; without advice where there is none."""
        game, request = subject.game, subject.request
        usual = "" if game is None or request is None else game.usual_goal(request.roll)
        return cls(subject, GoalMeasure(subject, goal or "") if goal or usual else None)

    @property
    def name(self) -> str:
        """The goal by name; empty for dice and rules of one's own, which may have none."""
        return self.aim.name if self.aim is not None else ""

    def change(self, name: str, page: Console) -> str:
        """Take another goal, or list those there are."""
        if self.subject.request is None:
            return "  " + text("advice.no_goals")
        try:
            self.aim = GoalMeasure(self.subject, name or "?")
            return "  " + text("advice.goal", goal=self.aim.title)
        except RollwrightError as problem:
            goals = row_of(names_of(type(self.subject.request), "goal"))
            said = "" if not name else f"{format_text(problem.wording)}. "
            return wrap_text(f"  {said}{text('advice.goals', names=goals)}", page.width, "  ")

    def format_options(
        self, transcript: Transcript, page: Console, budget: Budget | None = None, lines: int = 0
    ) -> str:
        """The options with what each is worth and what it leads to, as far as it fits the lines."""
        labels = _labels(transcript)
        if self.aim is None:
            return "\n".join(labels)
        try:
            found = value_options(transcript, self.aim, budget=budget)
        except RollwrightError as problem:
            none = text("advice.none", problem=format_text(problem.wording))
            note = wrap_text(f"  {none}", page.width, "  ")
            return "\n".join([*labels, note])
        return "\n".join(_fitting(found, self.aim, labels, page, lines))


def _fitting(
    found: OptionValues, aim: GoalMeasure, labels: list[str], page: Console, most: int = 0
) -> list[str]:
    """The options with as many fields of what they lead to as there are lines for."""
    for fields in range(MOST_FIELDS, -1, -1):
        lines = "\n".join(_format_values(found, aim, labels, page, fields)).splitlines()
        if not most or len(lines) <= most:
            return lines
    kept = most - (len(lines) - len(labels)) - 1
    if len(labels) <= FEW_OPTIONS or kept < FEW_OPTIONS:
        return lines
    ranked = [place for place, _ in found.ranked][:kept]
    start = lines.index(next(line for line in lines if line.startswith(labels[0])))
    options = [lines[start + place] for place in sorted(ranked)]
    rest = text("advice.more", n=len(labels) - kept)
    return [*lines[:start], *options, f"  {rest}", *lines[start + len(labels) :]]


def _format_values(
    found: OptionValues, aim: GoalMeasure, labels: list[str], page: Console, fields: int
) -> list[str]:
    futures = [dist for dist in map(found.futures.get, range(len(labels))) if dist is not None]
    futures = futures if len(futures) == len(labels) else []
    worths = dict(found.ranked)
    shown = {place: format_worth(worth, found.chance) for place, worth in worths.items()}
    top = {place for place, worth in worths.items() if worth == found.advice.value}
    level = [place for place in shown if shown[place] in {shown[best] for best in top}]
    id = "advice.mark" if len(level) == 1 else "advice.mark.level"
    marks = dict.fromkeys(top, id) if found.advice.matters else {}
    lines = [wrap_text(text("advice.goal", goal=aim.title), page.width, "  ")]
    for place, label in enumerate(labels):
        mark = f"  ◀ {text(marks[place])}" if place in marks else ""
        lines.append(f"{label}  {shown[place]:>8}{mark}".rstrip())
        lines += _format_future(futures, place, aim, page, fields) if futures else []
    if found.advice.matters:
        return lines
    names = [value_title(aim.game, format_option(option)) for option in found.step.options]
    costs = format_costs(names, futures, aim.prices)
    said = text("advice.same.but", costs=costs) if costs else text("advice.same")
    return [*lines, wrap_text(said, page.width, "  ")]


def _option_label(transcript: Transcript, option: object) -> str:
    """An option as it is read, with the name to type where that is another one."""
    title, typed = option_title(transcript, option), format_option(option)
    return typed if title.lower() == typed.lower() else f"{title} ({typed})"


def _labels(transcript: Transcript) -> list[str]:
    """The options in a column, numbered unless they are numbers themselves."""
    names = [_option_label(transcript, option) for option in transcript.step.options]
    wide = max(map(len, names))
    numbered = not any(name.isdigit() for name in names)
    signs = [str(number) if numbered else " " for number in range(1, len(names) + 1)]
    room = len(signs[-1])
    return [f"  {sign:>{room}}  {name:<{wide}}" for sign, name in zip(signs, names)]


def _format_future(
    futures: Sequence[Dist[Outcome]], number: int, aim: GoalMeasure, page: Console, most: int
) -> list[str]:
    """The fields in which the options differ, for one of them."""
    names = telling_fields(futures, aim.prices)[:most]
    titles = {name: outcome_label(aim.game, name) for name in names}
    wide = max(map(len, titles.values()), default=0)
    lines = []
    for name in names:
        told = describe_field(futures[number].of(name), page.width - wide - 9).strip()
        lines.append(wrap_text(f"       {titles[name]:<{wide}}  {told}", page.width, " " * 9))
    return lines


def telling_fields(futures: Sequence[Dist[Outcome]], prices: Prices) -> list[str]:
    """Return the fields in which the options differ, the most telling first."""
    found = [name for name in fields_in(futures[0]) if len({dist.of(name) for dist in futures}) > 1]
    places = {name: _place(name, futures, prices) for name in found}
    news = [name for name in found if places[name] < ECHO] or found
    return sorted(news, key=lambda name: places[name])[:MOST_FIELDS]


def _place(name: str, futures: Sequence[Dist[Outcome]], prices: Prices) -> int:
    """Return the rank of a field: certain prices, possible prices, then the rest.

    A yes or no that is certain and costs nothing only repeats what was chosen.
    """
    parts = [dist.of(name) for dist in futures]
    certain = all(len(part) == 1 for part in parts)
    if name in prices:
        return 0 if certain else 1
    if certain and all(isinstance(part.outcomes[0], bool) for part in parts):
        return ECHO
    return 2 if certain else 3


def format_costs(names: list[str], futures: Sequence[Dist[Outcome]], known: Prices) -> str:
    """Which option costs less, or what each costs more than the cheapest in that; or nothing."""
    prices = [_prices(dist, known) for dist in futures]
    dearer = [
        [known[cost].title for cost in mine if mine[cost] > min(other[cost] for other in prices)]
        for mine in prices
    ]
    if not any(dearer):
        return ""
    if cheap := [name for name, more in zip(names, dearer) if not more]:
        return text("advice.cheaper", names=any_of(cheap))
    said = [
        text("advice.dearer", name=name, prices=row_of(more)) for name, more in zip(names, dearer)
    ]
    return "; ".join(said)


def _prices(dist: Dist[Outcome], known: Prices) -> dict[str, Fraction]:
    """Return the average prices, by the name of the field."""
    parts = {name: dist.of(name) for name in fields_in(dist) if name in known}
    return {
        name: part.map(int).counted_mean for name, part in parts.items() if _is_cost(part.outcomes)
    }


def _is_cost(values: Sequence[object]) -> bool:
    """Whether a cost was counted: yes or no, or a number."""
    return all(isinstance(value, bool) for value in values) or has_mean(values)
