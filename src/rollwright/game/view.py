"""How a game is presented: everything has a default, made from what the game says of itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rollwright.dice import Die, Pool
from rollwright.engine.play import ThrowEntry
from rollwright.engine.transcript import Transcript
from rollwright.game.fields import (
    SET,
    TRACKS,
    From,
    Pick,
    Sheet,
    Slider,
    Trait,
    field_of_effect,
    mark_in,
)
from rollwright.game.fields import Control as FieldControl
from rollwright.game.rolls import RollRequest
from rollwright.game.story import ROLLER, Storyteller, change_text, last_sum
from rollwright.i18n.messages import msg, row_of, sentences, with_sign
from rollwright.kit.card import Asked, Card, Draft, Offer, Sum, Verdict, tone_of
from rollwright.kit.card.parts import Text
from rollwright.kit.controls import Choice, Control, group
from rollwright.kit.fields import Field, Value, fields_of
from rollwright.kit.games import Effect
from rollwright.kit.requests import Request
from rollwright.kit.shared import SHARED
from rollwright.kit.widgets import Widget, fields_sheet, number, track
from rollwright.kit.words import question

if TYPE_CHECKING:
    from rollwright.game.games import Game

MOST_ASKED = 4


class View(Card):
    """The presentation of a game; a game of its own kind overrides what it wants otherwise."""

    game: Game

    # What is asked

    def title(self, request: Request) -> Text:
        """Return the title of a roll, with the traits it is made with."""
        names = self.traits(request)
        title = self.word(f"roll.{request.roll}", request.title)
        return msg("title", roll=title, names=row_of(names)) if names else title

    def traits(self, request: Request) -> list[Text]:
        """Return what the traits are called that a roll is made with."""
        kind = self.game.request_class(request.roll)
        return [
            self.game.label(getattr(request, name))
            for name in kind.signature.fields
            if mark_in(fields_of(kind)[name], Trait)
        ]

    def first(self, roll: str, sheet: Value | None) -> Draft:
        """Return the draft that a roll starts with: every field has a default or is asked."""
        return Draft() if sheet else super().first(roll, sheet)

    def fill(self, asked: Asked) -> Request:
        """The request: what the roll may read of sheets and of the table, and what is said."""
        kind = self.game.request_class(asked.roll)
        told, values = kind.signature, dict[str, Any]()
        for role, sheet in ((told.me, asked.whole_sheet), (told.table, asked.shared)):
            if role is not None and isinstance(sheet, role.kind):
                values |= {name: getattr(sheet, name) for name in role.reads}
        for role in told.others:
            ref = f"@{asked.roles.get(role.name, '')}"
            person = next((one for one in asked.people if one.ref == ref), None)
            if person is not None:
                sheet = person.sheet
                held = {} if sheet is None else {n: getattr(sheet, n) for n in role.reads}
                values[role.name] = {**held, "name": person.ref}
        if told.house is not None and asked.house is not None:
            values["house"] = asked.house
        said = {**asked.pick, **asked.set}
        for name in told.fields:
            source = mark_in(fields_of(kind)[name], From)
            if source is not None and asked.whole_sheet is not None and name not in asked.set:
                values[name] = source.fill(asked.whole_sheet, {**values, **said})
        return self.game.request(asked.roll, **{**values, **asked.set})

    def form(self, asked: Asked) -> Sequence[Control]:
        """Return a control for each argument of the roll; sheets are filled in where there are."""
        kind = self.game.request_class(asked.roll)
        told, at_table = kind.signature, asked.me is not None
        controls = [self._control(asked, fields_of(kind)[name]) for name in told.fields]
        if at_table:
            controls += [
                asked.role(role.name, label=self.game.label(role.name)) for role in told.others
            ]
        else:
            others = [asked.field(role.name) for role in told.others]
            controls += [group(*others, title=msg("form.more"), fold=True)] if others else []
        typed = [] if told.me is None or asked.whole_sheet else [*told.me.reads]
        typed += [] if told.table is None or at_table else [*told.table.reads]
        listed = [asked.field(name) for name in typed if name != "name"]
        return [*controls, group(*listed, columns=2)] if listed else controls

    def _control(self, asked: Asked, about: Field) -> Control:
        if (own := mark_in(about, FieldControl)) is not None:
            return own.show(asked)  # type: ignore[no-any-return]
        if mark_in(about, Trait):
            return asked.field(about.name, control="pick", style="chips", options=[
                Choice(name, self.game.label(name), self._note(asked, name)).plain()
                for name in about.choices
            ])  # fmt: skip
        pick = mark_in(about, Pick)
        if pick is not None and asked.whole_sheet is not None:
            listed = [str(getattr(one, "name", one)) for one in getattr(asked.whole_sheet, pick.of)]
            options = [Choice(one, self.game.words.name(one)).plain() for one in listed]
            way = "picks" if about.kind == "list" else "pick"
            return asked.field(about.name, control=way, style="chips", options=options)
        if mark_in(about, Slider):
            return asked.field(about.name, style="slider")
        return asked.field(about.name)

    def _note(self, asked: Asked, trait: str) -> Text:
        held = asked.held(trait)
        return sentences(with_sign(held)) if isinstance(held, int) else ""

    # What happens

    def whose(self, request: Request, transcript: Transcript) -> str:
        """Return the part whose dice are due; empty for the roller."""
        by = "" if transcript.is_done else str(getattr(transcript.step, "by", ""))
        return "" if by == ROLLER else by

    def label(self, request: Request, transcript: Transcript) -> Text:
        """Return whose the last throw is, if not the roller's."""
        step = transcript.throws[-1][0] if transcript.throws else None
        by = getattr(step, "by", "")
        if by in ("", ROLLER):
            return ""
        who = Storyteller(self.game, self._own(request), transcript).who(by)
        return who if isinstance(who, str) else sentences(who)

    def ask(self, request: Request, transcript: Transcript) -> Text:
        """Return the question of a choice: its options."""
        options = transcript.step.options
        if len(options) > MOST_ASKED:
            return question(options)
        return msg("told.ask", options={"or": [self.game.option(one).plain for one in options]})

    def offered(self, request: Request, transcript: Transcript, option: Any) -> Offer:
        """An option of a choice, with the dice that it is about."""
        return Offer(self.game.option(option), dice=_dice_on_table(transcript, option))

    def sum(self, request: Request, transcript: Transcript) -> Sum | None:
        """Return what the roll has added up last."""
        added = last_sum(transcript)
        if added is None:
            return None
        teller = Storyteller(self.game, self._own(request), transcript)
        terms = [teller.term(name, part) for name, part in added.parts if name == "" or part]
        shown = tuple(one if isinstance(one, str) else sentences(one) for one in terms)
        return Sum(shown, added.total)

    def told(self, request: Request, transcript: Transcript) -> Text:
        """Return the story so far."""
        return Storyteller(self.game, self._own(request), transcript).story()

    def verdict(self, request: Request, outcome: Any) -> Verdict:
        """Return the verdict with what belongs to it."""
        if self._own(request).own_effects is not None:
            return super().verdict(request, outcome)
        detail = getattr(outcome, "detail", "")
        return Verdict(
            self.game.word(outcome.verdict, capitals=True),
            self.outcomes.get("verdict", {}).get(outcome.verdict, tone_of(outcome.verdict)),
            (self.game.word(detail),) if detail else (),
        )

    def effect(self, effect: Effect) -> Text:
        """Return the description of an effect: the field, and by how much it changes."""
        if effect.kind in self.game.actions:
            return self.game.word(effect.kind, capitals=True)
        kinds = (self.game.sheet, self.game.shared)
        found = [field_of_effect(kind, effect.kind) for kind in kinds if kind is not None]
        field = next((one.name for one in found if one), effect.kind)
        adds = isinstance(effect.amount, int) and not effect.kind.endswith(SET)
        said = change_text(self.game, field, 0 if adds else None, effect.amount)
        return msg("retold.shared", effect=said) if effect.target == SHARED else said

    def _own(self, request: Request) -> RollRequest:
        assert isinstance(request, RollRequest)
        return request

    # Sheets

    def sheet(self, sheet: Any) -> Sequence[Widget]:
        """Return the widgets of a sheet: as its annotations say."""
        return [self._widget(sheet, about) for about in self._sheet_fields(sheet)]

    def shared(self, shared: Any) -> Sequence[Widget]:
        """Return the widgets of what the table shares."""
        return self.sheet(shared)

    def _sheet_fields(self, sheet: Value) -> list[Field]:
        known = fields_of(type(sheet)).values()
        return [one for one in known if one.name != "name" or not isinstance(sheet, Sheet)]

    def _widget(self, sheet: Value, about: Field) -> Widget:
        held, label = getattr(sheet, about.name), self.game.label(about.name)
        mark = mark_in(about, *TRACKS)
        if mark is not None:
            return track(about.name, held, about.high or 0, label, style=TRACKS[type(mark)])
        if about.kind == "int":
            bounds: dict[str, Any] = {"low": about.low, "high": about.high}
            return number(about.name, held, label, signed=(about.low or 0) < 0, **bounds)
        (widget,) = [one for one in fields_sheet(sheet, self.word) if one.get("at") == about.name]
        return widget


def _dice_on_table(transcript: Transcript, option: Any) -> tuple[str, ...]:
    """The dice that lie there and that an option names, each as it was thrown last."""
    named = {option} if isinstance(option, Die) else {*option} if isinstance(option, Pool) else ()
    found: dict[Any, str] = {}
    throws = iter(transcript.throws)
    for number_, entry in enumerate(transcript.entries):
        if isinstance(entry, ThrowEntry):
            step, _ = next(throws)
            found |= {die: f"{number_}.{place}" for place, die in enumerate(step.pool.dice)}
    return tuple(found[die] for die in named if die in found)
