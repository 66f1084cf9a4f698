"""`rollwright odds` and `rollwright compare`: exact odds of one roll, and of several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import sqrt
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING

import click

from rollwright.cli.console import note, paper, show
from rollwright.cli.files import looks_like_file, read_json
from rollwright.cli.options import KIND, GivenOptions, command
from rollwright.cli.query_commands import (
    PLAIN,
    QueryCommand,
    in_event,
    is_rule,
    plain_about,
    rule_subject,
    set_variables,
    spec_of,
    subject_of,
    with_event_numbers,
)
from rollwright.cli.texts import text, usage
from rollwright.errors import UnknownName
from rollwright.i18n.locale import in_words
from rollwright.i18n.messages import row_of
from rollwright.pictures.charts import Bars, Picture, Series, TextTable, format_number
from rollwright.pictures.distributions import MOST_COLUMNS, picture_distribution, table_of, together
from rollwright.pictures.distributions import picture_comparison as compared_picture
from rollwright.pictures.outcomes import (
    MOST_ROWS,
    all_numbers,
    fields_in,
    has_order,
    is_compound,
)
from rollwright.pictures.terminal import (
    draw,
    format_bound_note,
    format_odds,
    format_truncation,
    wrap_text,
)
from rollwright.queries.hints import roll_hints
from rollwright.queries.measures import event_of, fraction, names_in, percent
from rollwright.queries.odds import (
    ComparedRoll,
    chance,
    check_fields,
    comparison_answer,
    condition_odds,
    duels,
    format_policy,
    odds_answer,
    part_of,
)
from rollwright.queries.roll_specs import ExpressionSpec, RollSpec, of_expression

if TYPE_CHECKING:
    from rollwright.dice import Outcome
    from rollwright.exact import Dist
    from rollwright.kit.games import Game
    from rollwright.kit.requests import Request
    from rollwright.pictures.outcomes import View

    Dists = Mapping[str, Dist[Outcome]]

EXACT_TOTAL = 10**9
MOST_SUBJECTS = 6
LONGEST_NAME = 30
"""Characters of a name; longer ones are spelled out once, and get a letter beside their numbers."""


@command(
    "what arg house from dialect set policy goal of where vary target over sensitivity "
    "at-least at-most exact all plot csv work json",
    cls=QueryCommand,
)
def odds(ctx: click.Context, given: GivenOptions) -> None:
    """Count the exact odds: never sampled, never rounded inside."""
    given.check_outputs()
    _check_ways(ctx, given)
    given = with_event_numbers(ctx, given)
    if given.vary or given.over or given.sensitivity:
        from rollwright.cli.commands import sweeps

        way = sweeps.sweep if given.vary else sweeps.find if given.over else sweeps.sensitivity
        way(ctx, given)
        return
    subject = subject_of(ctx)
    dist = subject.odds(given.policy_name, given.budget)
    names = names_in(given.fields, dist, subject.game)
    if given.where and not names:
        _show_event(dist, subject, given.where, given)
        return
    if given.where:
        dist = condition_odds(dist, given.where, subject.game)
    _show_odds(dist.of(*names) if names else dist, subject, names, given)


def _check_ways(ctx: click.Context, given: GivenOptions) -> None:
    """Refuse two questions at once, and half of one."""
    if given.target and not given.over:
        raise usage("refusal.over", hint=_search_field(ctx, given))
    if given.over and not given.target:
        raise usage("refusal.target", over=given.over)
    ways = [way for way in ("vary", "over", "sensitivity") if getattr(given, way)]
    _check_one_number(given, *ways)
    if len(ways) > 1:
        raise usage("refusal.two_questions", one=f"--{ways[0]}", other=f"--{ways[1]}")
    kind = ctx.meta.get(KIND)
    if given.goal and kind is not None:
        _check_goal(kind, given.goal)
    if not ways and given.goal and given.policy not in (None, "best"):
        raise usage("refusal.goal.policy", goal=given.goal, policy=repr(given.policy))


def _check_goal(kind: type[Request], goal: str) -> None:
    """Refuse a goal that the game does not have, before what it would take to count it."""
    from rollwright.kit.games import find_game

    find_game(kind.game).goal(goal, kind)


def _check_one_number(given: GivenOptions, *ways: str) -> None:
    """Refuse to show each outcome and beyond where one number is asked for."""
    of_event = ["where"] if given.where and not given.of else []
    option, sign = ("--at-least", ">=") if given.at_least else ("--at-most", "<=")
    if given.view != "each" and len(given.what) > 1 and given.what[-1].isdigit():
        raise usage("refusal.view.value", option=option, sign=sign, n=given.what[-1])
    if given.view != "each" and (asked := [*ways, *of_event]):
        raise usage("refusal.view.number", option=option, one=f"--{asked[0]}", sign=sign)


def _search_field(ctx: click.Context, given: GivenOptions) -> str:
    """Return what could be searched: a field of the roll, or a name in the dice."""
    if (kind := ctx.meta.get(KIND)) is not None:
        from rollwright.kit.fields import fields_of

        known = [name for name, field in fields_of(kind).items() if field.kind == "int"]
        return text("refusal.over.field", names=row_of(known))
    names = sorted(ExpressionSpec(" ".join(given.what)).names()) if given.what else []
    if not names:
        return text("refusal.over.dice")
    return text("refusal.over.name", target=given.target or "", name=names[0])


def _heading(subject: RollSpec, names: tuple[str, ...], given: GivenOptions) -> str:
    """Return a heading: what is shown, under which policy, and what is known of it."""
    parts = [subject.title]
    if policy := format_policy(subject, given.policy_name):
        parts.append(text("odds.policy", name=policy))
    if names and given.where:
        parts.append(text("odds.given", event=given.where))
    return ", ".join(parts)


def _show_event(dist: Dist[Outcome], subject: RollSpec, where: str, given: GivenOptions) -> None:
    """The chance of an event; its table and its picture are how often it does and does not."""
    happens = _happens(dist, where, subject)
    heading = _heading(subject, (), given)
    given.put_out(
        table=lambda: table_of(happens, (where,)),
        picture=lambda: picture_distribution(happens, heading, x_name=where),
        plain=lambda: chance(subject, given.policy_name, dist, where),
        words=lambda: _print_event(
            dist, happens.weight(True), subject, where, heading, exact=given.exact
        ),
        bound=lambda: format_truncation(dist),
    )


def _happens(dist: Dist[Outcome], where: str, subject: RollSpec) -> Dist[Outcome]:
    test = event_of(where, dist, subject.game)
    return dist.map(lambda outcome: bool(test(outcome)))


def _print_event(
    dist: Dist[Outcome], weight: int, subject: RollSpec, where: str, heading: str, *, exact: bool
) -> None:
    page = paper()
    show(page.bold(wrap_text(heading, page.width)), page)
    in_full = weight and (exact or dist.total <= EXACT_TOTAL)
    whole = f"  ({fraction(Fraction(weight, dist.total))})" if in_full else ""
    show(f"  {where}: {percent(weight / dist.total)}{whole}", page)
    if not weight and not dist.lost:
        show(_format_never(dist), page)
    if lost := format_truncation(dist):
        show(lost, page)
    note_remarks(subject)


def note_remarks(subject: RollSpec) -> None:
    """Say beside the odds where the dice may have been meant otherwise."""
    for remark in roll_hints(subject).get("remarks", ()):
        note(remark["said"])


def _format_never(dist: Dist[Outcome]) -> str:
    """That an event never comes about: it may contradict itself, or lie beyond what can be."""
    if not all_numbers(dist.outcomes):
        return text("odds.event.never")
    low, high = map(str, (dist.outcomes[0], dist.outcomes[-1]))
    return text("odds.event.never.range", low=low, high=high)


def _show_odds(
    dist: Dist[Outcome], subject: RollSpec, names: tuple[str, ...], given: GivenOptions
) -> None:
    heading, page = _heading(subject, names, given), paper()
    check_view(given, [dist] if not is_compound(dist) else [])
    titled = _titles_in(subject)

    def picture() -> Picture:
        if is_compound(dist):
            raise usage("refusal.draw")
        return picture_distribution(
            dist, heading, x_name=_title_with_view(", ".join(names), given), view=given.view
        )

    def words() -> None:
        whole, exact = given.show_all, given.exact
        how = format_odds(
            dist, heading, page, names, show_all=whole, exact=exact, view=given.view, title=titled
        )
        show(how, page)
        if isinstance(subject.what, ExpressionSpec) and "d" not in subject.what.text.lower():
            show(text("odds.constant"), page)
        note_remarks(subject)

    given.put_out(
        table=lambda: table_of(
            dist, names or fields_in(dist), "each" if is_compound(dist) else given.view
        ),
        picture=picture,
        plain=lambda: odds_answer(subject, given.policy_name, dist, names, whole=True),
        words=words,
        bound=lambda: format_truncation(dist),
    )


@command(
    "what arg house from dialect set policies of where at-least at-most plot csv work json",
    cls=QueryCommand,
)
def compare(ctx: click.Context, given: GivenOptions) -> None:
    """Set rolls side by side: their means, their odds, and which comes out higher."""
    given.check_outputs()
    _check_one_number(given)
    given = with_event_numbers(ctx, given)
    title, rolls = _count_rolls(ctx, given)
    check_fields(rolls, given.fields)
    shown = _field_titles(rolls, given)
    known = [text("odds.given", event=given.where)] if given.where and given.fields else []
    if given.where and known:
        rolls = [
            roll._replace(dist=condition_odds(roll.dist, given.where, roll.subject.game))
            for roll in rolls
        ]
        given = given._replace(where=None)
    dists = {roll.name: _part(roll, given) for roll in rolls}
    for dist in dists.values():
        if is_compound(dist):
            raise usage("refusal.compare", names=row_of(fields_in(dist)))
    check_view(given, dists.values())
    what = _title_with_view(", ".join([given.where or shown, *known]), given)
    given.put_out(
        table=lambda: rows_of(dists, given.view),
        picture=lambda: picture_of(dists, title, what, given.view),
        plain=lambda: comparison_answer(rolls, given.fields, given.where or ""),
        words=lambda: print_comparison(
            *use_letters(dists, title or _titles(rolls)), what, given.view, _left_out(rolls, given)
        ),
        bound=lambda: lost_in(dists),
    )


def _titles_in(subject: RollSpec) -> Callable[[str], str]:
    """Return the titles of an outcome's fields; dice load no game for it."""
    if subject.game is None:
        return str
    from rollwright.kit.titles import field_label

    return partial(field_label, subject.game)


