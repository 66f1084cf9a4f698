"""Fair throws: keys that were committed to, nonces, and faces that anybody can draw again."""

import hashlib
import hmac
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollwright.dice import D6, D8, D10, D20, Die, Pool
from rollwright.table.events import chain_hash, digest_of
from rollwright.table.fairness import (
    FairDice,
    commitment_of,
    head_to_words,
    key_of,
    slot_at,
    slot_of,
    words_to_head,
)
from tests.table.written_logs import SECRET, WrittenLog

KEY = bytes(range(32))
CALL = b"c" * 32
THROW = 40 * D20


def framed(*fields):
    """Fields behind their lengths, written down once more."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def test_a_key_is_what_the_rules_of_the_table_say():
    """HMAC-SHA-256 of the secret over lane and number; its slot a SHA-256."""
    key = hmac.new(SECRET, framed(b"rollwright/key/2", b"d3", b"7"), "sha256").digest()
    assert key == key_of(SECRET, "d3", 7)
    made = hashlib.sha256(framed(b"rollwright/slot/1", key)).hexdigest()
    assert made == slot_of(key) == slot_at(SECRET, "d3", 7)


def test_an_offer_is_what_the_rules_of_the_table_say():
    """All that is published of a witness's number is a SHA-256 of it."""
    number = b"w" * 32
    assert hashlib.sha256(framed(b"rollwright/witness/2", number)).hexdigest() == commitment_of(
        number
    )


def faces_by_hand(key, sizes, call=CALL, throw=0, witness=b""):
    """The faces of numbered dice, drawn bit by bit from the blocks of the stream."""
    context = framed(b"rollwright/throw/2", call, witness, str(throw).encode())
    blocks = (
        hmac.new(key, context + counter.to_bytes(8, "big"), "sha256").digest()
        for counter in itertools.count()
    )
    bits = (byte >> place & 1 for block in blocks for byte in block for place in range(8))
    faces = []
    for size in sizes:
        drawn = size
        while drawn >= size:
            wanted = range((size - 1).bit_length())
            drawn = sum(next(bits) << place for place in wanted)
        faces.append(drawn + 1)
    return tuple(faces)


@given(
    st.lists(st.integers(2, 200), min_size=1, max_size=40),
    st.binary(max_size=32),
    st.integers(0, 99),
)
def test_faces_are_what_the_rules_of_the_table_say(sizes, witness, throw):
    """Bits of HMAC blocks, the lowest first, drawn again where they come to too much."""
    pool = Pool(Die(size) for size in sizes)
    by_hand = faces_by_hand(KEY, [len(die.faces) for die in pool.dice], CALL, throw, witness)
    assert by_hand == FairDice(KEY, CALL, throw, witness).throw(pool)


def test_the_same_throw_can_be_drawn_again():
    """Whoever knows key, call and witness gets the same faces."""
    assert FairDice(KEY, CALL).throw(THROW) == FairDice(KEY, CALL).throw(THROW)


@pytest.mark.parametrize(
    "other",
    [
        {"key": b"k" * 32},
        {"call": b"d" * 32},
        {"throw": 1},
        {"witness": b"w" * 32},
    ],
)
def test_whatever_differs_gives_other_faces(other):
    """Another key, call, place among its throws or witness is another stream."""
    same = {"key": KEY, "call": CALL, "throw": 0, "witness": b""}
    assert FairDice(**same).throw(THROW) != FairDice(**same | other).throw(THROW)


def test_neighbours_do_not_run_into_each_other():
    """Fields have lengths: what ends a call is not what begins a witness's number."""
    one = FairDice(KEY, b"ab", witness=b"c").throw(THROW)
    other = FairDice(KEY, b"a", witness=b"bc").throw(THROW)
    assert one != other


@given(st.integers(1, 10_000), st.integers(1, 10_000))
def test_every_slot_has_a_key_of_its_own(one, other):
    """In its lane, and in every other."""
    assert (one == other) == (key_of(SECRET, "d1", one) == key_of(SECRET, "d1", other))
    assert key_of(SECRET, "d1", one) != key_of(SECRET, "d11", other)


def test_heads_are_compared_aloud():
    """Eight words for 128 bits, that can be said in any language and typed back."""
    digits = "576309f308f89524929815b9fcf69fa8"
    assert "jitog-bolug-bogum-nihoh-napim-dikun-zuguk-nuvom" == head_to_words(digits + "0" * 32)
    assert digits == words_to_head("JITOG bolug-bogum  nihoh napim dikun zuguk nuvom")
    assert (
        "" == words_to_head("jitog bolug bogum nihoh") == words_to_head("jitog bolug bogum xxxxx")
    )


