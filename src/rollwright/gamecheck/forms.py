"""Forms and sheets of a game: whole, of known parts, and whole still when something is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rollwright.errors import BadField, RollwrightError
from rollwright.gamecheck.report import CheckPart
from rollwright.gamecheck.samples import sheets_of, wrong_values
from rollwright.hooks import failed_hooks, messages_to_json
from rollwright.jsonable import canonical_json
from rollwright.kit.card import Person
from rollwright.kit.card.pages import sheet_to_json
from rollwright.kit.controls import UNSHOWN
from rollwright.kit.fields import Value, fields_of, made
from rollwright.kit.forms import form_of, request_of
from rollwright.kit.games import Game
from rollwright.kit.words import many

PURPOSES = ("ask", "explore")
"""Purposes of a form beside a roll of one's own."""
CONTROLS: dict[str, tuple[str, ...]] = {
    "pick": ("options",),
    "picks": ("options",),
    "number": ("value",),
    "numbers": (),
    "switch": (),
    "text": (),
    "parts": ("parts",),
    "group": ("form",),
    "note": ("text",),
    "jump": ("text", "draft"),
    "act": ("text", "effect"),
}
WIDGETS: dict[str, tuple[str, ...]] = {
    "track": ("value", "most"),
    "number": ("value",),
    "level": ("value", "options"),
    "flag": ("value",),
    "text": ("value",),
    "words": ("value",),
    "things": ("at",),
    "note": ("text",),
    "act": ("text", "effect"),
    "roll": ("begins",),
    "group": ("show",),
}
"""Required fields of each kind of widget."""
SEATED = ("Ann", "Bo", "Cy")
"""Who sits at the table where a form is tried; the last of them has no sheet."""
TEXTS = ("label", "help", "why", "text", "title", "note", "off", "add", "none", "empty", "group")
Shown = Callable[[str, Any], None]


def check_forms(game: Game, part: CheckPart, shown: Shown) -> None:
    """The form of every kind of roll with every sheet, and with each field refused in turn."""
    forms = refused = 0
    for roll in game.requests:
        for where, sheet in [("no sheet", None), *sheets_of(game)]:
            place = f"form of {roll} with {where}"
            with part.trying(place):
                base = form_of(game, {"roll": roll}, sheet, None)
                for purpose in PURPOSES:
                    form_of(game, {"roll": roll}, sheet, None, purpose=purpose)
                forms += 1 + len(PURPOSES)
                _check_controls(place, base["form"], part, shown)
                _check_first_draft(game, base["draft"], sheet)
                refused += _check_errors(game, roll, sheet, base, place, part)
        forms += _check_people(game, roll, part, shown)
    for name in failed_hooks(game):
        part.fault(name, "this part of the card fails, and the default is shown in its place")
    part.looked_at = f"{many(forms, 'form')}, and {refused} with a field that is refused"


def _check_people(game: Game, roll: str, part: CheckPart, shown: Shown) -> int:
    """The form of somebody who sits at a table with others, each of them picked for each part."""
    sheets: list[Value | None] = [sheet for _, sheet in sheets_of(game)]
    people = tuple(
        Person(f"@s{number}", name, sheet)
        for number, (name, sheet) in enumerate(zip(SEATED, [*sheets[-1:], *sheets[:1], None]), 2)
    )
    mine, shared = (sheets or [None])[-1], None if game.shared is None else game.shared()
    place, tried = f"form of {roll} among others", 0
    with part.trying(place):
        base = form_of(game, {"roll": roll}, mine, None, people, me=people[0], shared=shared)
        _check_controls(place, base["form"], part, _nobody_of(shown))
        tried += 1
        for control in all_of(base["form"]):
            at, _, role = str(control.get("at", "")).partition(".")
            for option in control.get("options", ()) if at == "roles" else ():
                where = f"{place}, {role} being {option.get('label')}"
                with part.trying(where):
                    tried += 1
                    _check_role(game, roll, mine, shared, people, (role, option), where, part)
    return tried


def _nobody_of(shown: Shown) -> Shown:
    """Return the same check, which skips the names of people."""
    return lambda where, text: None if text in SEATED else shown(where, text)


def _check_role(
    game: Game,
    roll: str,
    mine: Value | None,
    shared: Value | None,
    people: tuple[Person, ...],
    picked: tuple[str, dict[str, Any]],
    where: str,
    part: CheckPart,
) -> None:
    """Somebody in a part: what picking them writes is a draft that can be asked."""
    role, option = picked
    draft: dict[str, Any] = {"roll": roll, "roles": {role: option.get("value")}}
    for path, value in option.get("set", {}).items():
        into, _, name = path.partition(".")
        if "." not in name and value is not None:
            draft.setdefault(into, {})[name] = value
    answer = form_of(game, draft, mine, None, people, me=people[0], shared=shared)
    for name in draft.get("set", {}):
        wrong = [one for one in all_of(answer["form"]) if one.get("at") == f"set.{name}"]
        if reason := next((one["wrong"] for one in wrong if one.get("wrong")), None):
            part.fault(where, f"it sets {name} to what is refused: {game.words.say(reason)}")