def _field_titles(rolls: list[ComparedRoll], given: GivenOptions) -> str:
    """The fields that are compared, as the game of the first roll that has them says them."""
    for roll in rolls:
        if given.fields and fields_in(roll.dist):
            names = names_in(given.fields, roll.dist, roll.subject.game)
            return ", ".join(map(_titles_in(roll.subject), names))
    return given.of or ""


def check_view(given: GivenOptions, dists: Iterable[Dist[Outcome]]) -> None:
    """Refuse two views at once, and more or less of what has no order."""
    if given.at_least and given.at_most:
        raise usage("refusal.views")
    for dist in dists if given.view != "each" else ():
        if not has_order(dist.outcomes):
            raise usage("refusal.orderless", option=f"--{given.view.replace('_', '-')}")


def _title_with_view(what: str, given: GivenOptions) -> str:
    """Return what is shown, with the view of it."""
    view = [in_words(f"column.{given.view}")] if given.view != "each" else []
    return ", ".join([*([what] if what else []), *view])


def _titles(rolls: list[ComparedRoll]) -> str:
    """Return a line for each roll whose name does not describe it."""
    names: dict[str, list[str]] = {}
    for roll in rolls:
        if roll.name != roll.subject.title:
            names.setdefault(_title_with_policy(roll), []).append(roll.name)
    return "\n".join(
        text("odds.called", name="; ".join(called), title=title) for title, called in names.items()
    )


