"""The answers that are kept, and for whom: asking the same reveals nothing that another asked."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple, TypedDict

from rollwright.jsonable import Json
from rollwright.queries.schemas import ErrorData
from rollwright.server.json_codec import decode, encode


class QueryResult(TypedDict, total=False):
    """The result of a question: one of these."""

    answer: dict[str, Json]
    raw: bytes
    """The result of a long body."""
    error: ErrorData


class PrivacyScope(NamedTuple):
    """Whose a question is: everybody's, or of somebody at a table.

    Whatever comes of a question stays within its scope: the answer that is kept, the count under
    way that an equal question could join, the memory of the process that counted it, and the
    numbers that are published. So nobody learns of it by asking the same, neither by what comes
    back nor by how soon.
    """

    table: str = ""
    whose: str = ""
    """The group whose members may share: a seat, or something that all of them see."""

    @property
    def name(self) -> str:
        """The scope in one word; empty where it is everybody's."""
        return " ".join(self).strip()

    @property
    def is_public(self) -> bool:
        """Whether it is everybody's."""
        return self == PUBLIC


PUBLIC = PrivacyScope()


MOST_SCOPES = 96
"""Scopes whose answers are kept beside those of everybody."""


class AnswerCache:
    """Answers by the question as it is written, bounded in number and in bytes.

    >>> cache = AnswerCache(most=2, most_bytes=1000)
    >>> for number in range(3):
    ...     cache.put(b"%d" % number, {"answer": number})
    >>> cache.find(b"0"), cache.find(b"2")
    (None, {'answer': 2})
    """

    def __init__(self, *, most: int, most_bytes: int) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._kept: OrderedDict[bytes, tuple[bytes, float | None]] = OrderedDict()
        self.bytes = 0

    def find(self, key: bytes, now: float = 0) -> QueryResult | None:
        """The answer that was kept, unless its time has passed."""
        found = self._kept.get(key)
        if found is None:
            return None
        written, until = found
        if until is not None and now > until:
            self._remove(key)
            return None
        self._kept.move_to_end(key)
        answer: QueryResult = decode(written)
        return answer

    def put(self, key: bytes, answer: QueryResult, until: float | None = None) -> None:
        """Keep an answer, for ever or until a time."""
        written = encode(answer)
        if len(written) + len(key) > self._most_bytes // 4:
            return
        if key in self._kept:
            self._remove(key)
        self._kept[key] = (written, until)
        self.bytes += len(key) + len(written)
        while len(self._kept) > self._most or self.bytes > self._most_bytes:
            self._remove(next(iter(self._kept)))

    def _remove(self, key: bytes) -> None:
        written, _ = self._kept.pop(key)
        self.bytes -= len(key) + len(written)

    def __len__(self) -> int:
        return len(self._kept)


class ScopedCaches:
    """A cache for everybody, and a small one for each scope that asked lately.

    Each has bounds of its own: what is kept in one throws nothing out of another, because a missing
    answer would reveal it as well. Only a whole scope makes room for the next one.

    >>> answers = ScopedCaches(most=4000, most_bytes=2**20)
    >>> answers.for_scope(PrivacyScope("t1", "s1")).put(b"q", {"answer": 1})
    >>> answers.for_scope(PrivacyScope("t1", "s2")).find(b"q"), answers.for_scope(PUBLIC).find(b"q")
    (None, None)
    """

    def __init__(self, *, most: int, most_bytes: int) -> None:
        self.public = AnswerCache(most=most, most_bytes=most_bytes // 2)
        self._each = {
            "most": max(1, most // MOST_SCOPES),
            "most_bytes": most_bytes // 2 // MOST_SCOPES,
        }
        self._scoped: OrderedDict[PrivacyScope, AnswerCache] = OrderedDict()

    def for_scope(self, scope: PrivacyScope) -> AnswerCache:
        """The answers that a scope may share."""
        if scope.is_public:
            return self.public
        found = self._scoped.pop(scope, None)
        if found is None:
            found = AnswerCache(**self._each)
        self._scoped[scope] = found
        if len(self._scoped) > MOST_SCOPES:
            self._scoped.popitem(last=False)
        return found
