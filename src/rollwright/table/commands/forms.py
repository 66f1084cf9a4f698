"""What the fields of a command hold: each is checked before anything is done with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from re import compile as pattern
from typing import Any, NamedTuple

from rollwright.errors import did_you_mean
from rollwright.table.frames import BadValue, canonical, check_plain
from rollwright.table.refusals import Refusal

ID = pattern(r"[A-Za-z0-9_-]{8,64}")
HASH = pattern(r"[0-9a-f]{64}")
MOST_SHOWN = 40
UNSEEN = pattern("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Signs that nobody sees, or that turn the text around them."""

Check = Callable[[str, Any], Any]
"""Takes the name of a field and what came for it; gives the value or refuses it."""


class Field(NamedTuple):
    """A field of a command."""

    check: Check
    default: Any = ...
    """What it is where it is left out; `...` where it must be given."""


def bad_field(name: str, problem: str, would_do: str = "") -> Refusal:
    """The refusal of one field."""
    remedy = f"; {would_do} would do" if would_do else ""
    return Refusal("bad_field", f"{name}: {problem}{remedy}", name)


def said(value: Any) -> str:
    """What came, for a sentence, cut where it is long."""
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}…"


def filled(form: Mapping[str, Field], came: Mapping[str, Any], what: str) -> dict[str, Any]:
    """Every field of a form, checked; what the form does not know is refused."""
    for name in came:
        if name not in form:
            guess = did_you_mean(str(name), sorted(form))
            raise Refusal("bad_field", f"{what} has no field {said(name)}{guess}", str(name)[:60])
    return {name: _value(name, about, came) for name, about in form.items()}


def _value(name: str, about: Field, came: Mapping[str, Any]) -> Any:
    if name in came and (came[name] is not None or about.default is ...):
        return about.check(name, came[name])
    if about.default is ...:
        raise Refusal("bad_field", f"{name} is missing", name)
    return about.default


def plain(command: Any) -> dict[str, Any]:
    """A command as it may be looked at: plain data throughout."""
    if not isinstance(command, Mapping):
        raise Refusal("bad_request", f"a command is an object with fields, not {said(command)}")
    try:
        check_plain(dict(command))
    except BadValue as problem:
        raise Refusal("bad_request", f"the command cannot be read: {problem}") from None
    except RecursionError:
        raise Refusal("bad_request", "the command is nested too deeply") from None
    return dict(command)


def text(most: int, *, empty: bool = False, lines: bool = False) -> Check:
    """A text of at most so many characters, without space around it; in one line or in several."""

    def check(name: str, came: Any) -> str:
        if not isinstance(came, str):
            raise bad_field(name, f"{said(came)} is not a text", "a text")
        found = came.strip()
        if not found and not empty:
            raise bad_field(name, "it is empty", "a text")
        if UNSEEN.search(found) or (not lines and ("\n" in found or "\t" in found)):
            raise bad_field(name, "it holds signs that cannot be seen", "letters and signs")
        if len(found) > most:
            raise Refusal(
                "too_large", f"{name}: {len(found)} characters came, at most {most} would do", name
            )
        return found

    return check


def yes_or_no(name: str, came: Any) -> bool:
    """True or false."""
    if type(came) is not bool:
        raise bad_field(name, f"{said(came)} is neither true nor false", "true or false")
    return came


def whole(low: int, high: int) -> Check:
    """A whole number in a range."""

    def check(name: str, came: Any) -> int:
        if type(came) is not int or not low <= came <= high:
            raise bad_field(name, f"{said(came)} came", f"a whole number from {low} to {high}")
        return came

    return check


def one_of(*words: str) -> Check:
    """One of some words."""

    def check(name: str, came: Any) -> str:
        if came not in words:
            guess = did_you_mean(str(came)[:MOST_SHOWN], list(words))
            raise bad_field(name, f"{said(came)} is none of the choices{guess}")
        return str(came)

    return check


def token_hash(name: str, came: Any) -> str:
    """The SHA-256 of a token, in hexadecimal digits."""
    if not isinstance(came, str) or not HASH.fullmatch(came):
        raise bad_field(
            name, f"{said(came)} is no hash", "the SHA-256 of a token as 64 hexadecimal digits"
        )
    return came


def nonce(name: str, came: Any) -> bytes:
    """Random bytes of a client: 32 as hexadecimal digits, or none."""
    if came == "":
        return b""
    if not isinstance(came, str) or not HASH.fullmatch(came):
        raise bad_field(name, f"{said(came)} is no nonce", "32 bytes as 64 hexadecimal digits")
    return bytes.fromhex(came)


def mapping(most: int) -> Check:
    """Fields and values, of at most so many bytes as JSON."""

    def check(name: str, came: Any) -> dict[str, Any]:
        if not isinstance(came, dict):
            raise bad_field(name, f"{said(came)} came", "an object with fields")
        return sized(name, came, most)  # type: ignore[no-any-return]

    return check


def anything(most: int) -> Check:
    """Any data of at most so many bytes as JSON."""
    return lambda name, came: sized(name, came, most)


def sized(name: str, came: Any, most: int) -> Any:
    """The value, refused where it takes too many bytes as JSON."""
    size = len(canonical(came))
    if size > most:
        raise Refusal("too_large", f"{name}: {size:,} bytes came, at most {most:,} would do", name)
    return came


def listed(check: Check, most: int) -> Check:
    """A list of at most so many, none of them twice."""

    def check_all(name: str, came: Any) -> list[Any]:
        if not isinstance(came, list) or not came:
            raise bad_field(name, f"{said(came)} came", "a list with something in it")
        if len(came) > most:
            raise Refusal("too_many", f"{name}: {len(came)} came, at most {most} would do", name)
        found = [check(f"{name}[{number}]", part) for number, part in enumerate(came)]
        if any(part in found[:number] for number, part in enumerate(found)):
            raise bad_field(name, "something stands there twice", "each once")
        return found

    return check_all
