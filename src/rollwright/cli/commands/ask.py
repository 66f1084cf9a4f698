"""`rollwright ask`: a game's own questions, with options made from what their functions take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import click

from rollwright.ask import answer
from rollwright.ask.games import main_argument, question_of
from rollwright.cli.fields import NO_OPTION, PREFIX, given_fields, option_name, option_of
from rollwright.cli.files import read_json, saved_roll
from rollwright.cli.options import (
    FileName,
    What,
    budget_of,
    from_option,
    house_option,
    json_option,
    work_option,
)
from rollwright.cli.paper import Paper, paper, show, show_json, wrapped
from rollwright.cli.subjects import house_given, skimmed, write_options
from rollwright.errors import UnknownName
from rollwright.kit.fields import Field, Value, fields_of
from rollwright.kit.games import Game, find_game
from rollwright.kit.questions import Question
from rollwright.pictures.charts import CHANCE, said
from rollwright.pictures.distributions import number_said
from rollwright.pictures.rows import value_said
from rollwright.pictures.tables import Table

ARGUMENT = f"{PREFIX}argument_"
ASKED = "rollwright.asked"
NEED_NO_ROLL = {"--help", "--from"}


class Form(NamedTuple):
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
        """What else it wants to know."""
        found = self.question.arguments
        return {name: about for name, about in found.items() if name not in (self.request, "house")}

    @property
    def fields(self) -> dict[str, Field]:
        """The fields of the request."""
        found = {} if self.kind is None else fields_of(self.kind)
        return {name: about for name, about in found.items() if name not in NO_OPTION}

    def options(self) -> Iterator[click.Parameter]:
        """An option for each field of the request and for each argument."""
        taken = {_flag(name) for name in self.arguments}
        for name, about in self.fields.items():
            flag = option_name(name, self.request)
            flag = f"--{self.request}-{flag[2:]}" if flag in taken else flag
            yield option_of(about, flag.replace("_", "-"), PREFIX + name)
        for name, about in self.arguments.items():
            yield self._argument(name, about)

    def _argument(self, name: str, about: Field) -> click.Parameter:
        if about.kind == "stored":
            told = "a roll that was saved"
            return click.Option(
                [_flag(name), ARGUMENT + name], type=FileName(), metavar="FILE", help=told
            )
        return option_of(about, _flag(name), ARGUMENT + name)


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


class AskCommand(click.Command):
    """A command whose options are those of the question that is asked."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find out which question it is before the options are read, since they depend on it."""
        try:
            ctx.meta[ASKED] = _form(super().get_params(ctx), args)
        except UnknownName:
            if not ctx.resilient_parsing:
                raise
        form: Form | None = ctx.meta.get(ASKED)
        told = ctx.resilient_parsing or {arg.partition("=")[0] for arg in args} & NEED_NO_ROLL
        if form is not None and form.rolls and form.kind is None and not told:
            raise click.UsageError(f"say which roll: {form.which} would do")
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
        """What the question asks, where one is named."""
        form = ctx.meta.get(ASKED)
        if form is None:
            super().format_help_text(ctx, formatter)
            return
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(form.question.title)
            if form.rolls and form.kind is None:
                formatter.write_paragraph()
                formatter.write_text(f"Say which roll it is about: {form.which}.")


def _form(params: Sequence[click.Parameter], args: Sequence[str]) -> Form | None:
    """The question that the first words name; None where they name none."""
    _, words = skimmed(params, args)
    if len(words) < 2:
        return None
    game = find_game(words[0])
    question = question_of(game, words[1])
    found = main_argument(question)
    if found is None:
        return Form(game, question)
    name, kinds = found
    if len(kinds) == 1:
        return Form(game, question, name, next(iter(kinds.values())))
    roll = words[2].replace("-", "_") if len(words) > 2 else ""
    if roll and roll not in kinds:
        raise UnknownName("roll for this question", words[2], kinds)
    return Form(game, question, name, kinds.get(roll), tuple(kinds))


@click.command("ask", cls=AskCommand)
@click.argument("what", nargs=-1, type=What(), metavar="GAME [QUESTION [ROLL]]")
@house_option
@from_option
@click.option("--exact", is_flag=True, help="Show fractions instead of decimal numbers.")
@work_option
@json_option
@click.pass_context
def command(ctx: click.Context, /, **params: Any) -> None:
    """Ask a game one of its own questions; GAME alone lists them.

    `rollwright ask GAME QUESTION --help` shows what a question takes. A question about any of
    several rolls wants to know which: `rollwright ask twilight2000 my-chances attack …`.
    """
    words, form = params["what"], ctx.meta.get(ASKED)
    if not words:
        raise click.UsageError("say which game: rollwright ask twilight2000 lists its questions")
    if form is None:
        _list(find_game(words[0]), as_json=params["as_json"])
        return
    if len(words) > (3 if form.kind is not None and len(_rolls(form)) > 1 else 2):
        raise click.UsageError(f"{words[-1]!r} is one word too many")
    found = answer("question", _question(form, params), budget_of(params))
    if params["as_json"]:
        show_json(found)
        return
    page = paper()
    show(page.bold(wrapped(found["title"], page.width)), page)
    for line in _said(found["answer"], page, exact=params["exact"]):
        show(line, page)


