"""Checks of acts: that an event is what was signed, and reads what its device had seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rollwright.jsonable import Json, JsonObject, canonical_json
from rollwright.kit.shared import TABLE
from rollwright.table.commands.roll_specs import WAYS, translate_dice
from rollwright.table.errors import CodedError
from rollwright.table.events import OPEN
from rollwright.table.rolls import RollRequest
from rollwright.table.schemas import SignedCommand
from rollwright.table.sheets import HOUSE
from rollwright.table.verify.chain import fields
from rollwright.table.verify.permissions import VerifierState

SAME = ("roll", "index", "commitments", "asked")
"""Fields of commands that are in their events as they were signed."""
CONTINUE_KINDS = ("roll.throw", "roll.enter", "roll.choose", "roll.take_back")
"""Commands that are about what a roll waits for, as their devices had seen it."""
KIND = ("game", "roll")
"""Fields by which a request says what kind of roll it is."""
AGAIN: dict[str, Json] = {
    "by": "",
    "visibility": OPEN,
    "announce": True,
    "physical": False,
    "goal": "",
    "policy": "",
    "bound": False,
    "each": False,
    "away": [],
    "roles": {},
    "draft": None,
}
"""Fields that a repeated roll takes from the one before, with their defaults."""


class IntentChecker:
    """Checks that events are what was signed for them."""

    def __init__(self, so_far: VerifierState) -> None:
        self._so_far = so_far
        self._begun: dict[str, Mapping[str, Json]] = {}
        """The beginnings of rolls, by their names."""

    def begin(self, body: Mapping[str, Json]) -> None:
        """Take note of the beginning of a roll: it may be made again."""
        self._begun.setdefault(str(body.get("roll")), body)

    def differs(self, kind: str, body: Mapping[str, Json], call: SignedCommand) -> str:
        """The field of an event that is not what was signed; empty where there is none."""
        command = fields(call["command"])
        do = command.get("do")
        if do == "roll.start":
            return self._start_differs(body, command) or self._late_part(body, call)
        if do == "roll.repeat":
            same = command.get("roll") == body.get("again")
            return (self.again_differs(body) if same else "again") or self._late_part(body, call)
        for name in SAME:
            is_said = command.get(name) is not None and name in body
            if is_said and canonical_json(command[name]) != canonical_json(body[name]):
                return name
        if do in CONTINUE_KINDS and self._went_at(body) > call["seen"]:
            return "roll"
        if do == "roll.choose" and command.get("option") is not None:
            return (
                ""
                if canonical_json(command["option"]) == canonical_json(body.get("option"))
                else "option"
            )
        if do == "witness.reveal":
            if command.get("number") != body.get("number"):
                return "number"
            asked = body.get("asked")
            return "asked" if type(asked) is int and asked > call["seen"] else ""
        if do == "seat.move":
            return _move_differs(body, command)
        if kind == "roll.thrown" and (body.get("how") == "typed") != (do == "roll.enter"):
            return "how"
        return ""

    def _went_at(self, body: Mapping[str, Json]) -> int:
        """Return the last event after which a roll waits for what it waits for now."""
        roll = self._so_far.state.roll(str(body.get("roll")))
        return 0 if roll is None else roll.went_at

    def again_differs(self, body: Mapping[str, Json]) -> str:
        """The same of a roll that is made again: it is as the one before."""
        before = self._begun.get(str(body.get("again")))
        if before is None:
            return "" if self._so_far.may_lack(body) else "again"
        for name, unsaid in AGAIN.items():
            if canonical_json(body.get(name, unsaid)) != canonical_json(before.get(name, unsaid)):
                return name
        if body.get("ask") or body.get("note"):
            return "ask" if body.get("ask") else "note"
        is_gone = not body.get("sheet") and self._is_absent(before.get("sheet"))
        if body.get("sheet") != before.get("sheet") and not is_gone:
            return "sheet"
        what, old = fields(body.get("what")), fields(before.get("what"))
        if what.keys() != old.keys() or what.get("expression") != old.get("expression"):
            return "what"
        is_known = before.get("version") == body.get("version")
        if body.get("draft") is not None or not is_known:  # what the sheet says now is checked
            return ""
        return "" if _without_house_rules(body) == _without_house_rules(before) else "what"

    def _is_absent(self, name: Json) -> bool:
        sheet = self._so_far.state.sheets.get(str(name))
        return sheet is None or sheet.removed

    def _start_differs(self, body: Mapping[str, Json], command: JsonObject) -> str:
        """Return the first field of a roll's start that is not as signed."""
        if fields(command.get("note")).get("seal") != fields(body.get("note")).get("seal"):
            return "note"
        if (command.get("ask") or "") != body.get("ask"):
            return "ask"
        if body.get("again") is not None:
            return "again"
        what, by = fields(body.get("what")), str(body.get("by"))
        if "expression" in what and body.get("version"):  # which has none
            return "version"
        each = command.get("each") is True and "request" in what
        if body.get("each", False) is not each:
            return "each"
        away = command.get("away") if each else None
        if canonical_json(body.get("away") or []) != canonical_json(away or []):
            return "away"
        return (
            self._secrecy_differs(body, command)
            or self._sheet_differs(what, by, command, body)
            or self._spec_differs(body, command)
        )

    def _secrecy_differs(self, body: Mapping[str, Json], command: JsonObject) -> str:
        """Return the field by which a roll is more or less secret than was said or asked for."""
        visibility = command.get("visibility") or OPEN
        announced = command.get("announce") is not False
        if command.get("ask"):
            ask = self._so_far.state.asks.get(str(command["ask"]))
            if ask is None:  # which is told elsewhere, or hidden from us
                return ""
            visibility, announced = ask.visibility, ask.announce or ask.visibility == OPEN
        if visibility != body.get("visibility"):
            return "visibility"
        return "" if announced is body.get("announce") else "announce"

    def _sheet_differs(
        self, what: JsonObject, by: str, command: JsonObject, body: Mapping[str, Json]
    ) -> str:
        own = self._so_far.state.sheets.get(by)
        meant = command.get("sheet") or (by if own is not None and not own.removed else "")
        if "expression" in what:
            meant = ""
        return "" if meant == body.get("sheet") or not self._so_far.is_whole else "sheet"

    def _spec_differs(self, body: Mapping[str, Json], command: JsonObject) -> str:
        """Return the first field of the roll itself that is neither as signed nor as asked for."""
        name = command.get("ask")
        ask = self._so_far.state.asks.get(str(name)) if name else None
        if name and ask is None:
            return "" if self._so_far.may_lack(body) else "ask"
        try:
            asked = self._spec_of(command, ask)
        except CodedError:
            return "expression"
        told = {
            "physical": asked.get("physical", False),
            "goal": asked.get("goal", ""),
            "policy": asked.get("policy", ""),
            "roles": asked.get("roles", {}),
            "bound": ask is not None and ask.has_policy,
        }
        unsaid: dict[str, Json] = {"policy": "", "bound": False}
        for field, meant in told.items():
            if canonical_json(body.get(field, unsaid.get(field))) != canonical_json(meant):
                return field
        what = fields(body.get("what"))
        if what.get("expression") != asked.get("expression"):
            return "expression"
        if ("request" in asked or "draft" in asked) != ("request" in what):
            return "request"
        said, rolled = fields(asked.get("request")), fields(what.get("request"))
        if any(said.get(name) not in (None, rolled.get(name)) for name in KIND):
            return "request"
        draft, written = asked.get("draft"), body.get("draft")
        own, by = self._so_far.own_name(body), body.get("by")

        def is_person(text: str) -> bool:
            at = text.startswith("@") and self._so_far.is_somebody(text[1:], by)
            return at or text == own != ""

        return "" if _is_same_draft(draft, written, is_person, is_part=ask is not None) else "draft"

    def _spec_of(self, command: JsonObject, ask: RollRequest | None) -> JsonObject:
        own = _spec_forms(command)
        if isinstance(own.get("expression"), str):
            dialect = str(command.get("dialect") or "").strip()
            expression = {"expression": str(own["expression"]).strip()}
            translated = translate_dice(self._so_far.state, expression, dialect)  # type: ignore[arg-type]
            own["expression"] = translated["expression"]
        said = dict(own)
        if roles := command.get("roles") or fields(command.get("draft")).get("roles"):
            said["roles"] = roles
        if command.get("physical") is True:
            said["physical"] = True
        for name in ("goal", "policy"):
            if text := str(command.get(name) or "").strip():
                said[name] = text
        if ask is None:
            return said
        held: JsonObject = dict(ask.roll)  # type: ignore[arg-type]
        kept: JsonObject = {"policy": held["policy"]} if ask.has_policy else {}
        if own:
            return {**said, **kept}
        if "roles" in held:
            kept["roles"] = held["roles"]
        return {**held, **said, **kept}

    def _late_part(self, body: Mapping[str, Json], call: SignedCommand) -> str:
        """Return what a roll reads that changed after the last event that its device had seen.

        Otherwise the seat that changed it knew the number of the call, and would choose the dice.
        """
        state, seen, command = self._so_far.state, call["seen"], fields(call["command"])
        if not self._so_far.is_whole:
            return ""
        ask = state.asks.get(str(command.get("ask")))
        if ask is not None and ask.seq > seen:
            return "ask"
        if "expression" in fields(body.get("what")):
            is_spelled = command.get("expression") is not None and not command.get("dialect")
            return "dialect" if is_spelled and state.dialect_changed > seen else ""
        if state.house_changed > seen:
            return "house"
        if body.get("draft") is None:
            return ""
        before = self._begun.get(str(body.get("again")), {})
        meant = body.get("sheet") or command.get("sheet") or before.get("sheet") or body.get("by")
        read = [state.sheets.get(str(meant)), state.sheets.get(TABLE)]
        return "sheet" if any(one is not None and one.changed > seen for one in read) else ""


