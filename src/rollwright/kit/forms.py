"""The form of a roll that is being made up: its controls, the request it makes, its first dice.

Nothing is counted here: a form is answered while a finger is on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from rollwright.engine.steps import ThrowStep
from rollwright.engine.transcript import Transcript
from rollwright.engine.values import value_to_json as value_plain
from rollwright.errors import LONGEST_WHY, BadField, RollwrightError, UnknownName
from rollwright.hooks import HookError, call_hook, messages_to_json, warnings
from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import canonical_json
from rollwright.kit.card import Asked, Draft, Person
from rollwright.kit.card.endings import title_text
from rollwright.kit.card.marks import marks_read
from rollwright.kit.card.pages import Pieces, pieces_to_json
from rollwright.kit.card.paths import path_of, reached
from rollwright.kit.card.shapes import digest, text_digest
from rollwright.kit.checks import check_many
from rollwright.kit.controls import Control, fields_form, note
from rollwright.kit.fields import Value, fields_of
from rollwright.kit.games import Game
from rollwright.kit.requests import Request, to_plain
from rollwright.kit.words import format_die

LARGEST_DRAFT = 48_000
"""Bytes that what a roll starts with may take."""
MOST_REFUSED = 12
"""So many fields of a draft may be wrong; then the rest is not looked at."""


def in_short(answer: dict[str, Any], known: str) -> dict[str, Any]:
    """Return an answer without the form if the client has it already."""
    return answer | {"form": None} if answer["hash"] == known else answer


def first_request(
    game: Game,
    draft: Mapping[str, Any],
    sheet: Value | None,
    house: Value | None,
    people: tuple[Person, ...] = (),
    *,
    me: Person | None = None,
    shared: Value | None = None,
) -> Request | None:
    """The request that a draft begins with, as its form has it; None where something is missing."""
    asked = _form_context(game, draft, sheet, house, shared)
    asked = _effective(_with_start(replace(asked, people=people, me=me)))
    return None if asked.wrong else asked.request


def form_of(
    game: Game,
    draft: Mapping[str, Any],
    sheet: Value | None,
    house: Value | None,
    people: tuple[Person, ...] = (),
    purpose: str = "roll",
    *,
    me: Person | None = None,
    shared: Value | None = None,
) -> dict[str, Any]:
    """The form of a draft; one that is refused still has one, with the refusal at its control."""
    asked = _form_context(game, draft, sheet, house, shared)
    asked = _effective(_with_start(replace(asked, people=people, purpose=purpose, me=me)))
    request = asked.request
    controls = call_hook(game, "form", lambda asked: fields_form(asked), asked, shown=_controls)
    failing = [note(warning, "bad") for warning in warnings(game)]
    shown = [*messages_to_json(failing), *controls.shown]
    why = next(iter(asked.wrong.values()), None)
    answer: dict[str, Any] = {
        "hash": digest(shown) if failing else text_digest(controls.text),
        "form": shown,
        "draft": {"roll": asked.roll, "pick": asked.pick, "set": asked.set},
        "request": None if request is None else to_plain(request, whole=True),
        "title": "",
        "can": request is not None and not asked.wrong,
        "why": messages_to_json(why),
        "rule": asked.rule,
        "dice": None,
        "pool": None,
        "marks": {},
        "marks_hash": "",
    }
    if purpose == "ask":
        fit = fitting(game, draft, sheet, house, shared=shared)
        answer |= {"fits": fit.draft, "lacks": list(fit.lacks)}
    if request is None:
        return answer
    return answer | _lying(request)


def _controls(given: Sequence[Control]) -> Pieces:
    return pieces_to_json(given, "control", "form")


def _lying(request: Request) -> dict[str, Any]:
    """Return the data of a request that can be rolled: its title, its first dice, their marks."""
    try:
        step = Transcript(request.call(), request=request).step
    except RollwrightError as problem:
        return {"can": False, "why": str(problem)}
    except Exception as problem:  # somebody's rule; `rollwright check` shows its lines
        fails = msg("form.broken", problem=f"{type(problem).__name__}: {problem}"[:LONGEST_WHY])
        return {"can": False, "why": messages_to_json(fails)}
    marks, marks_hash = marks_read(request)
    found: dict[str, Any] = {
        "title": title_text(request),
        "marks": marks,
        "marks_hash": marks_hash,
    }
    if isinstance(step, ThrowStep):
        dice = [format_die(die) for die in step.pool.dice]
        found |= {"dice": dice, "pool": value_plain(step.pool)}
    return found


def request_of(
    game: Game,
    draft: Mapping[str, Any],
    sheet: Value | None,
    house: Value | None,
    *,
    shared: Value | None = None,
    people: tuple[Person, ...] = (),
) -> Request:
    """The request that a draft makes, or a refusal that names the field.

    Nothing is added to the draft: what a roll starts with is for forms, and they say it. Of the
    `people` who play a part in it the roll may read their sheets.
    """
    return _fill(replace(_form_context(game, draft, sheet, house, shared), people=people))


class Fit(NamedTuple):
    """A draft that somebody is asked for, as it fits their sheet."""

    draft: Mapping[str, Any] | None
    """None if the sheet cannot roll it: the player chooses what to roll."""
    lacks: tuple[str, ...] = ()
    """Names that the sheet does not have; with a draft, the roll does without."""


def fitting(
    game: Game,
    draft: Mapping[str, Any],
    sheet: Value | None,
    house: Value | None,
    *,
    shared: Value | None = None,
) -> Fit:
    """Return the draft of an ask, without what the sheet lacks if the roll does without."""
    asked = _form_context(game, draft, sheet, house, shared)
    lacks: list[str] = []
    untrained = game.card.roll(asked.roll).untrained
    while True:
        try:
            _fill(asked)
        except (BadField, UnknownName) as problem:
            place = _where(asked, problem)
            part, _, path = place.partition(".")
            named = reached(asked.kept[part], path) if path else None
            if path in untrained or (part == "pick" and not _stands_on(sheet, named)):
                lacks.append(str(named))
            if path not in untrained:
                return Fit(None, tuple(lacks))
            asked = asked.without(place)
        except RollwrightError:
            return Fit(None, tuple(lacks))
        else:
            return Fit({**draft, **asked.kept}, tuple(lacks))


def _stands_on(sheet: Value | None, name: Any) -> bool:
    """Whether a sheet has it by this name: something on it, or a field of its own."""
    plain = None if sheet is None else to_plain(sheet, whole=True)
    return any(name == held or name in path.split(".") for path, held in _leaves(plain))


def _where(asked: Asked, problem: BadField | UnknownName) -> str:
    """Return the path in the draft of refused input; empty if nobody typed it."""
    if isinstance(problem, BadField):
        return _place(asked, path_of(problem))
    return _path_to_name(asked, problem)


def _fill(asked: Asked) -> Request:
    """The request of a draft. Lists that are too long are refused before a game goes over them."""
    for name, about in fields_of(asked.kind).items():
        for part in asked.kept.values():
            held = part.get(name)
            if about.kind == "list" and isinstance(held, list):
                check_many(about, held)
    return call_hook(asked.game, "fill", Asked.filled, asked, shown=partial(_request, asked.game))


def _request(game: Game, found: object) -> Request:
    if not isinstance(found, Request) or found.game != game.name:
        raise HookError(f"{type(found).__name__} is no request of {game.name}")
    return found


def _form_context(
    game: Game,
    draft: Mapping[str, Any],
    sheet: Value | None,
    house: Value | None,
    shared: Value | None,
) -> Asked:
    unknown = [name for name in draft if name not in ("roll", "pick", "set", "roles")]
    if unknown:
        none = Message("field.unknown")
        raise BadField(f"draft.{unknown[0][:40]}", none, would_do="roll, pick, set, roles")
    roll = draft.get("roll") or game.default_roll
    if roll not in game.requests:
        raise UnknownName("roll", str(roll), game.requests)
    said = {"pick": _as_on(sheet, game, _object(draft, "pick")), "set": _object(draft, "set")}
    knows = sheet is not None and call_hook(
        game, "knows", lambda roll, sheet: True, roll, sheet, shown=bool
    )
    return Asked(
        game=game,
        kind=game.requests[roll],
        said=said,
        kept=said,
        sheet=sheet if knows else None,
        whole_sheet=sheet,
        shared=game.shared() if shared is None and game.shared else shared,
        roles=_object(draft, "roles"),
        house=house,
    )


def _as_on(sheet: Value | None, game: Game, pick: dict[str, Any]) -> dict[str, Any]:
    """Return the picked values by their names on the sheet, in any language."""
    names = [] if sheet is None else _names_on(sheet)
    known = {game.words.known_as(name): name for name in reversed(names)} | {n: n for n in names}

    def to_text(held: Any) -> Any:
        if isinstance(held, Mapping):  # picks from other people's sheets keep their names
            return {n: part if n[:1] == "@" else to_text(part) for n, part in held.items()}
        if isinstance(held, list):
            return [to_text(part) for part in held]
        if not isinstance(held, str):
            return held
        return known.get(held) or known.get(game.words.known_as(held), held)

    return {name: to_text(held) for name, held in pick.items()} if known else pick


def _names_on(sheet: Value) -> list[str]:
    lists = [getattr(sheet, field) for field in fields_of(type(sheet))]
    things = [thing for held in lists if isinstance(held, tuple) for thing in held]
    return [thing.name for thing in things if isinstance(getattr(thing, "name", None), str)]


def _with_start(asked: Asked) -> Asked:
    """The same with what the roll starts with."""
    return replace(asked, first=call_hook(asked.game, "start", _first, asked, shown=_draft))


def _first(asked: Asked) -> Draft:
    """Return the draft that a roll starts with, without any input."""
    usual = lambda roll, sheet: Draft()  # noqa: E731
    pick, set_ = call_hook(
        asked.game, "first", usual, asked.roll, asked.sheet, shown=_draft
    ).values()
    return Draft(pick, set_)


def _draft(found: Draft) -> dict[str, Mapping[str, Any]]:
    """Return the parts of a first draft, as a page can send it again."""
    said = {"pick": found.pick, "set": found.set}
    if not all(isinstance(part, Mapping) for part in said.values()):
        raise HookError("that is no draft of what is picked and what is set")
    if len(canonical_json(messages_to_json(said))) > LARGEST_DRAFT:
        raise HookError("that is more than a draft holds")
    return said


def _object(draft: Mapping[str, Any], part: str) -> dict[str, Any]:
    held = draft.get(part) or {}
    if not isinstance(held, Mapping):
        no_object = Message("field.object")
        raise BadField(f"draft.{part}", no_object, would_do='{"field": value}')
    return dict(held)


def _effective(asked: Asked) -> Asked:
    """The draft without what is refused of it, with each refusal at its place."""
    wrong: dict[str, str | Message] = {}
    rule = ""
    for _ in range(MOST_REFUSED):
        try:
            request = _fill(asked)
        except BadField as problem:
            path = path_of(problem)
            place = _place(asked, path)
            rule = rule if wrong else problem.rule
            wrong[place or f"set.{path}"] = problem_text(problem)
            if not place:
                break
            whole = place.rstrip(".0123456789")  # a list that has something wrong in it goes whole
            wrong[whole] = wrong[place]
            asked = _with_start(asked.without(whole))
        except RollwrightError as problem:
            place = _path_to_name(asked, problem) if isinstance(problem, UnknownName) else ""
            wrong[place] = problem.wording
            if not place:
                break
            asked = _with_start(asked.without(place))
        else:
            return replace(asked, request=request, wrong=wrong, rule=rule)
    return replace(asked, wrong=wrong, rule=rule)


def _place(asked: Asked, path: str) -> str:
    """Return the path in the draft of a refused field; empty if nobody typed it."""
    while path:
        for part in ("set", "pick"):
            if reached(asked.kept[part], path, ...) is not ...:
                return f"{part}.{path}"
        path = path.rpartition(".")[0]
    return ""


def _path_to_name(asked: Asked, problem: UnknownName) -> str:
    """Return the path in the draft of an unknown name; empty if it is not there."""
    for part in ("pick", "set"):
        for path, held in _leaves(asked.kept[part]):
            if held == problem.name and path.rpartition(".")[2] == problem.kind:
                return f"{part}.{path}"
    return ""


def _leaves(held: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Everything in a draft that holds nothing else, with its path."""
    if not isinstance(held, Mapping | list):
        yield path, held
        return
    parts = held.items() if isinstance(held, Mapping) else enumerate(held)
    for name, part in parts:
        yield from _leaves(part, f"{path}.{name}" if path else str(name))


def problem_text(problem: BadField) -> str | Message:
    """A refusal as its control says it: without the name of the field and of the rule."""
    if not problem.remedy:
        return problem.reason
    return msg("refusal.do", said=problem.reason, would_do=problem.remedy)
