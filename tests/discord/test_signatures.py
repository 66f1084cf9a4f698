"""Only Discord is answered: what is unsigned, forged, stale or sent again is refused."""

import json
import stat
import time

import pytest
from nacl.signing import SigningKey

from rollwright.client.storage import Storage
from rollwright.discord.signatures import OLDEST, SignatureChecker
from rollwright.errors import BadField

PING = json.dumps({"type": 1, "id": "1"}).encode()
UNAUTHORIZED, PONG = 401, {"type": 1}


def test_a_ping_that_is_signed_is_answered(bot):
    """So the developer portal takes the endpoint."""
    discord = bot()
    answer = discord.post(PING, discord.signed(PING))
    assert (200, PONG) == (answer.status_code, answer.json())


def test_what_is_not_signed_is_refused(bot):
    """Without headers, with empty ones, with half of a signature."""
    discord = bot()
    signed = discord.signed(PING)
    halved = {**signed, "X-Signature-Ed25519": signed["X-Signature-Ed25519"][:64]}
    nonsense = {**signed, "X-Signature-Ed25519": "zz" * 64}
    for headers in ({}, {"X-Signature-Timestamp": "1"}, halved, nonsense):
        assert UNAUTHORIZED == discord.post(PING, headers).status_code


def test_a_forged_signature_is_refused(bot):
    """By another key, of another body, or at another time than was signed."""
    discord = bot()
    signed, stranger = discord.signed(PING), SigningKey.generate()
    timestamp = signed["X-Signature-Timestamp"]
    forged = stranger.sign(timestamp.encode() + PING).signature.hex()
    later = {**signed, "X-Signature-Timestamp": str(int(timestamp) + 1)}
    answers = [
        discord.post(PING, {**signed, "X-Signature-Ed25519": forged}),
        discord.post(PING + b" ", signed),
        discord.post(PING, later),
    ]
    assert [UNAUTHORIZED] * 3 == [answer.status_code for answer in answers]
    assert 200 == discord.post(PING, signed).status_code


@pytest.mark.parametrize("off", [-OLDEST - 60, OLDEST + 60], ids=["old", "from the future"])
def test_a_stale_request_is_refused(bot, off):
    """However well it is signed."""
    discord = bot()
    signed = discord.signed(PING, time.time() + off)
    answer = discord.post(PING, signed)
    assert (UNAUTHORIZED, True) == (answer.status_code, "too long ago" in answer.text)


def test_a_replay_is_refused_also_after_a_restart(bot):
    """The same request is answered once, by this process and by the next."""
    discord = bot()
    signed = discord.signed(PING)
    assert 200 == discord.post(PING, signed).status_code
    assert UNAUTHORIZED == discord.post(PING, signed).status_code
    bot(discord=discord)
    again = discord.post(PING, signed)
    assert (UNAUTHORIZED, True) == (again.status_code, "came before" in again.text)


def test_what_is_no_interaction_gets_a_sentence(bot):
    """Signed nonsense, and a body that is too large, end in an answer and no traceback."""
    discord = bot()
    half = b'{"type": 2, "data": {"name": "\\ud83d"}}'
    for body in (b"", b"[]", b'{"type": 2}', b'{"type": 3, "data": 7}', b"{" * 500, half):
        assert 400 == discord.post(body, discord.signed(body)).status_code
    large = b" " * 300_000
    assert 413 == discord.post(large, discord.signed(large)).status_code


def test_a_key_that_is_none_is_said_to_be_none(tmp_path):
    """Before anything is served."""
    with pytest.raises(BadField, match="64 hexadecimal digits"):
        SignatureChecker("abc", Storage(tmp_path / "bot.sqlite"))


def test_the_file_is_for_its_owner_alone(tmp_path):
    """Its tokens act for people: nobody else reads them, not even where the file was there."""
    path = tmp_path / "bot.sqlite"
    path.touch(0o644)
    storage = Storage(path)
    storage.put("seat", "a", ["token", "s1"])
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert ["token", "s1"] == storage.find("seat", "a")
    storage.close()


def test_what_is_kept_has_a_bound(tmp_path):
    """The oldest go first, and what is too large is not kept."""
    storage = Storage(tmp_path / "bot.sqlite", {"roll": 2})
    for name in "abc":
        storage.put("roll", name, [name], "somebody")
    assert [None, ["b"], ["c"]] == [storage.find("roll", name) for name in "abc"]
    storage.put("roll", "d", "x" * 500_000)
    assert storage.find("roll", "d") is None
    storage.close()
