"""`rollwright games` and `rollwright ask`: what there is to play, and a game's own questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import click

from rollwright.cli.console import Console, paper, show, show_json
from rollwright.cli.fields import (
    NO_OPTION,
    PREFIX,
    format_default,
    given_fields,
    option_name,
    option_of,
    would_do,
)
from rollwright.cli.files import read_json, saved_roll
from rollwright.cli.options import (
    FileName,
    GivenOptions,
    RollParameter,
    command,
    json_option,
    names_of,
)
from rollwright.cli.query_commands import peek_words, settings_of, write_options
from rollwright.cli.texts import HelpCommand, Option, text, usage
from rollwright.errors import BadField, UnknownName
from rollwright.exact.fields import field_names
from rollwright.i18n.messages import row_of
from rollwright.kit.fields import Field, Value, fields_of
from rollwright.kit.games import Game, find_game, games_there
from rollwright.kit.questions import Question
from rollwright.kit.requests import Request
from rollwright.kit.titles import (
    answer_title,
    field_help,
    goal_title,
    house_rule_help,
    policy_title,
    question_title,
    roll_help,
    roll_title,
    setting_titles,
    summary,
)
from rollwright.pictures.outcomes import format_field
from rollwright.pictures.terminal import format_data, wrap_text
from rollwright.queries import answer
from rollwright.queries.games import main_argument, question_of

ARGUMENT = f"{PREFIX}argument_"
ASKED = "rollwright.asked"
NEED_NO_ROLL = {"--help", "--from"}


@click.command(cls=HelpCommand)
@click.argument("what", nargs=-1, type=RollParameter(), metavar="[GAME [ROLL]]")
@json_option
def games(what: tuple[str, ...], as_json: bool) -> None:
    """List the games, or explain one: its rolls, options, policies, goals and house rules."""
    if len(what) > 2:
        raise usage("refusal.word.games", word=repr(what[2]))
    name, roll = (*what, "", "")[:2]
    game = find_game(name) if name else None
    roll = roll.replace("-", "_")
    if game is not None and roll and roll not in game.requests:
        raise UnknownName("roll", roll, game.requests)
    if as_json:
        _show_json(name, roll)
    elif game is None:
        _list(paper())
    else:
        page = paper()
        show(
            _format_roll_kind(game.requests[roll], page) if roll else _format_game(game, page), page
        )


def _show_json(name: str, roll: str) -> None:
    found = answer("describe", {"game": name} if name else {})
    show_json(found["rolls"][roll] if roll else found)


def _list(page: Console) -> None:
    games, broken = games_there()
    for game in games:
        heading = wrap_text(f"{game.name}: {game.title}", page.width, "  ")
        show(page.bold(heading), page)
        for line in (summary(game), text("games.rolls", names=row_of(game.requests))):
            show("  " + wrap_text(line, page.width - 2, "  "), page)
    for problem in broken:
        show(wrap_text(text("games.broken", problem=str(problem)), page.width, "  "), page)
    show("\n" + wrap_text(text("games.explains"), page.width), page)


def _format_game(game: Game, page: Console) -> str:
    """Everything a game offers, in words."""
    lines = [page.bold(game.title), wrap_text(summary(game), page.width), ""]
    lines.append(page.bold(text("games.heading.rolls")))
    for roll, kind in game.requests.items():
        lines += _entry(roll, roll_help(game, kind) or kind.title, page)
    note = text("games.options", game=game.name)
    lines.append("  " + wrap_text(note, page.width - 2, "  "))
    for title, entries in _parts(game):
        if entries:
            lines += ["", page.bold(title)]
            for name, entry in entries:
                lines += _entry(name, entry, page)
    return "\n".join(lines)


def _parts(game: Game) -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        (text("games.heading.policies"), _policies(game)),
        (text("games.heading.goals"), [(name, _goal(game, name)) for name in game.goals]),
        (
            text("games.heading.house"),
            [_house(game, about) for about in fields_of(game.house).values()],
        ),
        (
            text("games.heading.questions"),
            [(name.replace("_", "-"), question_title(game, name)) for name in game.questions],
        ),
    ]


def _policies(game: Game) -> list[tuple[str, str]]:
    found = []
    for name, policy in game.policies.items():
        named = f"{name}:{policy.argument}" if policy.argument else name
        found.append((named, _usual(policy_title(game, name), name == game.default_policy)))
    return [*found, ("best:GOAL", text("games.best"))]


def _usual(said: str, usual: bool) -> str:
    return text("games.usual", said=said) if usual else said


def _goal(game: Game, name: str) -> str:
    goal = game.goals[name]
    rolls = f" ({', '.join(goal.rolls)})" if goal.rolls else ""
    return _usual(goal_title(game, name) + rolls, name == game.default_goal)


def _house(game: Game, about: Field) -> tuple[str, str]:
    readings = setting_titles(game, about).items()
    listed = "; ".join(f"{format_field(setting)}: {said}" for setting, said in readings)
    usual = text("field.default", value=format_field(about.default))
    return about.name, f"{house_rule_help(game, about)} ({usual}). {listed}".rstrip(". ") + "."


def _format_roll_kind(kind: type[Request], page: Console) -> str:
    """One kind of roll: its options, and the fields of its outcome."""
    game = find_game(kind.game)
    lines = [
        page.bold(wrap_text(f"{roll_title(game, kind)} ({kind.game} {kind.roll})", page.width)),
        wrap_text(roll_help(game, kind) or kind.title, page.width),
    ]
    lines += ["", page.bold(text("help.options"))]
    for name, about in fields_of(kind).items():
        if name not in NO_OPTION:
            about = about._replace(help=field_help(game, kind.roll, about))
            lines += _entry(option_name(name, kind.roll), _field(about), page)
    lines += ["", page.bold(text("games.heading.outcome"))]
    lines.append("  " + wrap_text(", ".join(field_names(kind.outcome)), page.width - 2, "  "))
    lines += ["", page.bold(text("games.heading.goals"))]
    lines.append("  " + wrap_text(", ".join(names_of(kind, "goal")), page.width - 2, "  "))
    return "\n".join(lines)


def _field(about: Field) -> str:
    notes = [would_do(about), format_default(about), about.rule]
    said = "; ".join(note for note in notes if note)
    return f"{about.help} ({said})" if said else about.help


def _entry(name: str, entry: str, page: Console) -> list[str]:
    """A name and its text beside it, or below it where there is little room."""
    column = 24 if page.width >= 60 else 4
    body = _indent(entry, page, column) if entry else []
    start = "  " + wrap_text(name, page.width - 2, "  ")
    if not body or len(start) + 2 > column:
        return [start, *body]
    return [start.ljust(column) + body[0].strip(), *body[1:]]


def _indent(entry: str, page: Console, column: int) -> list[str]:
    from textwrap import wrap

    lines = wrap(entry, max(page.width - column, 16))
    return [" " * column + line for line in lines]


class QuestionForm(NamedTuple):
    """A question with what its options are made from."""

    game: Game
    question: Question
    request: str = ""
    """The argument that it is about, such as a request; its fields are options of their own."""
    kind: type[Value] | None = None
    rolls: tuple[str, ...] = ()
    """Which rolls it may be about, where there are several."""

    @property
    def which(self) -> str:
        """How one says which roll is meant."""
        asked = self.question.name.replace("_", "-")
        return ", ".join(f"{asked} {roll.replace('_', '-')}" for roll in self.rolls)

    @property
    def arguments(self) -> dict[str, Field]:
        """Its other arguments."""
        found = self.question.arguments
        return {name: about for name, about in found.items() if name not in (self.request, "house")}

    @property
    def fields(self) -> dict[str, Field]:
        """The fields of the request."""
        found = {} if self.kind is None else fields_of(self.kind)
        settled = self.question.arguments[self.request].more.get("preset", {}) if found else {}
        return {
            name: about._replace(default=settled.get(name, about.default))
            for name, about in found.items()
            if name not in NO_OPTION
        }

    def options(self) -> Iterator[click.Parameter]:
        """An option for each field of the request and for each argument."""
        taken = {_flag(name) for name in self.arguments}
        for name, about in self.fields.items():
            flag = option_name(name, self.request)
            flag = f"--{self.request}-{flag[2:]}" if flag in taken else flag
            help = field_help(self.game, getattr(self.kind, "roll", ""), about)
            named = [flag.replace("_", "-")]
            yield option_of(about._replace(help=help), named, PREFIX + name)
        for name, about in self.arguments.items():
            yield self._argument(name, about)

    def _argument(self, name: str, about: Field) -> click.Parameter:
        if about.kind == "stored":
            names = [_flag(name), ARGUMENT + name]
            return Option(names, about="stored", type=FileName(), metavar="FILE")
        flags = (_flag(name), "--push") if name == "policy" else (_flag(name),)
        return option_of(about, flags, ARGUMENT + name)


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


class AskCommand(HelpCommand):
    """A command whose options are those of the question that is asked."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find out which question it is before the options are read, since they depend on it."""
        try:
            ctx.meta[ASKED] = _form(super().get_params(ctx), args)
        except UnknownName:
            if not ctx.resilient_parsing:
                raise
        form: QuestionForm | None = ctx.meta.get(ASKED)
        told = ctx.resilient_parsing or {arg.partition("=")[0] for arg in args} & NEED_NO_ROLL
        if form is not None and form.rolls and form.kind is None and not told:
            raise usage("refusal.which_roll", which=form.which)
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own options, and those of the question."""
        form = ctx.meta.get(ASKED)
        own = super().get_params(ctx)
        return [*form.options(), *own] if form is not None else own

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options of the question apart from the command's own."""
        form = ctx.meta.get(ASKED)
        title = "" if form is None else f"{form.game.name} {form.question.name.replace('_', '-')}"
        write_options(self.get_params(ctx), title, formatter)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the question asks, if one is named."""
        form = ctx.meta.get(ASKED)
        if form is None:
            super().format_help_text(ctx, formatter)
            return
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(question_title(form.game, form.question.name))
            if form.rolls and form.kind is None:
                formatter.write_paragraph()
                formatter.write_text(text("ask.which", which=form.which))


def _form(params: Sequence[click.Parameter], args: Sequence[str]) -> QuestionForm | None:
    """The question that the first words name; None where they name none."""
    _, words = peek_words(params, args)
    if len(words) < 2:
        return None
    game = find_game(words[0])
    question = question_of(game, words[1])
    found = main_argument(question)
    if found is None:
        return QuestionForm(game, question)
    name, kinds = found
    if len(kinds) == 1:
        return QuestionForm(game, question, name, next(iter(kinds.values())))
    roll = words[2].replace("-", "_") if len(words) > 2 else ""
    if roll and roll not in kinds:
        raise UnknownName("roll_of_question", words[2], kinds, field="roll")
    return QuestionForm(game, question, name, kinds.get(roll), tuple(kinds))


@command("question house from fractions work json", cls=AskCommand)
def ask(ctx: click.Context, given: GivenOptions) -> None:
    """Ask a game one of its own questions; GAME alone lists them."""
    form: QuestionForm | None = ctx.meta.get(ASKED)
    if not given.what:
        raise usage("refusal.which_game")
    if form is None:
        _list_questions(find_game(given.what[0]), as_json=given.as_json)
        return
    if len(given.what) > (3 if form.rolls else 2):
        raise usage("refusal.word", word=repr(given.what[-1]))
    question = _question(form, given, ctx.params)
    try:
        found = answer("question", question, given.budget)
    except BadField as problem:
        raise _by_option_name(problem, form, given) from None
    if given.as_json:
        show_json(found)
        return
    page = paper()
    show(page.bold(wrap_text(found["title"], page.width)), page)
    if found["said"]:
        show(wrap_text(found["said"], page.width), page)
    if policy := found.get("policy"):
        show(text("odds.policy", name=policy), page)
    titles = partial(answer_title, form.game)
    show("\n".join(format_data(found["answer"], page, exact=given.exact, title=titles)), page)


def _by_option_name(problem: BadField, form: QuestionForm, given: GivenOptions) -> BadField:
    """The refusal of a field of the request by the name that its option has."""
    inside = f"{form.request}."
    if given.source is not None or not form.request or not problem.field.startswith(inside):
        return problem
    return problem.at(problem.field.removeprefix(inside))


def _list_questions(game: Game, *, as_json: bool) -> None:
    """The questions of a game, and what each wants to know."""
    if as_json:
        show_json(answer("describe", {"game": game.name})["questions"])
        return
    page = paper()
    show(page.bold(game.title), page)
    for name, question in game.questions.items():
        takes = ", ".join(
            about.name if about.is_required else f"[{about.name}]"
            for about in question.arguments.values()
        )
        show(f"  {name.replace('_', '-')}", page)
        line = text("ask.takes", title=question_title(game, name), names=takes)
        show("    " + wrap_text(line, page.width - 4, "    "), page)
    note = text("ask.help" if game.questions else "ask.none", game=game.name)
    show(wrap_text(note, page.width), page)


def _question(
    form: QuestionForm, given: GivenOptions, params: Mapping[str, object]
) -> dict[str, object]:
    """The question as data: what a file gives, then what the options do."""
    plain = read_json(given.source) if given.source is not None else {}
    if not isinstance(plain, dict):
        raise usage("refusal.arguments", name=repr(given.source))
    arguments = {**plain, **_arguments(form, given, params)}
    if form.kind is not None:
        held, options = plain.get(form.request), _request(form, given, params)
        wanted = form.question.arguments[form.request].is_required and form.request not in plain
        if options or wanted:
            arguments[form.request] = {**(held if isinstance(held, dict) else {}), **options}
    return {"game": form.game.name, "question": form.question.name, "arguments": arguments}


def _arguments(
    form: QuestionForm, given: GivenOptions, params: Mapping[str, object]
) -> dict[str, object]:
    found = given_fields(form.arguments, params, ARGUMENT)
    for name in found:
        if form.arguments[name].kind == "stored":
            found[name] = saved_roll(read_json(str(found[name])))
    if given.house and "house" in form.question.arguments:
        found["house"] = settings_of(form.game.house, given.house, "--house")
    elif given.house and (form.kind is None or "house" not in fields_of(form.kind)):
        raise usage("refusal.house.answer")
    return found


def _request(
    form: QuestionForm, given: GivenOptions, params: Mapping[str, object]
) -> dict[str, object]:
    assert form.kind is not None
    found = given_fields(form.fields, params, PREFIX)
    if form.rolls:
        found["roll"] = getattr(form.kind, "roll", "")
    if given.house and "house" in fields_of(form.kind) and "house" not in form.question.arguments:
        found["house"] = settings_of(form.game.house, given.house, "--house")
    return found
