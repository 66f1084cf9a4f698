"""A channel that is bound to a table: one log, one fairness, and seats for people in a chat."""

from dataclasses import replace

import pytest

from rollwright.client import Link, Server, ServerError, Table
from rollwright.dice import D6, D12
from rollwright.discord import interactions
from tests.archive.make import SHEETS
from tests.discord.conftest import PLENTY
from tests.discord.test_alone import open_roll
from tests.loaded import LoadedTable
from tests.server.harness import one_app

pytestmark = pytest.mark.long

GAME = "twilight2000"
FOES = [{"name": name} for name in ("Guard", "Driver", "Cook", "Captain", "Gunner")]
SHOT = {"roll": "attack", "attribute": "B", "skill": "A", "ammo_dice": 6, "targets": FOES}


@pytest.fixture
def chat(bot, tables, rosa):
    """A channel that is bound to that table."""
    discord = bot(tables.address)
    bound = discord.user("Rosa").does("table", link=str(rosa.links["player"]))
    assert (True, True) == (bound.is_private, "Kalisz" in bound.text)
    return discord


def phone_of(user, tables):
    """The same seat on a phone: by the link that only they are shown."""
    shown = user.does("seat")
    assert shown.is_private
    table = tables.table(shown.text.partition("<")[2].rstrip(">"))
    table.snapshot()
    return table


def names(table):
    """Who sits at a table."""
    return [seat["name"] for seat in table.snapshot()["seats"]]


def test_namesakes_in_the_chat_sit_at_the_table_by_numbers(chat, rosa):
    """A name there is nobody's alone; at the table nobody looks to be somebody else."""
    for _ in range(2):
        assert "1d6 [" in chat.user("Ana").does("roll", dice="1d6").text
    assert ["Rosa", "Ana", "Ana 2"] == names(rosa)


def test_who_rolls_in_the_chat_sits_at_the_table(chat, rosa, tables):
    """One seat each, taken at the first roll; the log has their dice and verifies."""
    ana, bo = chat.user("Ana"), chat.user("Bo")
    for user in (ana, bo, ana):
        assert user.does("roll", dice="2d6").text.startswith(user.name)
    assert ["Rosa", "Ana", "Bo"] == names(rosa)
    log = rosa.log()
    assert 3 == sum(event["kind"] == "roll.thrown" for event in log["events"])
    assert tables.verify(log=log)["true"] is True


def test_phone_and_chat_are_one_seat(chat, rosa, tables):
    """What is begun on the phone is decided in the chat, and the page sees it."""
    ana = chat.user("Ana")
    phone = phone_of(ana, tables)
    roll = phone.enter(phone.roll({"roll": "skill", "attribute": "B"}, physical=True), [3])
    waiting = ana.does("push")
    assert waiting.is_private
    assert ["Keep", "Push"] == [label.split(" · ")[0] for label in waiting.labels]
    ana.presses(waiting, "Keep")
    assert {} == phone.snapshot()["rolls"]
    with pytest.raises(ServerError):
        phone.choose(roll, "push")


def test_a_seat_that_somebody_has_is_taken_along(chat, rosa, tables):
    """`/seat` with a link for another device: from then on the chat rolls for that seat.

    The log says that the bot holds the key; the one in the link is used for nothing else.
    """
    bo = tables.join(rosa.links["player"], name="Bo on the sofa")
    user = chat.user("Bo")
    assert "no key to sign with" in user.does("seat", link=str(bo.link)).text
    assert "as that seat" in user.does("seat", link=str(bo.move())).text
    assert "Bo on the sofa" in user.does("roll", dice="1d6").text
    assert ["Rosa", "Bo on the sofa"] == names(rosa)
    devices = rosa.snapshot()["table"]["devices"]
    assert [None, None, None, "discord"] == [one.get("held") for one in devices]
    assert bo.roll("1d6").has_outcome
    found = tables.verify(log=rosa.log())
    assert (True, 1) == (found["true"], found["checked"]["held throws"])
    other = tables.create_table(GAME, name="Somebody")
    assert "no link of a seat" in user.does("seat", link=str(other.link)).text
    assert "no link of a seat" in user.does("seat", link=str(rosa.links["player"])).text