def _title_with_policy(roll: ComparedRoll) -> str:
    """Return a roll's title, with its usual policy if none was given."""
    usual = "" if roll.policy else format_policy(roll.subject, "")
    return ", ".join([roll.subject.title, *([text("odds.policy", name=usual)] if usual else [])])


def use_letters(dists: Dists, title: str) -> tuple[Dists, str]:
    """Return the same with letters for names that are too long, each spelled out once."""
    long = [name for name in dists if len(name) > LONGEST_NAME]
    letters = dict(zip(long, ascii_uppercase))
    lines = [text("odds.called", name=letters[name], title=name) for name in long]
    named = {letters.get(name, name): dist for name, dist in dists.items()}
    return named, "\n".join([*([title] if title else []), *lines])


def _left_out(rolls: list[ComparedRoll], given: GivenOptions) -> str:
    """The policies that found no place in a comparison of all."""
    game = rolls[0].subject.game
    if given.policies or game is None:
        return ""
    shown = {roll.policy for roll in rolls}
    left = [name for name in _plain_policies(game) if name not in shown]
    return text("odds.left_out", names=row_of(left)) if left and "best" in shown else ""


def _part(roll: ComparedRoll, given: GivenOptions) -> Dist[Outcome]:
    """Return the compared part of a roll: whether an event comes about, some fields, or all."""
    if given.where:
        return _happens(roll.dist, given.where, roll.subject)
    return part_of(roll, given.fields)


