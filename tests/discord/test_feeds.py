"""Rolls made on phones are told in the channel: once, never a secret, and none of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import httpx
import pytest

from rollwright.client import Table
from rollwright.discord import feeds
from tests.discord.limits import PNG
from tests.discord.simulated import Discord
from tests.discord.test_alone import open_roll
from tests.discord.test_tables import GAME, phone_of

pytestmark = pytest.mark.long

CHANNEL = "700"
PATIENCE = 120


@pytest.fixture(autouse=True)
def looks_often(monkeypatch):
    """New channels are found soon, and what failed is tried again at once."""
    monkeypatch.setattr(feeds, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(feeds, "REST", 0.05)


def links(rosa):
    """What a channel is bound with."""
    return {"link": str(rosa.links["player"]), "watch": str(rosa.links["spectator"])}


@pytest.fixture
def chat(bot, tables, rosa):
    """A channel that is bound to the table and told of it, and that has begun to listen."""
    discord = bot(tables.address)
    told = discord.user("Rosa").does("table", **links(rosa))
    assert "is told what is rolled there elsewhere" in told.text
    listens(discord, rosa)
    return discord


def listens(discord: Discord, rosa: Table) -> None:
    """Roll until the first is told: only from then on the channel has surely begun to listen."""
    until = time.monotonic() + PATIENCE
    while not posts(discord):
        rosa.roll("1d4+1000")
        time.sleep(0.2)
        assert time.monotonic() < until, "nothing was told"
    rosa.roll("1d4+2000")
    wait(lambda: "+2000" in posts(discord)[-1])
    discord.posts.clear()


def posts(discord: Discord) -> list[str]:
    """What the channel was told."""
    return [message.text for message in discord.posts.get(CHANNEL, ())]


def wait(ready: Callable[[], object]) -> None:
    """Wait until something has come about."""
    until = time.monotonic() + PATIENCE
    while not ready():
        assert time.monotonic() < until
        time.sleep(0.02)


def told_after(discord: Discord, rosa: Table) -> list[str]:
    """Everything that was told once one more roll was: they come in order."""
    rosa.roll("1d4+3000")
    wait(lambda: any("+3000" in text for text in posts(discord)))
    return [text for text in posts(discord) if "+3000" not in text]


def test_a_roll_on_a_phone_is_told(chat, tables, loaded):
    """With who rolled, what, the dice as a picture and the outcome; one of the channel is not."""
    ana = chat.user("Ana")
    phone = phone_of(ana, tables)
    phone.enter(phone.roll("2d6+7", physical=True), [6, 5])
    wait(lambda: posts(chat))
    ana.does("roll", dice="3d8")
    message = open_roll(ana, loaded)
    ana.presses(message, "Keep")
    assert ["Ana\n2d6+7\n**18**\n2d6 [6 5]+7 = 18"] == told_after(chat, phone)
    assert chat.posts[CHANNEL][0].picture.startswith(PNG)


def test_what_the_channel_is_just_being_shown_is_waited_for(chat, rosa, monkeypatch):
    """The table tells of a roll before the channel's own answer is made: it is not told again."""
    ana, do, held = chat.user("Ana"), Table.do, threading.Event()
    ana.does("roll", dice="1d6")
    is_rolling = chat.desk.is_rolling

    def noticed(channel: str) -> bool:
        found = is_rolling(channel)
        if found:
            held.set()
        return found

    def slow(self, *words, **fields):
        ack = do(self, *words, **fields)
        assert held.wait(PATIENCE)  # the feed has heard of it, and waits for us
        return ack

    monkeypatch.setattr(chat.desk, "is_rolling", noticed)
    monkeypatch.setattr(Table, "do", slow)
    ana.does("roll", dice="5d8")
    monkeypatch.setattr(Table, "do", do)
    assert [] == told_after(chat, rosa)


