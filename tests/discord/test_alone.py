"""A channel without a table: rolls, choices that wait, odds, secrets, and counts that take long."""

import threading

import pytest

from rollwright.dice import D6
from rollwright.discord import app as endpoint
from tests.bots import COUNTING
from tests.discord.limits import PNG

POOR = {"attribute": "D", "skill": "D"}
MISS = (2 * D6, (3, 2))


def open_roll(user, at=None):
    """A miss that waits for a choice: two dice of six sides, neither a six nor a one."""
    user.throws(MISS, at=at)
    return user.does("twilight2000", "skill", **POOR)


def test_dice_are_rolled_with_a_picture(bot):
    """The sentence, the number, and the dice as a picture that says in words what it shows."""
    message = bot().user("Ana").does("roll", dice="4d6kh3+2")
    assert "Ana\n4d6kh3+2\n" in message.text
    assert "4d6kh3 [" in message.text
    assert message.picture.startswith(PNG)
    assert "4d6kh3+2" in message.data["attachments"][0]["description"]
    assert not message.is_private


def test_a_choice_has_buttons_with_their_odds(bot):
    """Each option says what it is worth; pressed, the message itself goes on."""
    ana = bot().user("Ana")
    message = open_roll(ana)
    keep, push = message.labels
    assert keep.startswith("Keep · 0 %")
    assert push.startswith("Push · ")
    assert "Keep or push?" in message.text
    gone_on = ana.presses(message, "Push")
    assert gone_on is message
    assert "pushed" in message.text
    assert [] == message.labels
    assert message.picture.startswith(PNG)


def test_a_stranger_cannot_press(bot):
    """Only whoever rolled decides; others are told so, and nothing changes."""
    discord = bot()
    ana, bo = discord.user("Ana"), discord.user("Bo")
    message = open_roll(ana)
    before = dict(message.data)
    refused = bo.presses(message, "Push")
    assert refused.is_private
    assert "Only whoever has to decide can press this." == refused.text
    assert before == message.data
    ana.presses(message, "Keep")


def test_a_button_counts_once(bot):
    """What was decided is decided, however often and however late the button is pressed."""
    ana = bot().user("Ana")
    message = open_roll(ana)
    old = type(message)(message.id, dict(message.data))
    ana.presses(message, "Keep")
    assert "decided already" in ana.presses(old, "Push").text


def test_a_choice_outlives_a_restart(bot):
    """The next process goes on where the first stopped, and `/push` brings the choice again."""
    discord = bot()
    ana, bo = discord.user("Ana"), discord.user("Bo")
    open_roll(ana)
    bot(discord=discord)
    assert "Nothing waits for you here." == bo.does("push").text
    waiting = ana.does("push")
    assert waiting.is_private
    assert "pushed" in ana.presses(waiting, "Push").text
    assert "Nothing waits for you here." == ana.does("push").text


def test_a_secret_roll_is_for_one_alone(bot):
    """The message is ephemeral, and so is what follows it."""
    message = bot().user("Ana").does("roll", dice="1d20", private=True)
    assert message.is_private


def test_the_odds_are_exact(bot):
    """11 of 36 throws of two dice show at least one six in the highest (counted by hand)."""
    ana = bot().user("Ana")
    found = ana.does("odds", dice="2d6kh1", where="it = 6")
    assert "30.6 %" in found.text
    assert found.picture.startswith(PNG)
    assert "Nothing waits for you here." == ana.does("odds").text
    checked = ana.does("dust", "roll", pool=5, odds=True)
    assert "%" in checked.text
    assert [] == checked.labels


def test_refusals_are_sentences_in_the_language_of_whoever_reads(bot):
    """A slip is met with a guess, in German too, for whoever typed it alone."""
    discord = bot()
    ana = discord.user("Ana")
    slip = ana.does("roll", dice="2d6+kq")
    assert slip.is_private
    assert "kq" in slip.text
    german = type(ana)(discord, ana.id, ana.name, ana.channel, "de")
    assert "Hier wartet nichts auf dich." == german.does("push").text
    assert (
        "A, B, C, D would do"
        in ana.does("twilight2000", "skill", more="skill=Z", attribute="B").text
    )
    assert "cannot be read" in ana.does("twilight2000", "skill", more="nonsense").text


def test_what_somebody_types_calls_nobody_and_is_shown_as_it_is(bot):
    """Names and dice with signs of Discord's own are no markdown, no mention and no heading."""
    discord = bot()
    message = discord.user("@everyone **x**").does("roll", dice="1d6")
    assert {"parse": []} == message.data["allowed_mentions"]
    refused = discord.user("Ana").does("dust", "roll", more="[x](http://x) @everyone")
    assert "\\[x\\]\\(http://x\\) \\@everyone" in refused.data["content"]
    titled = discord.user("Ana").does("roll", dice="1d6*2*3")
    assert "1d6\\*2\\*3" == titled.data["embeds"][0]["title"]


@pytest.fixture
def held_back(monkeypatch):
    """Counts that wait until they are let go."""
    let_go, answer = threading.Event(), COUNTING.answer

    def waits(kind, body, share):
        if kind == "advise":
            assert let_go.wait(60)
        return answer(kind, body, share)

    monkeypatch.setattr(COUNTING, "answer", waits)
    yield let_go
    let_go.set()


def test_the_first_answer_waits_for_no_count(bot, held_back):
    """Discord hears at once that it takes longer, and then the roll with its odds."""
    discord = bot(patience=0.05)
    ana = discord.user("Ana")
    ana.throws(MISS)
    waiting = ana.begins("twilight2000", "skill", **POOR)
    assert (True, False) == (waiting.deferred, waiting.is_over.is_set())
    held_back.set()
    message = ana.seen(waiting)
    assert message.picture
    assert 2 == len(message.labels)


def test_a_press_that_takes_long_changes_its_message_later(bot):
    """And what refuses it is said to whoever pressed alone."""
    discord = bot(patience=0.0)
    ana, bo = discord.user("Ana"), discord.user("Bo")
    message = open_roll(ana)
    refused = bo.presses(message, "Push")
    assert (True, "Only whoever") == (refused.is_private, refused.text[:12])
    assert "pushed" in ana.presses(message, "Push").text
    assert discord.deferrals >= 3


def test_more_than_can_be_done_at_once_is_refused(bot, monkeypatch):
    """Somebody who asks too much of the bot is told so at once, and nothing piles up."""
    monkeypatch.setattr(endpoint, "MOST_WAITING", -1)
    assert "Try again in a minute." in bot().user("Ana").does("roll", dice="2d6").text


def test_an_interaction_that_fails_is_answered(bot, monkeypatch, caplog):
    """A mistake of ours is written to the log, and is no silence and no traceback for anybody."""

    def broken(*_):
        raise ZeroDivisionError

    ana = bot().user("Ana")  # what it offers is asked for when it starts
    monkeypatch.setattr(COUNTING, "answer", broken)
    assert "Try again" in ana.does("roll", dice="2d6").text
    assert "an interaction failed" in caplog.text


def test_a_command_that_is_no_more_says_so(bot):
    """Commands of a game that was taken away are still listed for a while."""
    discord = bot()
    discord.commands["gone"] = {"name": "gone", "options": [{"name": "roll", "options": []}]}
    assert "no command of ours" in discord.user("Ana").does("gone", "roll").text