def _count_rolls(ctx: click.Context, given: GivenOptions) -> tuple[str, list[ComparedRoll]]:
    """Return a title, and the rolls by what distinguishes them."""
    if ctx.meta.get(KIND) is not None or PLAIN in ctx.meta:
        subject = _checked_subject(ctx, given)
        policies = given.policies or _all_policies(subject)
        found = [(text("odds.policy", name=name), subject, name) for name in policies]
        title, names = subject.title, policies
    else:
        title, names, found = "", given.what, []
    if len(set(names)) < len(names):
        raise usage("refusal.twice")
    if not title:
        found = _several(names, ctx, given)
    if not 2 <= len(found) <= MOST_SUBJECTS:
        raise usage("refusal.several", most=MOST_SUBJECTS, n=len(found))
    return title, [ComparedRoll(*one, one[1].odds(one[2], given.budget)) for one in found]


def _several(
    words: tuple[str, ...], ctx: click.Context, given: GivenOptions
) -> list[tuple[str, RollSpec, str]]:
    """Files and expressions, each roll of a game under each policy, by names that differ."""
    subjects = [_subject(word, ctx, given) for word in words]
    if given.policies and not any(subject.request for subject in subjects):
        raise usage("refusal.policy.dice")
    stems = [Path(word).stem if looks_like_file(word) else "" for word in words]
    found = []
    for word, stem, subject in zip(words, stems, subjects):
        name = (stem if stems.count(stem) == 1 else word) if stem else subject.title
        policies = given.policies if subject.request else ()
        for policy in policies or ("",):
            played = text("odds.played", name=name, policy=policy)
            found.append((played if len(policies) > 1 else name, subject, policy))
    return found


def _checked_subject(ctx: click.Context, given: GivenOptions) -> RollSpec:
    """The roll of a game; a policy that the game does not have is refused before all else."""
    if (kind := ctx.meta.get(KIND)) is not None:
        from rollwright.kit.games import find_game

        known = [*find_game(kind.game).policies, "best"]
        for name in given.policies:
            if name.partition(":")[0] not in known:
                raise UnknownName("policy", name, known)
    return subject_of(ctx)