@pytest.mark.long
def test_two_logs_do_not_sound_alike():
    """A host that shows two people two logs tries endings of both, by the salts of their events.

    Of what is said aloud it needs the root of all tries, so a quarter of the words is found soon.
    """
    body = {"by": "s1", "number": 1}
    endings: dict[str, tuple[str, str]] = {}
    for number in range(2**18):
        for before in ("00" * 32, "ff" * 32):
            digest = digest_of(f"{number:064x}", body)
            head = chain_hash(before, 9, 0, "session.ended", {}, digest)
            one, other = endings.setdefault(head[:8], (before, head))
            if one != before:
                assert head_to_words(head).split("-")[:2] == head_to_words(other).split("-")[:2]
                assert len(head_to_words(head).split("-")) >= 8
                assert head_to_words(head) != head_to_words(other)
                return
    raise AssertionError("no two endings are alike")


def test_faces_come_in_the_order_of_the_pool():
    """The first die of a pool takes the first bits, however the pool was put together."""
    assert FairDice(KEY, CALL).throw(D10 + D8) == FairDice(KEY, CALL).throw(D8 + D10)
    alone = FairDice(KEY, CALL).throw(Pool([D8]))
    assert alone == FairDice(KEY, CALL).throw(D8 + D10)[:1]


def before_the_push():
    """A roll that waits for "push or keep", and everything anybody was sent until then."""
    log = WrittenLog()
    while True:
        name = log.start()
        log.throw(name)
        if not log.rolls[name][1].is_done:
            return log, name


def strings_in(value):
    """Every text in a piece of JSON."""
    if isinstance(value, dict):
        for part in value.values():
            yield from strings_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings_in(part)
    elif isinstance(value, str):
        yield value


def obvious(values):
    """What somebody would try first: values, their hashes, and keys made of each with each."""
    domains = [b"", b"rollwright/key/2", b"rollwright/slot/1", b"rollwright/call/1"]
    for value in values:
        yield value
        yield hashlib.sha256(value).digest()
        for domain in domains:
            yield hashlib.sha256(framed(domain, value)).digest()
            for number in (b"1", b"2", b"3"):
                yield hmac.new(value, framed(domain, number), "sha256").digest()
    for one, other in itertools.permutations(values, 2):
        yield hmac.new(one, other, "sha256").digest()
        yield hashlib.sha256(one + other).digest()
        yield bytes(a ^ b for a, b in zip(one, other, strict=True))


def test_a_push_cannot_be_computed_before_its_choice():
    """The key of the next throw is none of the obvious functions of anything published.

    What is published of it beforehand is its commitment alone, which it opens afterwards.
    """
    log, name = before_the_push()
    published = log.log(everything=True)
    values = {
        bytes.fromhex(text)
        for text in strings_in(published)
        if len(text) == 64 and set(text) <= set("0123456789abcdef")
    }
    promised = log.events[-2]["open"]["slots"]["table"]
    log.choose(name, "push")
    thrown = log.throw(name)
    key = bytes.fromhex(thrown["body"]["fair"]["key"])
    assert promised == slot_of(key)
    assert bytes.fromhex(promised) in values
    assert key not in set(obvious(sorted(values)))


def test_the_faces_of_a_push_turn_on_what_comes_with_the_choice():
    """The roller's number arrives with the choice: another number, other faces."""
    faces = []
    for nonce in (b"a" * 32, b"b" * 32, b"c" * 32):
        log, name = before_the_push()
        log.choose(name, "push", nonce=nonce)
        fair = log.throw(name)["body"]["fair"]
        stream = FairDice(bytes.fromhex(fair["key"]), log.called[1], fair["throw"])
        faces.append(stream.throw(THROW))
    assert 3 == len(set(faces))


def test_one_key_tells_nothing_of_the_next():
    """Keys are published; from those of earlier throws no later one follows in an obvious way."""
    keys = [key_of(SECRET, "d1", number) for number in range(1, 9)]
    assert key_of(SECRET, "d1", 9) not in set(obvious(keys))


def test_one_die_of_six_by_hand():
    """Three bits a draw, 6 and 7 thrown away: the first faces of a known stream."""
    stream = FairDice(KEY, CALL)
    assert stream.throw(10 * D6) == faces_by_hand(KEY, [6] * 10)