def test_a_secret_roll_is_never_told(chat, rosa):
    """Nor that there was one; when it is revealed, it is."""
    secret = rosa.roll("2d12+77", visibility="private")
    chat.user("Ana").does("roll", dice="2d12+88", private=True)
    assert [] == told_after(chat, rosa)
    rosa.reveal(secret)
    wait(lambda: any("2d12+77" in text for text in posts(chat)))
    assert not any("+88" in text for text in posts(chat))


def test_what_began_in_the_channel_and_ends_on_a_phone_is_told(chat, rosa, tables, loaded):
    """The channel has not seen the end; what only its owner was shown aside neither."""
    ana = chat.user("Ana")
    phone = phone_of(ana, tables)
    message = open_roll(ana, loaded)
    [name] = phone.snapshot()["rolls"]
    phone.choose(name, "keep")
    wait(lambda: posts(chat))
    roll = phone.roll({"roll": "skill", "attribute": "B"}, physical=True)
    phone.enter(roll, [3])
    aside = ana.does("push")
    assert aside.is_private
    ana.presses(aside, "Keep")
    told = told_after(chat, rosa)
    assert 2 == len(told)
    assert "D10" in told[1]
    assert message.labels


def test_rate_limits_and_lost_answers_lose_and_double_nothing(chat, rosa):
    """Discord asks to wait, is away, takes a message and does not say so: each is shown once."""
    slow = httpx.Response(429, headers={"retry-after": "0.01"}, json={})
    chat.moods = [slow, slow, "lost", "unheard", httpx.Response(500), "unheard"]
    before = chat.tries
    rosa.roll("1d6+11")
    rosa.roll("1d6+22")
    told = told_after(chat, rosa)
    assert [1, 1] == [sum(f"+{one}\n" in text for text in told) for one in (11, 22)]
    assert 2 == len(told)
    assert before + 9 == chat.tries


def test_what_discord_refuses_is_tried_again_later(chat, rosa):
    """Without the permission to write nothing is lost: it is told when there is one."""
    chat.moods = [httpx.Response(403, json={"message": "Missing Access"})] * 3
    rosa.roll("1d6+33")
    wait(lambda: any("+33" in text for text in posts(chat)))
    assert not chat.moods
    assert 1 == len(told_after(chat, rosa))


def test_a_restart_goes_on_where_it_stopped(bot, chat, rosa, tables):
    """What was rolled while the bot was away is told once."""
    chat.stop()
    rosa.roll("1d6+44")
    bot(tables.address, discord=chat)
    wait(lambda: posts(chat))
    told = told_after(chat, rosa)
    assert (1, True) == (len(told), "+44" in told[0])


def test_what_is_long_past_is_no_news(chat, rosa, monkeypatch):
    """A roll that is older than a feed tells is passed over, and what follows is told."""
    monkeypatch.setattr(feeds, "OLDEST", -3600)
    rosa.roll("1d6+55")
    head = rosa.snapshot()["table"]["head"]
    wait(lambda: chat.desk.storage.find("place", f"{CHANNEL} {rosa.id}")[0] >= head)
    monkeypatch.undo()
    assert [] == told_after(chat, rosa)


def test_only_a_spectators_link_of_the_channels_table_is_taken(chat, rosa, tables):
    """No other link, table or server; “-” ends it, and so does letting the table go."""
    user, other = chat.user("Rosa"), tables.create_table(GAME, name="Somebody")
    for link in (rosa.links["player"], rosa.links["referee"], rosa.link, other.links["spectator"]):
        assert "the link for spectators" in user.does("table", watch=str(link)).text
    foreign = "https://elsewhere.example/t/abcdefgh2345#secret"
    assert tables.address in user.does("table", watch=foreign).text
    assert "told what is rolled" not in user.does("table", watch="-").text
    wait(lambda: not chat.following())
    user.does("table", watch=str(rosa.links["spectator"]))
    wait(chat.following)
    user.does("table", link="-")
    wait(lambda: not chat.following())