def test_names_are_completed_from_the_sheet(chat, tables):
    """What stands on one's own sheet is offered while it is typed, and rolled."""
    ana = chat.user("Ana")
    assert [] == ana.completes(GAME, "skill", "pick", "rec")
    phone_of(ana, tables).do("sheet.create", values=SHEETS[GAME][0])
    offered = ana.completes(GAME, "skill", "pick", "rec")
    assert [{"name": "Which skill: Recon (B)", "value": "skill_name=recon"}] == offered
    assert "weapon=M4" in [one["value"] for one in ana.completes(GAME, "attack", "pick")]
    assert [] == ana.completes("dust", "roll", "pick")
    assert "targets=" in [one["value"] for one in ana.completes(GAME, "attack", "more", "tar")]
    assert "recon" in ana.does(GAME, "skill", pick="skill_name=recon").text


def test_only_who_may_choose_can_press(chat, loaded):
    """Neither a stranger without a seat nor another player; the table says who may."""
    ana, bo = chat.user("Ana"), chat.user("Bo")
    message = open_roll(ana, loaded)
    assert "Only whoever has to decide" in bo.presses(message, "Push").text
    bo.does("roll", dice="1d6")
    assert "Only whoever has to decide" in bo.presses(message, "Push").text
    assert "pushed" in ana.presses(message, "Push").text


def test_a_secret_roll_stays_one(chat, rosa, tables):
    """Only whoever rolled sees the message; at the table the others see a veil."""
    ana, bo = chat.user("Ana"), chat.user("Bo")
    bo.does("roll", dice="1d6")
    secret = ana.does("roll", dice="3d6", private=True)
    assert secret.is_private
    for seat, throws in ((phone_of(bo, tables), 1), (rosa, 2)):
        seen = [event for event in seat.events() if "faces" in (event.get("body") or {})]
        assert throws == len(seen)


CONTEST = (
    'active={"attribute": "D", "skill": "D"}; passive={"attribute": "A", "skill": "A"}; secret=true'
)


def contest(user, at):
    """A contest where the referee may still push: both sides have missed."""
    user.throws((2 * D6, (3, 2)), (2 * D12, (3, 2)), at=at)
    return user.begins(GAME, "opposed", more=CONTEST)


def test_a_throw_that_the_rule_hides_is_not_for_the_channel(chat, rosa, loaded):
    """Who rolls is told that it is hidden; the referee decides aside, also in a roll of hers."""
    ana, referee = chat.user("Ana"), chat.user("Rosa")
    referee.does("seat", link=str(rosa.move()))
    message = ana.seen(contest(ana, loaded))
    assert "hidden from you" in message.text
    assert ([], False) == (message.labels, message.is_private)
    waiting = referee.does("push")
    assert (True, 2) == (waiting.is_private, len(waiting.labels))
    assert "waits for you" in ana.does("push").text
    own = referee.seen(contest(referee, loaded))
    assert (True, 2) == (own.is_private, len(own.labels))


def test_what_is_hidden_stays_so_where_it_comes_late(bot, tables, rosa, loaded):
    """An answer that was deferred in the open is taken back, and told aside."""
    discord = bot(tables.address, patience=0.0)
    referee = discord.user("Rosa")
    referee.does("table", link=str(rosa.links["player"]))
    referee.does("seat", link=str(rosa.move()))
    waiting = contest(referee, loaded)
    told = referee.seen(waiting)
    assert (True, True, 2) == (waiting.deferred, told.is_private, len(told.labels))
    assert waiting.message is None


