"""A roll in a link: all that is needed to play it again, and what settled its dice.

A link proves two things at most: that the outcome follows from the faces by the rules, and that the
faces follow from a key and the numbers of people. It does not hold the time of the commitment to
the key: a table's log does, or a note that somebody made.
"""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.engine.sources import Source
from rollwright.engine.transcript import ThrowEntry, Transcript
from rollwright.errors import BadField, RollwrightError
from rollwright.i18n.locale import in_words
from rollwright.i18n.messages import msg
from rollwright.jsonable import json_text, parse_json
from rollwright.queries import rolls
from rollwright.queries.roll_specs import read_transcript
from rollwright.queries.shares.proofs import CallThrows, can_be_read, promise_of, throws_from_key

if TYPE_CHECKING:
    from rollwright.budget import Budget
    from rollwright.jsonable import Json
    from rollwright.queries.kinds import VerifyQuery
    from rollwright.queries.schemas import VerifyAnswer

BEGINS = "roll:"
LONGEST, MOST_BYTES = 6000, 400_000
"""Signs of a link, and bytes of what it holds: a chat takes no longer ones."""
PAGE = "/verify#"
KEY = re.compile(r"[0-9a-f]{64}")
TABLE, ROLL = re.compile(r"[a-z2-7]{12}"), re.compile(r"r0?[1-9][0-9]{0,8}")


def write_roll_link(transcript: Transcript, proof: Mapping[str, Json] | None = None) -> str:
    """The part of a link behind the #; empty for a roll too long for one, or of an own rule."""
    return written_plain(transcript.to_plain(), proof)


def written_plain(transcript: Mapping[str, Json], proof: Mapping[str, Json] | None = None) -> str:
    """The same of a transcript as data; it is not played again for that."""
    plain = dict(transcript)
    if "rule" in plain:  # nobody replays a stranger's rule
        return ""
    if "request" in plain:
        from rollwright.kit.games import from_plain
        from rollwright.kit.requests import to_plain

        plain["request"] = to_plain(from_plain(plain["request"]))
    return pack({"roll": plain, **({"proof": dict(proof)} if proof else {})})


def pack(held: Mapping[str, object]) -> str:
    """Return the part of a link after its #; empty if that is too much."""
    written = json_text(held).encode()
    if len(written) > MOST_BYTES:
        return ""
    made = urlsafe_b64encode(zlib.compress(written, 9)).rstrip(b"=").decode()
    return BEGINS + made if len(made) <= LONGEST else ""


def link_at(address: str, fragment: str) -> str:
    """The whole link for a page at an address; the bare part of it where there is none."""
    if not fragment or not address:
        return fragment
    return f"{address.rstrip('/')}{PAGE}{fragment}"


def is_link(text: str) -> bool:
    """Check whether a text is such a link, or the part after its #."""
    return text.strip().rpartition("#")[2].startswith(BEGINS)


def read(text: str) -> dict[str, Json]:
    """Return the content of a link: the `roll`, and its `proof` if there is one."""
    made = text.strip().rpartition("#")[2].removeprefix(BEGINS)
    if not is_link(text) or len(made) > LONGEST:
        raise _no_link()
    try:
        raw = urlsafe_b64decode(made + "=" * (-len(made) % 4))
        reader = zlib.decompressobj()
        held: Any = parse_json(reader.decompress(raw, MOST_BYTES).decode())
    except (Error, zlib.error, ValueError, RecursionError, RollwrightError):
        raise _no_link() from None
    if not isinstance(held, dict) or not isinstance(held.get("roll"), dict):
        raise _no_link()
    return held


def _no_link() -> BadField:
    return BadField("link", msg("link.none"), would_do=msg("link.do"))


def verify(question: VerifyQuery, budget: Budget) -> VerifyAnswer:
    """Whether a roll, the roll in a link or a log is true."""
    if question.link is not None:
        return verified_link(question.link)
    return rolls.verify(question, budget)


