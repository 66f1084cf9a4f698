"""Checks of what an event leads to: the changes of sheets that the rules make, and no others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rollwright.i18n.messages import Message, msg
from rollwright.jsonable import Json, JsonObject, canonical_json
from rollwright.kit.schemas import schema_of
from rollwright.table.commands.roll_specs import fit_draft, repeat_spec, start_of
from rollwright.table.effects import (
    EffectResult,
    Ending,
    needs_consent,
    session_effects,
    settle_effects,
    waiting_sheets,
)
from rollwright.table.errors import WITHIN, CodedError, cut
from rollwright.table.events import SEALED
from rollwright.table.mentions import holds_typed_names, last_naming, resolve_people
from rollwright.table.schemas import Changes, ResolvedRoll, SheetEffectData
from rollwright.table.sheets import Sheet, kind_of_sheet, undo_changes
from rollwright.table.verify.chain import LogRow, fields
from rollwright.table.verify.entries import EFFECT, RollRow, RollTrace, comparable_bytes, effects_in
from rollwright.table.verify.permissions import VerifierState, sheets_in
from rollwright.table.verify.report import Findings

COMPARED = (*EFFECT, "sheet", "applied", "waits")
"""Fields of an effect that are compared; its description is not."""

EFFECT_KINDS = ("roll.revealed", "roll.applied", "roll.declined")
"""Kinds of events after which effects wait no more."""


class DueChange(NamedTuple):
    """A change of a sheet that has to come next."""

    sheet: str
    changes: Changes
    cause: str
    """`roll`, `undo` or `session`."""
    of: Json
    """Which roll, change or session."""
    effects: list[SheetEffectData] | None = None

    @property
    def description(self) -> Message | str:
        """The cause, for a sentence."""
        if self.cause == "roll":
            return str(self.of)
        if self.cause == "undo":
            return msg("verify.undo", seq=str(self.of))
        return msg("verify.session")


class EffectChecker:
    """The changes of sheets that are due, found as live play finds them."""

    def __init__(
        self,
        findings: Findings,
        so_far: VerifierState,
        followed: Callable[[object], RollTrace | None],
    ) -> None:
        self._findings = findings
        self._so_far = so_far
        self._followed = followed
        self._due: list[DueChange] = []
        self._let: set[tuple[str, str]] = set()
        """Rolls with the sheets of others that they were let change."""
        self._last = 0

    def meet(self, row: LogRow, kind: str) -> None:
        """Check that an event is the change that is due, or that none is."""
        if self._so_far.is_whole and row.body is not None and kind == "sheet.changed":
            self._check_leave(row, row.body)
        if not self._so_far.is_whole:
            self._due.clear()
        elif row.body is None:
            if row.kind not in (SEALED, "sheet.changed"):  # a change of a sheet that is hidden
                self.finish()
        elif self._due and kind == "sheet.changed" and self._is_next(row.body):
            self._compare(row, row.body, self._due.pop(0))
        else:
            self.finish()
            if kind == "sheet.changed":
                self._meet_another(row, row.body)
        self._last = row.seq

    def _check_leave(self, row: LogRow, body: Mapping[str, Json]) -> None:
        """Check that nobody's roll changed a sheet of somebody else who did not let it."""
        cause, state = body.get("cause"), self._so_far.state
        name = str(cause.get("roll")) if isinstance(cause, dict) else ""
        roll, sheet = state.rolls.get(name), state.sheets.get(str(body.get("sheet")))
        if roll is None or sheet is None or (name, sheet.id) in self._let:
            return
        if needs_consent(state, roll, sheet):
            say = msg("verify.unlet", roll=name, by=roll.by, owner=sheet.owner)
            self._findings.problem(row.seq, "forbidden act", say)

    def _is_next(self, body: Mapping[str, Json]) -> bool:
        due, cause = self._due[0], body.get("cause")
        caused = isinstance(cause, dict) and cause.get(due.cause) == due.of
        return caused and body.get("sheet") == due.sheet

    def finish(self) -> None:
        """Note the events that are due and have not come."""
        for due in self._due[:1]:
            say = msg("verify.due", cause=due.description, sheet=due.sheet)
            self._findings.problem(self._last, "dropped event", say)
        self._due.clear()

    def _compare(self, row: LogRow, body: Mapping[str, Json], due: DueChange) -> None:
        if canonical_json(body.get("changes")) != canonical_json(due.changes):
            say = msg("verify.otherwise", cause=due.description, sheet=due.sheet)
            self._findings.problem(row.seq, "altered sheet", say)
        elif due.effects is not None and (
            comparable_bytes(effects_in(body["cause"]), COMPARED)
            != comparable_bytes(due.effects, COMPARED)
        ):
            say = msg("verify.effects.sheet", cause=due.description, sheet=due.sheet)
            self._findings.problem(row.seq, "altered sheet", say)

    def _meet_another(self, row: LogRow, body: Mapping[str, Json]) -> None:
        """Check a change that does not follow from the event before it."""
        cause = body.get("cause")
        if not isinstance(cause, dict) or "hand" in cause:
            return
        if "undo" in cause:
            self._meet_undo(row, body, cause["undo"])
        elif "roll" not in cause or not self._excuses(cause["roll"]):
            say = msg("verify.unchanged", sheet=str(body.get("sheet"))[:20])
            self._findings.problem(row.seq, "forged event", say)

    def _excuses(self, name: Json) -> bool:
        """Check whether a roll's effects are unknown: it is secret, or its rules are not here."""
        roll = self._followed(name)
        return self._so_far.has_secrets if roll is None else roll.replay is None

    def _meet_undo(self, row: LogRow, body: Mapping[str, Json], seq: Json) -> None:
        state = self._so_far.state
        if type(seq) is not int or (change := state.changes.get(seq)) is None:
            if not self._so_far.has_secrets:
                say = msg("verify.undo.none", seq=str(seq)[:20])
                self._findings.problem(row.seq, "forged event", say)
        elif self._is_final(seq) or change.sheet != body.get("sheet"):
            say = msg("verify.undo.twice", seq=str(seq))
            self._findings.problem(row.seq, "forged event", say)
        elif self._knows(self._so_far.knows_sheets):
            self._compare(
                row, body, DueChange(change.sheet, undo_changes(state, seq)[0], "undo", seq)
            )

    def _is_final(self, seq: int) -> bool:
        """Whether a change cannot be taken back any more."""
        state = self._so_far.state
        sheet = state.sheets[state.changes[seq].sheet]
        return seq in state.undone or sheet.removed or seq < sheet.made

    def follow(self, told: RollRow) -> None:
        """Find what must follow an event, on the sheets as they are before it."""
        if not self._so_far.is_whole:
            return
        late = self._decided_sheets(told) if told.kind in EFFECT_KINDS else []
        name, known = str(told.body.get("roll")), self._so_far.knows_sheets
        if late and told.kind != "roll.declined":
            if self._knows(known):
                self._find_late(name, late)
        elif told.kind == "roll.undone" or self._reopens(told):
            roll = self._so_far.state.rolls.get(name)
            if roll is not None and roll.changes and self._knows(known):
                self._find_undo(name)
        elif told.kind == "session.ended":
            if told.body.get("number") != self._so_far.state.session:
                say = msg("verify.session.number", n=self._so_far.state.session)
                self._findings.problem(told.row.seq, "forged event", say)
            game = self._so_far.game
            is_renewed = self._so_far.state.game and (game is None or game.new_session is not None)
            if is_renewed and self._knows(known):
                self._find_session(told.body.get("number"))

    def _knows(self, known: bool) -> bool:
        """Return whether it is known what must happen to sheets, and count where it is not."""
        self._findings.count("effects not checked", not known)
        return known

    def _reopens(self, told: RollRow) -> bool:
        """Whether a roll goes on that had ended by what was agreed."""
        roll = self._so_far.state.rolls.get(str(told.body.get("roll")))
        return told.kind == "roll.taken_back" and roll is not None and not roll.is_open

    def _decided_sheets(self, told: RollRow) -> list[str]:
        """The sheets on which something of a roll does not wait any more; checked first."""
        state, name = self._so_far.state, str(told.body.get("roll"))
        roll, sheets = state.rolls.get(name), sheets_in(told.body.get("sheets"))
        if roll is None:
            return []
        known = [sheet for sheet in sheets if sheet in state.sheets]
        waiting = waiting_sheets(state, roll)
        if told.kind == "roll.revealed":
            is_right = known == [s.id for s in waiting if not needs_consent(state, roll, s)]
        else:
            is_right = bool(sheets) and set(known) <= {sheet.id for sheet in waiting}
            self._let |= {(name, sheet) for sheet in known if told.kind == "roll.applied"}
        if not is_right or not set(sheets) <= set(roll.waits):
            say = msg("verify.waited", roll=name[:20])
            self._findings.problem(told.row.seq, "forged event", say)
        return known

    def _find_late(self, name: str, sheets: list[str]) -> None:
        """Find the effects of a roll that waited until now."""
        roll, ended = self._so_far.state.rolls.get(name), self._ending_of(name)
        if roll is not None and ended is not None:
            self._find(name, settle_effects(self._so_far.state, roll, ended, late=sheets))

    def _find_undo(self, name: str) -> None:
        state = self._so_far.state
        roll = state.rolls.get(name)
        for seq in reversed(roll.changes if roll is not None else ()):
            changes = {} if self._is_final(seq) else undo_changes(state, seq)[0]
            if changes:
                self._due.append(DueChange(state.changes[seq].sheet, changes, "undo", seq))

    def _find_session(self, number: Json) -> None:
        state, game = self._so_far.state, self._so_far.game
        if game is None or game.new_session is None:
            return
        for sheet in state.sheets.values():
            if not sheet.removed:
                for name, changes in session_effects(state, game, sheet).sheets.items():
                    self._due.append(DueChange(name, changes, "session", number))

    def _find(self, name: str, done: EffectResult) -> None:
        for sheet, changes in done.sheets.items():
            self._due.append(DueChange(sheet, changes, "roll", name, done.on(sheet)))

    def end(self, told: RollRow) -> None:
        """Find the effects of a roll that has just ended, and compare them with the event's."""
        name = str(told.body.get("roll"))
        roll, ended = self._so_far.state.rolls.get(name), self._ending_of(name)
        if not self._so_far.is_whole or roll is None or ended is None:
            return
        done = settle_effects(self._so_far.state, roll, ended)
        self._find(name, done)
        if not self._lists_effects(told.after, done):
            self._findings.problem(told.row.seq, "altered outcome", msg("verify.effects.other"))

    def _ending_of(self, name: str) -> Ending | None:
        roll = self._followed(name)
        return None if roll is None or roll.replay is None else roll.replay.ending

    def _lists_effects(self, after: Json, done: EffectResult) -> bool:
        """Check whether a roll lists its effects as they are, except those on hidden sheets."""
        told, sheets = effects_in(after), self._so_far.state.sheets
        waits = [sheet for sheet in sheets_in(fields(after).get("waits")) if sheet in sheets]
        if len(told) != len(done.audible_effects) or waits != done.waiting_sheets:
            return False
        return all(
            self._is_elsewhere(one, other)
            or comparable_bytes([one], COMPARED) == comparable_bytes([other], COMPARED)
            for one, other in zip(told, done.audible_effects, strict=True)
        )

    def _is_elsewhere(self, told: JsonObject, found: SheetEffectData) -> bool:
        """Whether an effect may be for a sheet that is hidden from us."""
        name = told.get("sheet")
        unknown = name not in self._so_far.state.sheets
        return not found["sheet"] and unknown and self._so_far.may_hide(name)