def _spec_forms(command: JsonObject) -> JsonObject:
    """Return the roll as its command gives it."""
    return {way: command[way] for way in WAYS if command.get(way) is not None}


def _without_house_rules(body: Mapping[str, Json]) -> bytes:
    what = fields(body.get("what"))
    if "request" in what:
        request = fields(what["request"])
        return canonical_json({name: held for name, held in request.items() if name != HOUSE})
    return canonical_json(what)


def _move_differs(body: Mapping[str, Json], command: JsonObject) -> str:
    device = fields(body.get("device"))
    if (command.get("key") or "") != device.get("key", ""):
        return "key"
    if device and str(command.get("held") or "").strip() != device.get("held", ""):
        return "held"
    if (command.get("keep_old") is True) is not body.get("keep_old"):
        return "keep_old"
    return "" if (command.get("seat") or body.get("by")) == body.get("seat") else "seat"


def _is_same_draft(
    said: Json, written: Json, is_person: Callable[[str], bool], *, is_part: bool = False
) -> bool:
    """Whether a draft is the one that was signed, with people in the place of their names.

    The rules tell whether those are whom somebody said. Of one that answers an ask, what the sheet
    lacks may be left out.
    """
    if isinstance(said, dict) and isinstance(written, dict):
        same = said.keys() >= written.keys() if is_part else said.keys() == written.keys()
        return same and all(
            _is_same_draft(said[name], written[name], is_person, is_part=is_part)
            for name in written
        )
    if isinstance(said, list) and isinstance(written, list):
        same = len(said) == len(written)
        return same and all(_is_same_draft(one, two, is_person) for one, two in zip(said, written))
    if isinstance(said, str) and isinstance(written, str) and not said.startswith("@"):
        return said == written or is_person(written)
    return canonical_json(said) == canonical_json(written)