def test_very_many_options_are_a_menu_of_the_best(chat, tables):
    """25 of them, best first, and it is said that there are more."""
    ana = chat.user("Ana")
    phone = phone_of(ana, tables)
    roll = phone.enter(phone.roll(SHOT, physical=True), [8, 10, 6, 6, 6, 6, 6, 6])
    assert roll.option_count > 25
    waiting = ana.does("push")
    assert 25 == len(waiting.labels)
    assert "the 25 best of" in waiting.text
    assert ana.presses(waiting, waiting.labels[0]) is waiting


def test_dice_that_somebody_else_must_throw_have_a_button(chat, tables):
    """A roll that waits for dice of the table shows what it waits for, and lets them fall."""
    ana = chat.user("Ana")
    phone_of(ana, tables).roll("3d6", physical=True)
    waiting = ana.does("push")
    assert ["Throw the dice"] == waiting.labels
    assert "3d6 [" in ana.presses(waiting).text


def test_odds_go_by_the_sheet_and_the_house_rules(chat, tables):
    """The chance of a skill on the sheet; nothing is rolled."""
    ana = chat.user("Ana")
    phone = phone_of(ana, tables)
    phone.do("sheet.create", values=SHEETS[GAME][0])
    told = ana.does(GAME, "skill", pick="skill_name=recon", odds=True)
    form = {"roll": "skill", "pick": {"skill_name": "recon"}}
    chance = phone.preview(draft=form, sheet=phone.seat, parts=["odds"])["chance"]["said"]
    assert chance in told.text
    assert {} == phone.snapshot()["rolls"]


def test_another_game_than_the_tables_is_refused(chat):
    """The table plays one game."""
    assert "plays another game" in chat.user("Ana").does("dust", "roll", pool=4).text


def test_only_a_players_link_of_a_known_server_binds(bot, tables, rosa):
    """A referee's or a spectator's link, another server's, or nonsense binds nothing."""
    discord = bot(tables.address)
    ana = discord.user("Ana")
    for role in ("referee", "spectator"):
        assert "link for players" in ana.does("table", link=str(rosa.links[role])).text
    foreign = "https://elsewhere.example/t/abcdefgh2345#secret"
    assert tables.address in ana.does("table", link=foreign).text
    assert "is no link" in ana.does("table", link="the table").text
    assert "no table" in ana.does("table").text
    assert "no table" in ana.does("seat").text
    assert "16" == discord.commands["table"]["default_member_permissions"]


def test_a_bad_link_costs_nobody_their_seat(chat, rosa):
    """A slip in a link is a sentence in one's own language, and one's seat stays as it was."""
    ana = replace(chat.user("Ana"), locale="de")
    ana.does("roll", dice="1d6")
    dead = str(Link.parse(str(rosa.link))._replace(token="A" * 43))
    for command in ("seat", "table"):
        assert "öffnet keinen Tisch" in ana.does(command, link=dead).text
        assert "öffnet keinen Tisch" in ana.does(command, link=dead[:-1]).text
        assert "kein Link zu einem Tisch" in ana.does(command, link="hallo").text
    ana.does("roll", dice="1d6")
    assert ["Rosa", "Ana"] == names(rosa)


def test_a_channel_lets_its_table_go(chat, rosa, loaded):
    """Then it rolls by itself; a button of the old table says so."""
    ana = chat.user("Ana")
    message = open_roll(ana, loaded)
    assert "no table" in ana.does("table", link="-").text
    assert "Only whoever" in ana.presses(message, "Push").text
    before = len(rosa.log()["events"])
    assert "1d6 [" in ana.does("roll", dice="1d6").text
    assert before == len(rosa.log()["events"])


def test_a_button_of_another_table_is_refused(chat, served, tables, loaded):
    """A channel that was bound anew does not choose at the old table, nor by its names."""
    ana = chat.user("Ana")
    message = open_roll(ana, loaded)
    other = tables.create_table(GAME, name="Rosa")
    ana.does("table", link=str(other.links["player"]))
    open_roll(ana, LoadedTable.of(served, other))
    assert "another table" in ana.presses(message, "Push").text


