"""Remarks on dice as they are written, beside every answer about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rollwright.engine.transcript import Transcript
from rollwright.i18n.locale import format_text
from rollwright.notation import hints_for, parse

if TYPE_CHECKING:
    from rollwright.dice import Outcome
    from rollwright.engine.steps import Call
    from rollwright.notation import Hint
    from rollwright.queries.roll_specs import RollSpec
    from rollwright.queries.schemas import HintData, WithHints


def roll_hints(subject: RollSpec) -> WithHints:
    """Return what the dice of an answer may have been meant to be; nothing for other rolls."""
    if isinstance(subject.what, Transcript):
        return noted_call(subject.what.call)
    return _hints_in(subject.expression) if subject.expression else {}


def noted_call(call: Call[Outcome]) -> WithHints:
    """The same of the call behind a roll."""
    from rollwright.notation.counter import expression

    return _hints_in(str(call.args[0])) if call.rule is expression else {}


def _hints_in(text: str) -> WithHints:
    found = [_hint_data(one) for one in hints_for(parse(text))]
    return {"remarks": found} if found else {}


def _hint_data(remark: Hint) -> HintData:
    start, end = remark.span
    said = format_text(remark.wording)
    return {"code": remark.code, "start": start, "end": end, "said": said, "other": remark.other}