def _all_policies(subject: RollSpec) -> tuple[str, ...]:
    """The policies that need nothing more than their name, the usual ones first, and best play."""
    game = subject.game
    if game is None or subject.request is None:
        raise usage("refusal.policy.saved")
    roll = subject.request.roll
    usual = (game.usual_policy(roll), *game.card.roll(roll).policies)
    plain = _plain_policies(game)
    ordered = dict.fromkeys([name for name in usual if name in plain] + plain)
    kept = list(ordered)[: MOST_SUBJECTS - 1]
    return (*[name for name in plain if name in kept], "best")


def _plain_policies(game: Game) -> list[str]:
    return [name for name, policy in game.policies.items() if not policy.argument]


def _subject(word: str, ctx: click.Context, given: GivenOptions) -> RollSpec:
    if is_rule(word):
        return rule_subject(word, given)
    if looks_like_file(word):
        return spec_of(plain_about(read_json(word), ctx))
    if not any(sign.isdigit() for sign in word) and word.isidentifier():
        from rollwright.kit.games import list_games

        raise UnknownName("game", word, list_games())
    return of_expression(word, set_variables(word, given.variables, in_event(ctx)))


def rows_of(dists: Dists, view: View) -> TextTable:
    """Every outcome with its chance in each of them."""
    labels, columns = together(dists, 10**6, view)
    rows = [
        (label, *(f"{columns[name][n] / dists[name].total:.10g}" for name in dists))
        for n, label in enumerate(labels)
    ]
    return TextTable((in_words("column.outcome"), *dists), tuple(rows))


def picture_of(
    dists: Dists, title: str, what: str, view: View = "each", most: int = MOST_COLUMNS
) -> Picture:
    """Several side by side in one picture."""
    if _all_bools(dists):
        values = tuple(float(dist.p(True)) for dist in dists.values())
        return Bars(what, tuple(dists), (Series(what, values),), title)
    heading = title or text("odds.versus").join(dists)
    return compared_picture(dists, heading, x_name=what, most=most, view=view)


def _all_bools(dists: Dists) -> bool:
    return all(isinstance(outcome, bool) for dist in dists.values() for outcome in dist)


def print_comparison(dists: Dists, title: str, what: str, view: View, left_out: str) -> None:
    """Print several side by side: a summary, a picture, and which comes out higher."""
    page = paper()
    for line in title.splitlines():
        show(page.bold(wrap_text(line, page.width, "  ")), page)
    if what:
        show(f"{what}:", page)
    if all(all_numbers(dist.outcomes) for dist in dists.values()):
        show(_summary(dists).text(page.width) + "\n", page)
    show(draw(picture_of(dists, title, what, view, MOST_ROWS), page), page)
    if lines := [] if _all_bools(dists) else _format_duels(dists):
        show("\n" + "\n".join(wrap_text(line, page.width, "  ") for line in lines), page)
    if lost := lost_in(dists):
        show(wrap_text(lost, page.width), page)
    if left_out:
        show(wrap_text(left_out, page.width, "  "), page)


def lost_in(dists: Dists) -> str:
    """Return a line about what a bound cut off of any of them, if it did."""
    lost = max(Fraction(dist.lost, dist.total) for dist in dists.values())
    return format_bound_note(lost) if lost else ""


def _summary(dists: Dists) -> TextTable:
    rows = [
        (
            name,
            format_number(dist.counted_mean),
            format_number(sqrt(dist.counted_variance)),
            str(dist.quantile("1/10")),
            str(dist.median),
            str(dist.quantile("9/10")),
        )
        for name, dist in dists.items()
    ]
    mean, deviation, median = (text(f"odds.{id}") for id in ("mean", "deviation", "median"))
    return TextTable(("", mean, deviation, "10 %", median, "90 %"), tuple(rows))


def _format_duels(dists: Dists) -> Sequence[str]:
    found = []
    for one, other, duel in duels(dists):
        high, level, low = (percent(share) for share in (duel.greater, duel.equal, duel.less))
        shares = {"high": high, "level": level, "low": low}
        found.append(text("odds.duel", one=one, other=other, **shares))
    return found