def test_a_deleted_table_is_said_to_be_gone(chat, rosa, loaded):
    """To who sat there and to who comes anew, with what to do."""
    ana = chat.user("Ana")
    message = open_roll(ana, loaded)
    rosa.delete()
    for told in (ana.presses(message, "Push"), ana.does("roll", dice="1d6")):
        assert "does not know you any more" in told.text
        assert "/table" in told.text
    assert "does not know you any more" in chat.user("Bo").does("roll", dice="1d6").text
    ana.does("table", link="-")
    assert "1d6 [" in ana.does("roll", dice="1d6").text


def test_who_was_removed_is_told(chat, rosa):
    """A seat that the referee took away does not roll."""
    ana = chat.user("Ana")
    ana.does("roll", dice="1d6")
    rosa.do("seat.remove", seat="s2")
    assert "does not know you any more" in ana.does("roll", dice="1d6").text


def test_who_knocks_waits_at_the_door(chat, rosa):
    """A table where newcomers knock lets nobody roll before they are let in."""
    rosa.do("table.change", knock=True)
    ana = chat.user("Ana")
    refused = ana.does("roll", dice="1d6")
    assert refused.is_private
    rosa.do("seat.admit", seat="s2")
    assert "1d6 [" in ana.does("roll", dice="1d6").text


def test_a_full_table_takes_nobody_more(chat, rosa, tables, monkeypatch):
    """Whoever comes when every seat is taken is told so, and gets none."""
    monkeypatch.setattr(interactions, "PATIENCE", 0.1)
    with Server(tables.address, patience=0) as hurried, pytest.raises(ServerError) as full:
        for number in range(200):
            hurried.join(rosa.links["player"], name=f"Number {number}")
    assert "64 seats" in full.value.message
    assert full.value.message == chat.user("Late").does("roll", dice="1d6").text
    assert "Late" not in names(rosa)


def test_a_full_server_says_why_it_takes_no_roll(bot):
    """Beyond the quota of its disk, in the words of the server; the log is as it was."""
    with one_app(**PLENTY, disk_bytes=100_000) as found, Server(found.address) as server:
        rosa = server.create_table(GAME, name="Rosa")
        ana = bot(found.address).user("Ana")
        ana.does("table", link=str(rosa.links["player"]))
        assert "1d6 [" in ana.does("roll", dice="1d6").text
        with pytest.raises(ServerError) as full:
            for _ in range(100):
                rosa.do("chat.send", text="x" * 1000)
        assert "disk_full" == full.value.code
        before = len(rosa.log()["events"])
        refused = ana.does("roll", dice="1d6")
        assert (True, True) == (refused.is_private, full.value.message in refused.text)
        assert before == len(rosa.log()["events"])


def test_a_server_that_is_full_or_away_is_no_silence(chat, monkeypatch):
    """What its disk or its patience refuses is said; nothing is rolled elsewhere instead."""
    ana = chat.user("Ana")
    ana.does("roll", dice="1d6")

    def full(*_, **__):
        raise ServerError(507, {"code": "disk_full", "message": "the disk of the server is full"})

    monkeypatch.setattr(Table, "do", full)
    assert "the disk of the server is full" == ana.does("roll", dice="1d6").text


def test_a_server_that_does_not_answer_is_said_to_be_away(bot, tables, rosa, monkeypatch):
    """After a bounded time, in a sentence."""
    discord = bot(tables.address)
    ana = discord.user("Ana")
    ana.does("table", link=str(rosa.links["player"]))
    monkeypatch.setattr(interactions, "PATIENCE", 0.1)
    away = "http://127.0.0.1:9"
    monkeypatch.setattr(
        interactions.Link, "parse", classmethod(lambda cls, text: cls(away, "abcdefgh2345", "x"))
    )
    assert "does not answer" in ana.does("roll", dice="1d6").text