def _check_first_draft(game: Game, draft: Mapping[str, Any], sheet: Value | None) -> None:
    """Check that a form's first draft makes a request, or is refused for a reason of the rules."""
    try:
        request_of(game, draft, sheet, None)
    except BadField as refusal:
        if refusal.field == "sheet":  # the author's `from_sheet` has failed
            raise
    except RollwrightError:
        return


def _check_errors(
    game: Game, roll: str, sheet: Value | None, base: dict[str, Any], place: str, part: CheckPart
) -> int:
    """Each field said wrongly: the form has all that it had, and says what is wrong."""
    tried = 0
    before = {control["at"] for control in all_of(base["form"]) if "at" in control}
    for name, about in fields_of(game.requests[roll]).items():
        if name in UNSHOWN:
            continue
        for wrong in wrong_values(about):
            where = f"{place}, {name} being {wrong!r}"
            with part.trying(where):
                tried += 1
                answer = form_of(game, {"roll": roll, "set": {name: wrong}}, sheet, None)
                if answer["can"] and f"set.{name}" in before and not isinstance(wrong, int):
                    part.fault(where, "it can be rolled all the same")
                elif not answer["can"] and not answer["why"]:
                    part.fault(where, "nothing says what is wrong")
                after = {control["at"] for control in all_of(answer["form"]) if "at" in control}
                if missing := before - after:
                    part.fault(where, f"the form has lost {', '.join(sorted(missing)[:4])}")
    return tried


def all_of(controls: list[Any]) -> Iterator[dict[str, Any]]:
    """Every control or widget, those within others too."""
    for control in controls:
        yield control
        yield from all_of(control.get("form", []) + control.get("show", []))
        for inner in (*control.get("parts", []), *control.get("rows", [])):
            yield from all_of(inner.get("form", []) + inner.get("show", []))


def _check_controls(place: str, controls: list[Any], part: CheckPart, shown: Shown) -> None:
    canonical_json(controls)
    for control in all_of(controls):
        _check_kind(place, control, "control", CONTROLS, part)
        _texts(control, shown)
        values = [option.get("value") for option in control.get("options", ())]
        if len({repr(value) for value in values}) < len(values):
            part.fault(place, f"{control.get('at')} offers something twice")


def _check_kind(
    place: str,
    control: dict[str, Any],
    word: str,
    known: Mapping[str, tuple[str, ...]],
    part: CheckPart,
) -> None:
    kind = str(control.get(word))
    if kind not in known:
        part.fault(place, f"there is no {word} {kind!r}; there are {', '.join(known)}")
        return
    for name in known[kind]:
        if name not in control:
            part.fault(place, f"a {kind} needs {name}: {control!r:.100}")


def _texts(held: Any, shown: Shown) -> None:
    """Every text of a control, and of what it offers."""
    for name in TEXTS:
        if held.get(name):
            shown(f"form {name}", held[name])
    for inner in (*held.get("options", ()), *held.get("parts", ()), *held.get("rows", ())):
        for name in (*TEXTS, "label"):
            if inner.get(name):
                shown(f"form {name}", inner[name])
        for chip in inner.get("chips", ()):
            shown("sheet chip", chip)


def check_sheets(game: Game, part: CheckPart, shown: Shown) -> None:
    """The widgets of every sheet, and the starters as sheets."""
    if game.sheet is None:
        part.looked_at = "the game has no sheets"
        return
    for number, starter in enumerate(game.card.starters, start=1):
        shown("starter", starter.name)
        try:
            made(game.sheet, starter.values)
        except RollwrightError as refusal:
            part.fault(f"starter {number}", f"it is no sheet: {refusal}")
    sheets = sheets_of(game)
    for where, sheet in sheets:
        with part.trying(f"the widgets of {where}"):
            for widget in all_of(messages_to_json(list(game.card.sheet(sheet)))):
                _check_kind(where, widget, "widget", WIDGETS, part)
                _texts(widget, shown)
                if at := widget.get("begins"):
                    form_of(game, at, sheet, None)
            canonical_json(sheet_to_json(game, sheet))
    starters = many(len(game.card.starters), "starter")
    part.looked_at = f"{many(len(sheets), 'sheet')} as widgets, {starters}"