def _rolls(form: Form) -> Mapping[str, type[Value]]:
    found = main_argument(form.question)
    return {} if found is None else found[1]


def _list(game: Game, *, as_json: bool) -> None:
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
        show("    " + wrapped(f"{question.title} Takes: {takes}.", page.width - 4, "    "), page)
    show(
        wrapped(
            f"rollwright ask {game.name} QUESTION --help shows what a question takes.", page.width
        ),
        page,
    )


def _question(form: Form, params: Mapping[str, Any]) -> dict[str, Any]:
    """The question as data: what a file gives, then what the options do."""
    plain = read_json(params["source"]) if params["source"] is not None else {}
    if not isinstance(plain, dict):
        raise click.UsageError(f"{params['source']!r} names no arguments; a JSON object would do")
    given = {**plain, **_arguments(form, params)}
    request = _request(form, params)
    if request and form.request:
        held = plain.get(form.request)
        given[form.request] = {**(held if isinstance(held, dict) else {}), **request}
    return {"game": form.game.name, "question": form.question.name, "arguments": given}


def _arguments(form: Form, params: Mapping[str, Any]) -> dict[str, Any]:
    given = given_fields(form.arguments, params, ARGUMENT)
    for name in given:
        if form.arguments[name].kind == "stored":
            given[name] = saved_roll(read_json(given[name]))
    if params["house"] and "house" in form.question.arguments:
        given["house"] = house_given(form.game.house, params["house"])
    elif params["house"] and (form.kind is None or "house" not in fields_of(form.kind)):
        raise click.UsageError("--house does not change the answer to this question")
    return given


def _request(form: Form, params: Mapping[str, Any]) -> dict[str, Any]:
    if form.kind is None:
        return {}
    fields = given_fields(form.fields, params, PREFIX)
    if len(_rolls(form)) > 1:
        fields["roll"] = getattr(form.kind, "roll", "")
    if (
        params["house"]
        and "house" in fields_of(form.kind)
        and "house" not in form.question.arguments
    ):
        fields["house"] = house_given(form.game.house, params["house"])
    return fields


def _said(plain: Any, page: Paper, *, exact: bool, indent: str = "  ") -> list[str]:
    """An answer as data in words: tables of rows, lines of fields, single values."""
    if isinstance(plain, list) and plain and all(isinstance(row, dict) for row in plain):
        return _table(plain, page, exact=exact).text(page.width).split("\n")
    if isinstance(plain, dict) and "outcomes" in plain:
        return _table(_outcomes(plain), page, exact=exact).text(page.width).split("\n")
    if isinstance(plain, dict) and not _is_single(plain):
        return [
            line for name, part in plain.items() for line in _named(name, part, page, exact, indent)
        ]
    if isinstance(plain, list):
        return [wrapped(f"{indent}{_single(plain, exact=exact)}", page.width, indent)]
    return [f"{indent}{_single(plain, exact=exact)}"]


def _named(name: str, part: Any, page: Paper, exact: bool, indent: str) -> list[str]:
    title = name.replace("_", " ")
    if _is_single(part):
        return [wrapped(f"{indent}{title}: {_single(part, exact=exact)}", page.width, indent * 2)]
    return [f"{indent}{title}:", *_said(part, page, exact=exact, indent=f"{indent}  ")]


def _is_single(plain: Any) -> bool:
    """Whether something is said in a word or a line."""
    if isinstance(plain, dict):
        return not plain or "exact" in plain or set(plain) == {"int"}
    return not isinstance(plain, list) or all(map(_is_single, plain))


def _single(plain: Any, *, exact: bool) -> str:
    if isinstance(plain, list):
        return ", ".join(_single(part, exact=exact) for part in plain) or "–"
    if isinstance(plain, dict) and "exact" in plain:
        return str(plain["exact"]) if exact else number_said(plain["number"])
    if isinstance(plain, dict):
        return ", ".join(map(str, plain.values())) or "–"
    return value_said(plain)


def _outcomes(plain: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A distribution as rows: every outcome, and its chance."""
    total = int(plain["total"])
    return [
        {"outcome": _unwrapped(row["value"]), "chance": said(int(row["weight"]) / total, CHANCE)}
        for row in plain["outcomes"]
    ]


def _unwrapped(plain: Any) -> Any:
    """An outcome without what tells programs its type."""
    if isinstance(plain, dict) and len(plain) == 1 and set(plain) <= {"tuple", "fraction", "int"}:
        return next(iter(plain.values()))
    return plain


def _table(rows: Sequence[Mapping[str, Any]], page: Paper, *, exact: bool) -> Table:
    flat = [dict(_flat("", row)) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    cells = [tuple(_single(row.get(name, ""), exact=exact) for name in names) for row in flat]
    head = tuple(name.replace("_", " ") or "value" for name in names)
    return Table(head, tuple(cells), left=1)


def _flat(start: str, plain: Any) -> Iterator[tuple[str, Any]]:
    """The cells of a row: fields of what is in it beside its own."""
    if _is_single(plain):
        yield start, plain
    elif isinstance(plain, dict) and "outcomes" in plain:
        yield start, f"{len(plain['outcomes'])} outcomes"
    elif isinstance(plain, dict):
        for name, part in plain.items():
            inner = start if name == "value" else f"{start} {name}".strip()
            yield from _flat(inner, part)
    else:
        yield start, f"{len(plain)} rows"
