"""What a question is about: an expression, a request, a sheet with fields, or an open roll."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rollwright.budget import Budget
from rollwright.engine.transcript import Transcript
from rollwright.errors import BadField, BadTranscript, RollwrightError
from rollwright.kit.fields import made
from rollwright.kit.games import Game, find_game
from rollwright.kit.requests import Request, from_plain, to_plain

WAYS = ("expression", "request", "from_sheet", "transcript")
LONGEST_EXPRESSION = 4000
MOST_VARIABLES = 100


class Subject(NamedTuple):
    """Something to roll, count or advise on."""

    what: Any
    """A rule with its arguments, a request, or a transcript."""
    title: str
    request: Request | None = None

    @property
    def game(self) -> Game | None:
        """The game of the request, if there is one."""
        return None if self.request is None else find_game(self.request.game)

    @property
    def plain(self) -> dict[str, Any] | None:
        """The request as JSON data, if there is one."""
        return None if self.request is None else to_plain(self.request)

    def odds(self, policy: Any, budget: Budget, seat: str = "") -> Any:
        """The exact odds under a policy by name."""
        from rollwright.api import odds

        if self.game is None and policy:
            raise BadField("policy", "only the rolls of a game have policies", would_do="none")
        return odds(self.what, policy or None, seat=seat, budget=budget)


def subject_of(question: Mapping[str, Any]) -> Subject:
    """What a question asks about; it says so in exactly one way."""
    given = [way for way in WAYS if question.get(way) is not None]
    if len(given) != 1:
        came = " and ".join(given) or "nothing"
        raise BadField("request", f"{came} came", would_do="one of " + ", ".join(WAYS))
    subject: Subject = _READERS[given[0]](question)
    return subject


def _expression(question: Mapping[str, Any]) -> Subject:
    from rollwright.notation import compiled

    text = question["expression"]
    if not isinstance(text, str) or not text.strip():
        raise BadField("expression", "this is no text with dice in it", would_do="4d6kh3+2")
    if len(text) > LONGEST_EXPRESSION:
        raise BadField("expression", f"{len(text):,} signs are more than {LONGEST_EXPRESSION:,}")
    return Subject(compiled(text, _variables(question.get("variables"))), text)


def _variables(given: Any) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, dict) or len(given) > MOST_VARIABLES:
        raise BadField("variables", "these are no numbers by name", would_do='{"strength": 3}')
    return {str(name).lstrip("@"): _number(str(name), value) for name, value in given.items()}


def _number(name: str, value: Any) -> Any:
    from rollwright.kit.fields import written_fraction

    if type(value) is int and abs(value) < 10**15:
        return value
    found = written_fraction(str(value)) if isinstance(value, str | float) else None
    if found is None:
        raise BadField(f"variables.{name[:40]}", "this is no number", would_do="3 or '1/2'")
    return found.numerator if found.denominator == 1 else found


def _request(question: Mapping[str, Any]) -> Subject:
    plain = question["request"]
    if not isinstance(plain, dict):
        raise BadField("request", "this is no request", would_do='{"game": …, "roll": …}')
    house = question.get("house")
    return of_request(from_plain({**plain, "house": house} if house else plain))


def _from_sheet(question: Mapping[str, Any]) -> Subject:
    game = find_game(str(question.get("game", "")))
    fields = question["from_sheet"]
    if game.sheet is None or game.from_sheet is None:
        raise BadField("from_sheet", f"{game.title} has no sheets", would_do="a request")
    if not isinstance(fields, dict):
        raise BadField("from_sheet", "these are no fields by name", would_do='{"roll": …}')
    sheet = made(game.sheet, _object(question, "sheet"), "sheet")
    named = {name: value for name, value in fields.items() if name != "roll"}
    if house := question.get("house"):
        named["house"] = made(game.house, house, "house") if isinstance(house, dict) else house
    return of_request(_filled_in(game, sheet, str(fields.get("roll") or game.default_roll), named))


def _filled_in(game: Game, sheet: Any, roll: str, fields: dict[str, Any]) -> Request:
    """The request with what the sheet knows; whatever cannot be made is refused by name."""
    assert game.from_sheet is not None
    if "sheet" in fields:
        raise BadField("from_sheet.sheet", "the sheet stands beside the fields, not among them")
    try:
        return game.from_sheet(sheet, roll, **fields)
    except RollwrightError:
        raise
    except (TypeError, ValueError, LookupError, AttributeError):
        known = ", ".join(sorted(fields)[:12])
        raise BadField(
            "from_sheet", f"no {roll} roll can be made from the fields {known}"
        ) from None


def _object(question: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = question.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise BadField(name, "this is no JSON object")
    return value


def _transcript(question: Mapping[str, Any]) -> Subject:
    transcript = read_transcript(question["transcript"])
    if transcript.request is not None:
        return of_request(transcript.request)._replace(what=transcript)
    texts = [arg for arg in transcript.call.args if isinstance(arg, str)]
    return Subject(transcript, texts[0] if texts else repr(transcript.call))


def read_transcript(plain: Any) -> Transcript:
    """A transcript that a stranger sent, replayed: of a request or an expression, nothing else.

    Rules in general take functions; strangers do not get to say which ones are called.
    """
    if not isinstance(plain, dict):
        raise BadTranscript("transcript", "this is not a transcript")
    if "request" not in plain and "expression" not in plain:
        raise BadTranscript("rule", "only rolls of a game and of expressions are read here")
    return Transcript.from_plain(plain)


def of_request(request: Request) -> Subject:
    """A roll of a game."""
    from rollwright.cli.subjects import titled

    return Subject(request, titled(request), request)


_READERS: dict[str, Any] = {
    "expression": _expression,
    "request": _request,
    "from_sheet": _from_sheet,
    "transcript": _transcript,
}
