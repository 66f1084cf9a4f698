"""An evening of each game in a chat: three people, every kind of roll, and a log that verifies."""

import pytest

from rollwright.kit.games import find_game, own_games
from tests.archive.make import SHEETS
from tests.discord.test_tables import phone_of
from tests.gates import but

MOST_PRESSES = 40


def played(user, message):
    """A roll to its end, each time by the option that is offered last."""
    for _ in range(MOST_PRESSES):
        if not message.labels:
            return
        message = user.presses(message, message.labels[-1])
    raise AssertionError(f"it does not end: {message.text}")


@pytest.mark.long
@pytest.mark.parametrize("game", but(own_games(), "ghostburn"))
def test_three_people_play_an_evening(bot, tables, game):
    """Nothing is refused by Discord's limits, everybody's dice are in one log, and it is true."""
    rosa = tables.create_table(game, name="Rosa")
    discord = bot(tables.address)
    people = [discord.user(name) for name in ("Ana", "Bo", "Cy")]
    people[0].does("table", link=str(rosa.links["player"]))
    sheet, _ = SHEETS[game]
    private = 0
    for number, user in enumerate(people):
        phone = phone_of(user, tables)
        phone.do("sheet.create", values={**sheet, "name": f"{user.name} the Bold"})
        whole = next(one for one in phone.snapshot()["sheets"] if one["sheet"] == phone.seat)
        for roll in find_game(game).requests:
            # Whatever the dice did to the sheet, the next roll begins with a fresh one.
            phone.do("sheet.change", sheet=phone.seat, values=whole["values"])
            picks = [one["value"] for one in user.completes(game, roll, "pick")]
            options = {"pick": picks[number % len(picks)]} if picks else {}
            odds = user.does(game, roll, odds=True, **options)
            assert not odds.is_private, odds.text
            message = user.does(game, roll, **options)
            assert not message.is_private, message.text
            assert f"{user.name} the Bold" in message.text
            assert message.picture
            played(user, message)
        secret = user.does("roll", dice="1d20", private=True)
        private += secret.is_private
        assert "Nothing waits" in user.does("push").text
    assert [] == discord.broken
    assert 3 == private
    log = rosa.log()
    kinds = [event["kind"] for event in log["events"]]
    assert 3 * (len(find_game(game).requests) + 1) == kinds.count("roll.started")
    assert tables.verify(log=log)["true"] is True
