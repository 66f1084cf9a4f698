"""Remarks on dice as they are written, beside every answer about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollwright.engine.transcript import Transcript
from rollwright.notation import parse, remarks_on
from rollwright.words.reader import spoken

if TYPE_CHECKING:
    from rollwright.ask.shapes import Noted, RemarkSaid
    from rollwright.ask.subjects import Subject
    from rollwright.dice import Outcome
    from rollwright.engine.steps import Call
    from rollwright.notation import Remark


def noted(subject: Subject) -> Noted:
    """Return what the dice of an answer may have been meant to be; nothing for other rolls."""
    if isinstance(subject.what, Transcript):
        return noted_call(subject.what.call)
    return _noted(subject.expression) if subject.expression else {}


def noted_call(call: Call[Outcome]) -> Noted:
    """The same of the call behind a roll."""
    from rollwright.notation.counter import expression

    return _noted(str(call.args[0])) if call.rule is expression else {}


def _noted(text: str) -> Noted:
    found = [_said(one) for one in remarks_on(parse(text))]
    return {"remarks": found} if found else {}


def _said(remark: Remark) -> RemarkSaid:
    start, end = remark.span
    said = spoken(remark.wording)
    return {"code": remark.code, "start": start, "end": end, "said": said, "other": remark.other}