def verified_link(text: str) -> VerifyAnswer:
    """Whether the roll in a link is true, and what of its dice is proven."""
    held = read(text)
    answer = rolls.verified_roll(held["roll"])
    if not answer["true"]:
        return answer
    transcript = read_transcript(held["roll"])
    proof = held.get("proof")
    proof = proof if isinstance(proof, dict) else {}
    try:
        wrong = _first_wrong(transcript, proof)
        lines = [answer["told"], *_proven(transcript, proof)]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        wrong, lines = "proof", []
    if wrong:
        told = in_words("link.wrong")
        return {"true": False, "verdict": "false", "place": wrong, "problem": told}
    answer["said"] = lines
    return answer


def _first_wrong(transcript: Transcript, proof: Mapping[str, Any]) -> str:
    """The place of the first throw that does not follow from its proof."""
    for entry, source in _sources(transcript, proof).items():
        thrown = transcript.entries[entry]
        pools = _pools(transcript)
        if not isinstance(thrown, ThrowEntry) or source.throw(pools[entry]) != thrown.faces:
            return f"answers[{entry}].faces"
    return ""


def _pools(transcript: Transcript) -> dict[int, Any]:
    """The pool of each throw, by its place among the entries."""
    places = [n for n, entry in enumerate(transcript.entries) if isinstance(entry, ThrowEntry)]
    return {place: step.pool for place, (step, _) in zip(places, transcript.throws, strict=True)}


def _sources(transcript: Transcript, proof: Mapping[str, Any]) -> dict[int, Source]:
    """Return the source of each throw that is proven."""
    found: dict[int, Source] = {}
    for part in _parts(transcript, proof):
        found |= dict.fromkeys(part.throws, part.source)
    return found


class _Part(NamedTuple):
    """Throws that follow from one call."""

    throws: tuple[int, ...]
    """Their places among the entries."""
    key: str
    source: Source
    word: str = ""


def _parts(transcript: Transcript, proof: Mapping[str, Any]) -> list[_Part]:
    """Return which throws follow from which call: each from one, and every key proves some."""
    found: list[_Part] = []
    known = set(_pools(transcript))
    if proof.keys() - {"calls"}:
        _check_place(proof)
    for one in proof.get("calls", ()):
        throws = tuple(one["throws"])
        if not throws or list(throws) != sorted({*throws} & known):
            raise ValueError  # a key that proves no throw, or one that another key proves
        if not KEY.fullmatch(one["key"]):  # of one promise there is one way to write its key
            raise ValueError
        known -= {*throws}
        found.append(_Part(throws, one["key"], *_source(proof, one)))
    return found


def _source(proof: Mapping[str, Any], call: Mapping[str, Any]) -> tuple[Source, str]:
    """Return the source of a call's throws, and the word that somebody gave without a table."""
    if "table" not in proof:
        if not can_be_read(call["word"]):
            raise ValueError
        return throws_from_key(call["key"], call["word"]), call["word"]
    witness = call.get("witness", "")
    if not KEY.fullmatch(call["call"]) or (witness and not KEY.fullmatch(witness)):
        raise ValueError
    return CallThrows(call["key"], bytes.fromhex(call["call"]), witness), ""


def _check_place(proof: Mapping[str, Any]) -> None:
    """Refuse what names no roll of a table: a checker reads it, and believes us."""
    if not TABLE.fullmatch(proof["table"]) or not ROLL.fullmatch(proof["roll"]):
        raise ValueError


def _proven(transcript: Transcript, proof: Mapping[str, Any]) -> list[str]:
    """Return what is proven of the dice, and what is not, in words."""
    proven = len(_sources(transcript, proof))
    thrown = len(transcript.throws)
    if not proven:
        return [in_words("link.unproven")]
    lines = [in_words("link.proven", n=proven, all=thrown)]
    if "table" in proof:
        return [*lines, in_words("link.log", table=str(proof["table"]), roll=str(proof["roll"]))]
    return [*lines, *(_commitment_text(transcript, part) for part in _parts(transcript, proof))]


def _commitment_text(transcript: Transcript, part: _Part) -> str:
    """Return what to compare with a noted commitment: the commitment, the throws, and the word."""
    numbers = {place: number for number, place in enumerate(sorted(_pools(transcript)), 1)}
    which = ", ".join(str(numbers[place]) for place in part.throws)
    more = {"word": "some" if part.word else "none", "said": part.word}
    return in_words("link.promise", which=which, promise=promise_of(part.key), **more)
