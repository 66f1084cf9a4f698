"""Ill will in a chat: odd names, long texts, buttons that nobody made, others' secrets."""

from dataclasses import replace

import pytest

from rollwright.client.narration import OptionLine, RollNarration
from rollwright.client.roll_view import RollMessage, RollMoment
from rollwright.dice import D6
from rollwright.discord.messages import roll_reply
from tests.discord.limits import check_message
from tests.discord.simulated import COMPONENT, Message
from tests.discord.test_alone import open_roll
from tests.discord.test_tables import GAME

pytestmark = pytest.mark.long

SMILES = "\N{GRINNING FACE}" * 5000
ODD = {
    "long": "x" * 5000,
    "smiles": SMILES,
    "nothing": "   ",
    "backwards": "\u202egnp.exe",
    "lines": "a\nb\n# c",
    "zero": "\0",
}


@pytest.mark.parametrize("name", ODD.values(), ids=ODD)
def test_whoever_is_called_oddly_rolls_all_the_same(bot, tables, rosa, name):
    """Alone and at a table: what of a name cannot be seen is left out, or the next name taken."""
    discord = bot(tables.address)
    alone, there = (replace(discord.user("Ana", channel), name=name) for channel in ("701", "700"))
    assert "1d6 [" in alone.does("roll", dice="1d6").text
    there.does("table", link=str(rosa.links["player"]))
    assert "1d6 [" in there.does("roll", dice="1d6").text
    assert 2 == len(rosa.snapshot()["seats"])


LONG = {
    "label": f"1d6 [{SMILES[:200]}]",
    "sum": "1d6" + "+1d6" * 400,
    "number": "9" * 3000,
    "brackets": "[" * 3000,
    "backslashes": "1d6 " + "\\" * 2000,
    "markdown": "*_~`|" * 500,
    "faces": "1d{" + ",".join([SMILES[:3]] * 100) + "}",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_whatever_is_typed_is_answered_within_the_limits(bot, text):
    """Into every option of every command; the limits are looked at when the test has ended."""
    ana = bot().user("Ana")
    for dice in ({"dice": text}, {"dice": text, "private": True}):
        assert ana.does("roll", **dice).text
    assert ana.does("odds", dice=text, where=text).text
    for words in ({"more": text}, {"pick": text}, {"attribute": "B", "more": f"skill={text}"}):
        assert ana.does(GAME, "skill", **words).is_private
    for command in ("table", "seat"):
        assert ana.does(command, link=text).is_private
    for option in ("more", "pick"):
        assert [] == ana.completes(GAME, "skill", option, text)


def test_signs_that_count_twice_are_counted_so():
    """Title, sentence and buttons are cut as the units of UTF-16 want it, and no sign in half."""
    offers = tuple(OptionLine(n, SMILES, "50 %", True) for n in range(25))
    for options in (25, 100):
        told = RollNarration(SMILES, asked=SMILES, offers=offers, options=options, why=SMILES)
        shown = RollMessage(RollMoment("-", "a", 1), told, SMILES, SMILES)
        data = roll_reply(shown).data
        check_message(data, {})
        data["embeds"][0]["title"].encode()


def pressed(user, custom_id, message, **more):
    """What comes of a button that somebody has made up."""
    data = {"custom_id": custom_id, "component_type": 2, **more}
    return user.seen(user.discord.interact(user, COMPONENT, data, message))


def test_a_button_that_nobody_made_does_nothing(bot):
    """Other moments, numbers, rolls and tables, what is no button of ours: the roll waits on."""
    discord = bot()
    ana, eve = discord.user("Ana"), discord.user("Eve")
    message = open_roll(ana)
    [own, *_] = [part["custom_id"] for part in message.parts]
    rw, table, roll, moment, _ = own.split(":")
    forged = [
        f"{rw}:{table}:{roll}:{moment}:2",
        f"{rw}:{table}:{roll}:{moment}:999999999",
        f"{rw}:{table}:{roll}:{moment}:throw",
        f"{rw}:{table}:{roll}:{int(moment) + 1}:0",
        f"{rw}:{table}:{'0' * len(roll)}:{moment}:0",
        f"{rw}:abcdefgh2345:r1:{moment}:0",
        f"{rw}:{table}:../{roll}:{moment}:0",
        f"{rw}:{table}:{roll}:-1:0",
        f"{own}\n",
        "",
        "x" * 100,
    ]
    before = dict(message.data)
    for custom_id in forged:
        for user in (ana, eve):
            assert pressed(user, custom_id, message).is_private, custom_id
    menu = f"{rw}:{table}:{roll}:{moment}:choose"
    for values in ([], ["-1"], ["1e3"], ["9" * 10]):
        assert pressed(ana, menu, message, values=values).is_private
    assert before == message.data
    assert ["Keep", "Push"] == [label.split(" · ")[0] for label in ana.does("push").labels]


def test_a_secret_choice_cannot_be_brought_into_the_open(bot):
    """Pressed on a message that everybody sees, a secret roll is told to whoever pressed alone."""
    ana = bot().user("Ana")
    ana.throws((2 * D6, (3, 2)))
    secret = ana.does(GAME, "skill", attribute="D", skill="D", private=True)
    assert secret.is_private
    seen_by_all = Message("1", {**secret.data, "flags": 0})
    told = ana.presses(seen_by_all, "Push")
    assert told.is_private
    assert "pushed" in told.text
    assert "pushed" not in seen_by_all.text