CAUSES = frozenset(("hand", "roll", "session", "undo"))
"""What a sheet may be changed by; every change has one of them."""


class SheetChecker:
    """The sheets of a table, compared with what events say of them."""

    def __init__(self, findings: Findings, so_far: VerifierState) -> None:
        self._findings = findings
        self._so_far = so_far

    def check_openness(self, row: LogRow, kind: str, body: Mapping[str, Json]) -> None:
        """Check that nothing happens in secret to a sheet that everybody may see.

        The next open change would show what the sheet was before, and so reveal it.
        """
        name = str(body.get("sheet"))
        is_theirs = kind == "sheet.created" and name.startswith("s")
        if is_theirs and (body.get("shown") is not True or body.get("owner") != name):
            say = msg("verify.openness", sheet=str(body.get("sheet"))[:20])
            self._findings.problem(row.seq, "forged event", say)
        if row.kind != SEALED:
            return
        held = self._so_far.state.sheets.get(str(body.get("sheet")))
        shown = body.get("shown") if kind == "sheet.created" else held is not None and held.shown
        if shown:
            say = msg("verify.openness", sheet=str(body.get("sheet"))[:20])
            self._findings.problem(row.seq, "forged event", say)

    def follow(self, row: LogRow, body: Mapping[str, Json]) -> None:
        """Check what a change of a sheet says was there before."""
        changes, sheet = body.get("changes"), body.get("sheet")
        if not isinstance(changes, dict) or not isinstance(sheet, str):
            self._findings.problem(row.seq, "malformed event", msg("verify.change.fields"))
            return
        self._findings.count("sheet changes")
        if len(CAUSES & fields(body.get("cause")).keys()) != 1:
            self._findings.problem(row.seq, "malformed event", msg("verify.cause"))
        if not self._so_far.is_whole:
            return
        held = self._so_far.state.sheets.get(sheet)
        if held is not None and not held.removed:
            for field, both in changes.items():
                self._compare(row, held, field, both)
        elif not self._may_lack(sheet):
            self._report_lack(row, sheet)

    def _may_lack(self, sheet: Json) -> bool:
        """Whether a sheet may be hidden from us: one of the referees', or none at all."""
        return not sheet or self._so_far.may_hide(sheet)

    def _report_lack(self, row: LogRow, sheet: str) -> None:
        what = "withheld event" if self._so_far.has_secrets else "dropped event"
        self._findings.problem(row.seq, what, msg("verify.sheet.unmade", sheet=sheet[:20]))

    def _compare(self, row: LogRow, sheet: Sheet, field: str, both: Json) -> None:
        if not isinstance(both, dict) or both.keys() != {"before", "after"}:
            self._findings.problem(row.seq, "malformed event", msg("verify.change.both"))
            return
        values = sheet.values
        known = {field: values[field]} if field in values else self._default(sheet.id, field)
        if field in known and canonical_json(known[field]) != canonical_json(both["before"]):
            was, told = str(known[field])[:40], str(both["before"])[:40]
            say = msg("verify.before", field=field[:40], was=was, told=told)
            self._findings.problem(row.seq, "altered sheet", say)

    def _default(self, sheet: str, field: str) -> JsonObject:
        """The value of a field that came to sheets later; nothing where it cannot be known."""
        if not self._so_far.state.game:
            return {field: None}
        kind = kind_of_sheet(self._so_far.game, sheet)
        if kind is None or field == "house":
            return {}
        about = schema_of(kind)["properties"].get(field, {})
        known = self._so_far.knows_sheets and "default" in about
        return {field: about["default"]} if known else {}

    def check_call(self, row: LogRow, body: Mapping[str, Json]) -> None:
        """Check that what was signed leads to the request that was rolled."""
        command = fields(fields(body.get("call")).get("command"))
        if not self._so_far.is_whole or command.get("do") != "roll.start":
            return
        request, draft, what = command.get("request"), command.get("draft"), body.get("what")
        ask = self._so_far.state.asks.get(str(command.get("ask")))
        if ask is not None and command.get("expression") is None and draft is None:
            request = request or ask.roll.get("request")
        try:
            if isinstance(request, dict):
                self._check_names(row, body, request, ("",))
                named = self._with_people(body, request, fields(what).get("request"), ("",))
                true: object = start_of(self._so_far.state, {"request": named}).what
                self._compare_call(row, "request", true, self._current_fields(what))
            elif isinstance(draft, dict):
                self._compare_draft(row, body, draft, asks=bool(command.get("ask")))
            elif body.get("draft") is not None and command.get("ask"):
                asked = None if ask is None else ask.roll.get("draft")
                if asked is not None:  # else nobody asked for it, or they are hidden from us
                    self._compare_draft(row, body, asked, asks=True)
        except CodedError as problem:
            self._findings.problem(row.seq, "forged act", cut(problem, WITHIN))

    def _compare_draft(
        self, row: LogRow, body: Mapping[str, Json], draft: JsonObject, *, asks: bool
    ) -> None:
        """Check a draft: people by their names, and of an answer what the sheet has."""
        written, state = body.get("draft"), self._so_far.state
        self._check_names(row, body, draft, ("pick", "set"))
        true = self._with_people(body, draft, written, ("pick", "set"))
        name = body.get("sheet")
        sheet = state.sheets.get(str(name))
        if name and (sheet is None or sheet.removed):
            return  # that it is not there is told elsewhere
        if asks and not self._so_far.knows_sheets:  # the sheet may have lacked some of it
            self._findings.count("effects not checked")
            return
        if asks:
            true = fit_draft(state, true, sheet)
        self._compare_call(row, "draft", true, written)

    def _check_names(
        self, row: LogRow, body: Mapping[str, Json], signed: JsonObject, parts: tuple[str, ...]
    ) -> None:
        """Check that whoever was typed by name was called so when their device called."""
        state, by = self._so_far.state, self._so_far.seat(body.get("by"))
        seen = fields(body.get("call")).get("seen")
        if by is None or self._so_far.game is None or type(seen) is not int:
            return
        if last_naming(state, by) > seen and holds_typed_names(state, signed, parts):
            say = msg("verify.act.field", field="names")
            self._findings.problem(row.seq, "forged act", say)

    def _compare_call(self, row: LogRow, field: str, true: object, written: Json) -> None:
        if canonical_json(true) != canonical_json(written):
            say = msg("verify.act.field", field=field)
            self._findings.problem(row.seq, "forged act", say)

    def _with_people(
        self, body: Mapping[str, Json], signed: JsonObject, written: Json, parts: tuple[str, ...]
    ) -> JsonObject:
        """Return what was signed, with people in place of their names as far as those are known."""
        state, by = self._so_far.state, self._so_far.seat(body.get("by"))
        if by is None or self._so_far.game is None:
            return signed
        sheet = state.sheets.get(str(body.get("sheet")))
        known = resolve_people(state, by, signed, sheet, parts)
        return fields(self._with_hidden_people(known, written, by.id))

    def _with_hidden_people(self, signed: Json, written: Json, by: str) -> Json:
        """Return the same, with the written person where a name may be hidden or erased."""
        if isinstance(signed, dict) and isinstance(written, dict):
            parts = signed.items()
            return {
                name: self._with_hidden_people(one, written.get(name), by) for name, one in parts
            }
        if isinstance(signed, list) and isinstance(written, list) and len(signed) == len(written):
            return [
                self._with_hidden_people(one, two, by)
                for one, two in zip(signed, written, strict=True)
            ]
        if not isinstance(signed, str) or not isinstance(written, str) or signed.startswith("@"):
            return signed
        is_meant = written.startswith("@") and self._so_far.may_mean(written[1:], by)
        return written if is_meant else signed

    def _current_fields(self, what: Json) -> Json:
        """Return what is rolled, without the fields of its request that no longer mean anything."""
        game, request = self._so_far.game, fields(fields(what).get("request"))
        kind = game.requests.get(str(request.get("roll"))) if game is not None else None
        if kind is None or not isinstance(what, dict):
            return what
        return {**what, "request": {n: held for n, held in request.items() if n not in kind.gone}}

    def _with_unseen(
        self, true: ResolvedRoll, what: JsonObject, roles: Mapping[str, Json]
    ) -> ResolvedRoll:
        """Believe what a roll says of sheets that are hidden from us, as of hidden rolls."""
        game, state = self._so_far.game, self._so_far.state
        request, told = fields(true.get("request")), fields(what.get("request"))
        kind = None if game is None else game.requests.get(str(told.get("roll")))
        hidden = {
            name: told[name]
            for name in (() if kind is None else kind.elsewhere)
            if name in roles and name in told and str(roles[name]) not in state.sheets
        }
        return {**true, "request": {**request, **hidden}} if hidden else true

    def check_start(self, row: LogRow, body: Mapping[str, Json]) -> None:
        """Check that a roll is the table's own: by its house rules, from what a sheet says.

        What a sheet fills in is part of the version of a kind of roll, which is the one here.
        """
        what, state = body.get("what"), self._so_far.state
        if not self._so_far.is_whole or not isinstance(what, dict) or "request" not in what:
            return
        wanted = repeat_spec({"request": what["request"]}, body.get("draft"))
        roles = fields(body.get("roles"))
        if "draft" in wanted and roles:
            wanted["roles"] = {name: str(player) for name, player in roles.items()}
        sheet = state.sheets.get(str(body.get("sheet")))
        named = body.get("sheet")
        if "draft" in wanted and named and (sheet is None or sheet.removed):
            if sheet is not None or not self._may_lack(named):
                self._report_lack(row, str(named))
            return  # else it is one that is hidden from us
        try:
            true = start_of(state, wanted, sheet, whose=str(body.get("by", ""))).what
        except CodedError as problem:
            self._findings.problem(row.seq, "altered request", cut(problem, WITHIN))
            return
        true = self._with_unseen(true, what, roles)
        if canonical_json(true) != canonical_json(self._current_fields(what)):
            say = msg("verify.by.sheet" if "draft" in wanted else "verify.by.house")
            self._findings.problem(row.seq, "altered request", say)
