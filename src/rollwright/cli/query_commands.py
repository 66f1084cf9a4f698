"""The subject of a command line: its words and options as the question that `ask` answers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from rollwright.cli.files import looks_like_file, read_json, saved_roll
from rollwright.cli.options import KIND, TRANSLATED, GivenOptions
from rollwright.cli.texts import HelpCommand, text, usage
from rollwright.errors import BadTranscript, TooMuchWork, UnknownName
from rollwright.i18n.locale import format_text
from rollwright.i18n.messages import any_of

if TYPE_CHECKING:
    from rollwright.engine.transcript import Transcript
    from rollwright.jsonable import Json
    from rollwright.kit.fields import Value
    from rollwright.kit.requests import Request
    from rollwright.notation.dialects import Interpretation
    from rollwright.queries.roll_specs import RollSpec

PLAIN = "rollwright.jsonable"
"""Key under which a context keeps the data of `--from`."""

NOT_FOR_GAMES = "refusal.set"
"""The text that refuses --set for the roll of a game."""
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
DIE = re.compile(r"[dD]([0-9].*|[fF])")


def is_word(typed: str) -> bool:
    """Whether a text can be the name of a game and does not begin with a die."""
    return bool(WORD.fullmatch(typed)) and not DIE.fullmatch(typed)


def is_rule(typed: str) -> bool:
    """Whether a text names a rule in a file or a module: `rules.py:push_roll`."""
    if ":" not in typed:
        return False
    from rollwright.file_games import is_rule_path

    return is_rule_path(typed)


def _translate(ctx: click.Context) -> list[str]:
    """Put dice of another tool into our spelling, for all that follows; what that changed."""
    given = GivenOptions.read(ctx)
    if not given.dialect:
        return _meant_elsewhere(" ".join(given.what))
    typed = given.what and ctx.meta.get(KIND) is None and PLAIN not in ctx.meta
    if not typed or given.resume or any(map(looks_like_file, given.what)):
        raise usage("refusal.dialect", name=given.dialect)
    from rollwright.notation import translate

    words = given.what if ctx.command.name == "compare" else (" ".join(given.what),)
    made = [translate(word, given.dialect) for word in words]
    known = _set(given.variables)
    asked = {
        name: number for one in made for name, number in one.defaults.items() if name not in known
    }
    ctx.params["what"] = tuple(one.text for one in made)
    ctx.params["variables"] = (*given.variables, *(f"{n}={held}" for n, held in asked.items()))
    if given.as_json and len(made) == 1:
        from rollwright.queries.translations import translation_data

        ctx.meta[TRANSLATED] = translation_data(made[0], given.dialect)
    changes = [line for one in made for line in str(one).splitlines()[1:]]
    return [*changes, *(text("dialect.asked", name=n, value=str(v)) for n, v in asked.items())]


def _meant_elsewhere(dice: str) -> list[str]:
    """Return the meanings of a line from a chat in its tools, if they differ."""
    if not dice.startswith(("/", "!", "[")):
        return []
    from rollwright.notation.dialects import interpretations, looks_foreign

    found = interpretations(dice) if looks_foreign(dice) else ()
    return [interpretation_option(one) for one in found]


def interpretation_option(one: Interpretation) -> str:
    """The option that reads a line as another tool does, and as what."""
    return text("refusal.reading", option=f"--dialect {one.dialect}", dice=repr(one.text))


def _show_changes(changes: list[str], given: GivenOptions) -> None:
    """Show how dice were respelled, beside their result, if people read it."""
    if not changes or given.as_json:
        return
    from rollwright.cli.console import note

    for line in changes:
        note(line)


def _unnamed_rule(file: str) -> click.UsageError:
    """The refusal of a file of rules without saying which of them."""
    from rollwright.file_games import rules_in

    names = rules_in(file)
    if not names:
        return usage("refusal.rule.none", file=file)
    return usage("refusal.rule.which", file=file, rules=any_of(f"{file}:{name}" for name in names))


class QueryCommand(HelpCommand):
    """A command that takes an expression, a game's roll with its options, or a saved roll."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Find out what is asked about before the options are read, since they depend on it."""
        self._find_kind(ctx, args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run it; what a game says of its fields is said of its options here."""
        changes = _translate(ctx)
        try:
            found = super().invoke(ctx)
            _show_changes(changes, GivenOptions.read(ctx))
            return found
        except TooMuchWork as problem:
            if (kind := ctx.meta.get(KIND)) is not None:
                from rollwright.cli.fields import in_options

                problem.hint = in_options(format_text(problem.hint), kind)
            raise

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own options, and those of the request that is asked about."""
        own = super().get_params(ctx)
        kind = ctx.meta.get(KIND)
        if kind is None:
            return own
        from rollwright.cli.fields import field_options

        return [*field_options(kind), *own]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options of the request apart from the command's own."""
        kind = ctx.meta.get(KIND)
        write_options(self.get_params(ctx), f"{kind.game} {kind.roll}" if kind else "", formatter)

    def _find_kind(self, ctx: click.Context, args: Sequence[str]) -> None:
        source, words = peek_words(super().get_params(ctx), args)
        for word in words if not ctx.resilient_parsing else ():
            if word.endswith(".py") and not is_rule(word):
                raise _unnamed_rule(word)
        rules = [word for word in words if is_rule(word)]
        if len(rules) == 1 == len(words) and not ctx.resilient_parsing:
            from rollwright.file_games import find_rule

            game, roll = find_rule(rules[0])
            ctx.meta[KIND] = game.requests[roll]
        if source is not None and not ctx.resilient_parsing:
            plain = ctx.meta[PLAIN] = read_json(source)
            if isinstance(plain, dict) and "game" in plain:
                words = [str(plain["game"]), str(plain.get("roll", ""))]
        if words and is_word(words[0]):
            try:
                ctx.meta[KIND] = _request_kind(words)
            except UnknownName:
                if not ctx.resilient_parsing:
                    raise


def write_options(
    params: Iterable[click.Parameter], title: str, formatter: click.HelpFormatter
) -> None:
    """The options made from fields under a title of their own, before the others."""
    from rollwright.cli.fields import PREFIX

    others = text("help.options")
    sections: dict[str, list[tuple[str, str]]] = {}
    for parameter in params:
        record = parameter.get_help_record(click.get_current_context())
        if record is not None and isinstance(parameter, click.Option):
            ours = (parameter.name or "").startswith(PREFIX)
            sections.setdefault(title if ours and title else others, []).append(record)
    for heading, records in sections.items():
        with formatter.section(heading):
            formatter.write_dl(records, col_max=min(26, formatter.width // 3))


def _request_kind(words: Sequence[str]) -> type[Request] | None:
    """The request type that the first words name; None where they name no game.

    A roll that the game does not have is refused here: without it no option could be known.
    """
    from rollwright.kit.games import find_game

    try:
        game = find_game(words[0])
    except UnknownName as problem:
        if words[1:] or problem.guess:
            _check_dice(words[0], problem)
        return None
    if not words[1:] or not words[1]:
        return game.requests[game.default_roll]
    roll = words[1].replace("-", "_")
    if roll not in game.requests:
        raise UnknownName("roll", words[1], game.requests)
    return game.requests[roll]


def _check_dice(typed: str, problem: UnknownName) -> None:
    """Refuse a word that is neither a game nor dice as the game that was probably meant."""
    from rollwright.notation import NotationError, parse

    try:
        parse(typed)
    except NotationError:
        raise problem from None


def peek_words(
    params: Sequence[click.Parameter], args: Sequence[str]
) -> tuple[str | None, list[str]]:
    """Return the file of `--from`, and the words before the first option of another command."""
    takes = {n for p in params if isinstance(p, click.Option) and not p.is_flag for n in p.opts}
    flags = {n for p in params if isinstance(p, click.Option) for n in (*p.opts, *p.secondary_opts)}
    source, words, known = None, [], True
    rest = iter(args)
    for arg in rest:
        name, sign, value = arg.partition("=")
        if name == "--from":
            source = value if sign else next(rest, None)
        elif name in takes and not sign:
            next(rest, None)
        elif name not in flags and arg.startswith("-") and arg != "-":
            known = False
        elif known and name not in flags:
            words.append(arg)
    return source, words


def about(ctx: click.Context, more: Mapping[str, object] | None = None) -> dict[str, object]:
    """Return the fields of the question that the words and options ask.

    `more` are fields of a request, or names of an expression, that are given beside the options.
    """
    words = GivenOptions.read(ctx).what
    if PLAIN in ctx.meta:
        if words and not (len(words) == 1 and is_rule(words[0])):  # whose file is loaded by now
            raise usage("refusal.from", word=repr(words[0]))
        return plain_about(ctx.meta[PLAIN], ctx, more or {})
    if not words:
        raise usage("refusal.what")
    if looks_like_file(words[0]) and len(words) == 1:
        return plain_about(read_json(words[0]), ctx, more or {})
    kind = ctx.meta.get(KIND)
    if kind is not None and len(words) == 1 and is_rule(words[0]):
        words = (kind.game, kind.roll)
    if kind is not None or (is_word(words[0]) and _is_game(words[0])):
        return _about_game(words, ctx, more or {})
    return _about_dice(" ".join(words), ctx, more or {})


def subject_of(ctx: click.Context) -> RollSpec:
    """Return the subject of the words and options."""
    return spec_of(about(ctx))


def rule_subject(word: str, given: GivenOptions) -> RollSpec:
    """A rule of a file or a module among others, with those arguments that it has."""
    from rollwright.file_games import find_rule
    from rollwright.kit.fields import fields_of
    from rollwright.queries.roll_specs import of_request

    game, roll = find_rule(word)
    kind = game.requests[roll]
    own = [typed for typed in given.arguments if typed.partition("=")[0].strip() in fields_of(kind)]
    return of_request(game.request(roll, **settings_of(kind, own)))


def spec_of(plain: Mapping[str, object]) -> RollSpec:
    """The subject of a question."""
    from rollwright.queries import roll_specs

    if "transcript" in plain:
        return roll_specs.of_transcript(load_roll(plain["transcript"]))
    if "request" in plain:
        from rollwright.kit.games import from_plain

        return roll_specs.of_request(from_plain(plain["request"]))
    variables = plain.get("variables")
    known = variables if isinstance(variables, dict) else {}
    return roll_specs.of_expression(str(plain["expression"]), known)


def load_roll(plain: object) -> Transcript:
    """A saved roll; where its game is not known, it may be one of somebody's own rules."""
    from rollwright.engine.transcript import Transcript

    try:
        return Transcript.from_plain(plain)
    except BadTranscript as problem:
        request = plain.get("request") if isinstance(plain, dict) else None
        if not problem.no_game or not isinstance(request, dict):
            raise
        rule = f"{request.get('game')}.py:{request.get('roll')}"
        raise usage("refusal.own_rule", why=format_text(problem.wording), rule=rule) from None


def plain_about(
    plain: Json, ctx: click.Context, more: Mapping[str, object] | None = None
) -> dict[str, object]:
    """A stored request or roll; options given beside a request win over it."""
    if not isinstance(plain, dict):
        raise usage("refusal.request")
    if isinstance(roll := saved_roll(plain), Mapping) and "answers" in roll:
        _refuse(ctx, house="refusal.house.saved", arguments="refusal.arg")
        return {"transcript": roll}
    if "expression" in plain and "game" not in plain:
        return _about_dice(str(plain["expression"]), ctx, more or {})
    _refuse(ctx)
    return {"request": _together(plain, _options_of(ctx), more or {})}


def _about_game(
    words: Sequence[str], ctx: click.Context, more: Mapping[str, object]
) -> dict[str, object]:
    from rollwright.kit.games import find_game

    game = find_game(words[0])
    if len(words) > 2:
        before = repr(" ".join(words[:2]))
        raise usage("refusal.word_after", word=repr(words[2]), before=before)
    _refuse(ctx)
    roll = words[1].replace("-", "_") if len(words) == 2 else game.default_roll
    return {"request": {"game": game.name, "roll": roll, **_together(_options_of(ctx), more)}}


def with_event_numbers(ctx: click.Context, given: GivenOptions) -> GivenOptions:
    """The options, with a number for each @name in the event that `--set` or a field gives one."""
    from rollwright.queries.conditions import names_in_event, with_numbers

    moved = {
        typed.partition("=")[0].strip().lstrip("@") for typed in (*given.vary, given.over or "")
    }
    names = names_in_event(given.where or "") - moved
    if not names:
        return given
    known: dict[str, object] = {**_set(given.variables)}
    if ctx.meta.get(KIND) is not None:
        known = {**_options_of(ctx), **known}
    numbers = {name: known[name] for name in names if type(known.get(name)) in (int, Fraction)}
    return given._replace(where=with_numbers(given.where or "", numbers))


def _about_dice(dice: str, ctx: click.Context, more: Mapping[str, object]) -> dict[str, object]:
    _refuse(ctx, house="refusal.house.dice", variables="", arguments="refusal.arg")
    variables = {**set_variables(dice, GivenOptions.read(ctx).variables, in_event(ctx)), **more}
    return {"expression": dice, **({"variables": variables} if variables else {})}


def _refuse(
    ctx: click.Context, *, house: str = "", variables: str = NOT_FOR_GAMES, arguments: str = ""
) -> None:
    """Refuse options that what is asked about knows nothing of."""
    given = GivenOptions.read(ctx)
    if arguments and given.arguments:
        raise usage(arguments)
    if house and given.house:
        raise usage(house)
    if variables and not _set(given.variables).keys() <= in_event(ctx):
        raise usage(variables)


def _is_game(name: str) -> bool:
    """Whether there is a game of that name; a word that is no dice at all must name one."""
    from rollwright.kit.games import find_game

    try:
        find_game(name)
    except UnknownName as problem:
        if not any(sign.isdigit() for sign in name):
            raise click.UsageError(format_text(problem.wording)) from None
        return False
    return True


def _together(*parts: Mapping[str, object]) -> dict[str, object]:
    """Fields from several sides, the later ones winning; house rules one by one."""
    fields = {name: value for part in parts for name, value in part.items()}
    houses = [held for part in parts if isinstance(held := part.get("house"), Mapping)]
    house = {name: value for one in houses for name, value in one.items()}
    return {**fields, **({"house": house} if house else {})}


def _options_of(ctx: click.Context) -> dict[str, object]:
    """The fields and house rules that the options give."""
    kind = ctx.meta.get(KIND)
    if kind is None:
        return {}
    from rollwright.cli.fields import given_fields
    from rollwright.kit.fields import fields_of

    known, settings = fields_of(kind), GivenOptions.read(ctx).house
    fields = {
        **given_fields(known, ctx.params),
        **settings_of(kind, GivenOptions.read(ctx).arguments),
    }
    if "house" not in known and settings:
        raise usage("refusal.house.nothing", came=repr(settings[0]))
    house = settings_of(known["house"].inner, settings, "--house") if "house" in known else {}
    return {**fields, "house": house} if house else fields


def settings_of(
    kind: type[Value], settings: Iterable[str], option: str = "--arg"
) -> dict[str, object]:
    """The fields that `--arg NAME=VALUE`, or the house rules that `--house` sets, each once."""
    from rollwright.cli.fields import setting

    found: dict[str, object] = {}
    for typed in settings:
        name, sign, value = typed.partition("=")
        if not sign:
            raise usage("refusal.setting.form", option=option, came=repr(typed))
        known, held = setting(kind, name.strip(), value.strip())
        if known in found:
            came = {"option": option, "came": repr(typed)}
            raise usage("refusal.setting.twice", **came, name=repr(known))
        found[known] = held
    return found


def in_event(ctx: click.Context) -> frozenset[str]:
    """The @names in the event that is asked about."""
    where = GivenOptions.read(ctx).where
    if not where:
        return frozenset()
    from rollwright.queries.conditions import names_in_event

    return names_in_event(where)


def set_variables(
    expression: str, settings: Iterable[str], elsewhere: Collection[str] = ()
) -> dict[str, int | Fraction]:
    """Return the `--set` values; the expression must have all names that are not elsewhere."""
    from rollwright.queries.roll_specs import ExpressionSpec

    found = _set(settings)
    here = ExpressionSpec(expression).names() if elsewhere and found else set()
    found = {name: held for name, held in found.items() if name in here or name not in elsewhere}
    check_names(expression, found, "--set")
    return found


def _set(settings: Iterable[str]) -> dict[str, int | Fraction]:
    """Return the values of `--set`."""
    found: dict[str, int | Fraction] = {}
    for typed in settings:
        name, sign, value = typed.partition("=")
        name = name.strip().lstrip("@")
        if not sign or not name:
            raise usage("refusal.set.form", came=repr(typed))
        if name in found:
            raise usage("refusal.set.twice", came=repr(typed), name=repr(name))
        found[name] = number(value)
    return found


def number(typed: str) -> int | Fraction:
    """A number as it is typed."""
    from rollwright.kit.checks import LONGEST_NUMBER, written_fraction

    value = written_fraction(typed.strip())
    if value is None:
        raise usage("refusal.number", came=repr(typed), most=LONGEST_NUMBER)
    return value.numerator if value.denominator == 1 else value


def check_names(expression: str, names: Iterable[str], option: str) -> None:
    """Refuse values for names that the expression does not have."""
    wanted = list(names)
    if not wanted:
        return
    from rollwright.queries.roll_specs import ExpressionSpec, no_name

    known = sorted(ExpressionSpec(expression).names())
    for name in wanted:
        if name not in known:
            raise click.UsageError(f"{option} {name}: {format_text(no_name(name, known))}")
