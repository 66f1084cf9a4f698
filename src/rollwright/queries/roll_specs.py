"""The subject of a question: dice as they are written, a request, or a roll in progress."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField, BadTranscript, RollwrightError, with_likeliest
from rollwright.i18n.messages import Message
from rollwright.i18n.messages import msg as message

if TYPE_CHECKING:
    from rollwright.budget import Budget
    from rollwright.dice import Outcome
    from rollwright.engine.steps import Call
    from rollwright.exact import Dist
    from rollwright.jsonable import Json
    from rollwright.kit.games import Game
    from rollwright.kit.requests import Request
    from rollwright.notation import Translation
    from rollwright.queries.kinds import RollSpecQuery

LARGEST = 10**15
"""A whole number for a name in dice is smaller than this."""
NO_VARIABLES: Mapping[str, int | Fraction] = {}


class ExpressionSpec(NamedTuple):
    """Dice as they are written, with numbers for the @names in them."""

    text: str
    variables: Mapping[str, int | Fraction] = NO_VARIABLES

    def call(self) -> Call[Outcome]:
        """The rule that the expression is."""
        from rollwright.notation import as_rule

        return as_rule(self.text, dict(self.variables))

    def fewest_outcomes(self) -> int:
        """How many outcomes it has at the least, as far as that is known without counting."""
        from rollwright.notation.counter import fewest_outcomes

        return fewest_outcomes(self.text, dict(self.variables))

    def names(self) -> set[str]:
        """The names in it that can be given a number."""
        from rollwright.notation.parser import names_in

        return names_in(self.text)


class RollSpec(NamedTuple):
    """Something to roll, count or advise on, with a title for people."""

    what: ExpressionSpec | Request | Transcript
    title: str
    request: Request | None = None
    translation: tuple[Translation, str] | None = None
    """The translation that the dice come from, and their dialect, if they were in another one."""

    @property
    def game(self) -> Game | None:
        """The game of the request, if there is one."""
        if self.request is None:
            return None
        from rollwright.kit.games import find_game

        return find_game(self.request.game)

    @property
    def plain(self) -> dict[str, Json] | None:
        """The request as JSON data, if there is one."""
        if self.request is None:
            return None
        from rollwright.kit.requests import to_plain

        return to_plain(self.request)

    @property
    def expression(self) -> str:
        """The dice as they are written; empty where it is something else."""
        return self.what.text if isinstance(self.what, ExpressionSpec) else ""

    def odds(self, policy: str = "", budget: Budget | None = None, seat: str = "") -> Dist[Outcome]:
        """The exact odds under a policy by name."""
        from rollwright.api import odds

        if self.request is None and policy:
            raise no_policy(policy)
        what = self.what.call() if isinstance(self.what, ExpressionSpec) else self.what
        return odds(what, policy or None, seat=seat, budget=budget)

    def start(self) -> Transcript:
        """The roll with nothing thrown yet, or as far as it has come."""
        from rollwright.api import new_transcript

        if isinstance(self.what, Transcript):
            return self.what
        return new_transcript(
            self.what.call() if isinstance(self.what, ExpressionSpec) else self.what
        )

    def policy(self, name: str) -> Any:
        """The policy of that name; none for no name."""
        if not name:
            return None
        if self.game is None or self.request is None:
            raise no_policy(name)
        return self.game.policy(name, self.request)


def no_policy(name: str) -> BadField:
    """The refusal of a policy for something that has none."""
    problem = message("policy.dice", name=repr(name[:40]))
    return BadField("policy", problem, would_do=message("would_do.none"))


def of_expression(text: str, variables: Mapping[str, int | Fraction] = NO_VARIABLES) -> RollSpec:
    """Dice, as they are written."""
    return RollSpec(ExpressionSpec(text, variables), text)


def of_request(request: Request) -> RollSpec:
    """A roll of a game."""
    return RollSpec(request, title_request(request), request)


def of_transcript(transcript: Transcript) -> RollSpec:
    """A roll in progress, or one that has ended."""
    if transcript.request is not None:
        return of_request(transcript.request)._replace(what=transcript)
    texts = [arg for arg in transcript.call.args if isinstance(arg, str)]
    return RollSpec(transcript, texts[0] if texts else repr(transcript.call))


def title_request(request: Request, without: Collection[str] = ()) -> str:
    """The game, the roll and the fields that were given, without some of them."""
    from rollwright.kit.games import find_game
    from rollwright.kit.requests import to_plain
    from rollwright.kit.titles import argument_title, roll_title

    game = find_game(request.game)
    plain = to_plain(request)
    given = {**plain, **plain.get("house", {})}
    fields = [
        f"{argument_title(game, request.roll, name)} {_short(game, value)}"
        for name, value in given.items()
        if name not in ("game", "roll", "house", *without)
    ]
    heading = f"{game.title}, {roll_title(game, type(request))}"
    return f"{heading}: {', '.join(fields)}" if fields else heading


def _short(game: Game, value: Json) -> str:
    from rollwright.kit.titles import argument_title, value_title

    if isinstance(value, list):
        simple = [str(part) for part in value if not isinstance(part, (dict, list))]
        return ",".join(simple) if len(simple) == len(value) else f"({len(value)})"
    if isinstance(value, dict):
        pairs = (f"{argument_title(game, '', k)} {_short(game, v)}" for k, v in value.items())
        return f"({', '.join(pairs)})"
    return value_title(game, value) if isinstance(value, bool | str) and value else str(value)


def spec_of(about: RollSpecQuery) -> RollSpec:
    """Return the subject of a question."""
    if about.expression is not None:
        if not about.expression.strip():
            raise BadField("expression", message("expression.empty"), would_do="4d6kh3+2")
        written = about.expression
        given = variables_of(about.variables or {})
        if about.dialect and about.dialect.lower() != "rollwright":
            return _translate(written, about.dialect, given)
        check_names(written, given)
        return of_expression(written, given)
    if about.transcript is not None:
        return of_transcript(read_transcript(about.transcript))
    return of_request(_request(about) if about.request is not None else _request_of_draft(about))


def _translate(written: str, dialect: str, given: Mapping[str, int | Fraction]) -> RollSpec:
    """Dice in the spelling of another tool; what it asks for are names in ours."""
    from rollwright.notation import translate

    made = translate(written, dialect)
    check_names(made.text, given)
    subject = of_expression(made.text, {**made.defaults, **given})
    return subject._replace(translation=(made, dialect))


def variables_of(given: Mapping[str, Json]) -> dict[str, int | Fraction]:
    """Numbers for the names in dice, checked."""
    return {name.lstrip("@"): variable(name, value) for name, value in given.items()}


def check_names(expression: str, given: Collection[str], field: str = "variables") -> None:
    """Refuse a number for a name that the dice do not have."""
    known = sorted(ExpressionSpec(expression).names()) if given else []
    for name in given:
        if name not in known:
            raise BadField(field, no_name(name[:40], known))


def no_name(name: str, known: list[str]) -> Message:
    """That there is no such name in dice."""
    missing = message("name.missing", name=f"@{name}")
    if known:
        return with_likeliest(missing, name, known)
    return message("name.write", said=missing, name=f"@{name}")


def variable(name: str, value: Json) -> int | Fraction:
    """A number for a name in dice: a whole one, or as it is written."""
    from rollwright.kit.checks import fraction_of

    if type(value) is int and abs(value) < LARGEST:
        return value
    found = fraction_of(value) if isinstance(value, str | float) else None
    if found is None:
        would_do = message("variable.do")
        raise BadField(f"variables.{name[:40]}", message("variable.none"), would_do=would_do)
    return found.numerator if found.denominator == 1 else found


def _request(about: RollSpecQuery) -> Request:
    from rollwright.kit.games import from_plain

    plain = about.request or {}
    return from_plain({**plain, "house": about.house} if about.house else plain)


def _request_of_draft(about: RollSpecQuery) -> Request:
    """The request that a draft makes, with the sheet where there is one."""
    from rollwright.kit.fields import made
    from rollwright.kit.forms import request_of
    from rollwright.kit.games import find_game

    game = find_game(about.game or "")
    sheet = None
    if about.sheet is not None:
        if game.sheet is None:
            problem = message("sheet.none", game=game.title)
            raise BadField("sheet", problem, would_do=message("would_do.none"))
        sheet = made(game.sheet, about.sheet, "sheet")
    house = made(game.house, about.house, "house") if about.house else None
    try:
        return request_of(game, about.draft or {}, sheet, house)
    except RollwrightError:
        raise
    except (TypeError, ValueError, LookupError, AttributeError):
        raise BadField("draft", message("draft.misfit")) from None


def read_transcript(plain: Json) -> Transcript:
    """A transcript that a stranger sent, replayed: of a request or an expression, nothing else.

    Rules in general take functions; strangers do not get to say which ones are called.
    """
    if not isinstance(plain, dict):
        raise BadTranscript("transcript", message("saved.no_roll"))
    if "request" not in plain and "expression" not in plain:
        raise BadTranscript("rule", message("saved.strange"))
    return Transcript.from_plain(plain)
