"""The history of a table: a session one would like to read, and a table for a spreadsheet."""

import csv
import io
import json

import pytest

from rollwright.i18n.locale import use_locale
from rollwright.jsonable import canonical_json
from rollwright.table.history.documents import CELLS, history_csv, history_markdown, safe
from rollwright.table.history.rolls import die_label
from tests.table.tables import Host, hashed
from tests.table.test_verifying_tables import finish
from tests.table.written_logs import WrittenLog, whole

SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}


def rows(events):
    """The lines of the CSV by column."""
    return list(csv.DictReader(io.StringIO(history_csv(events))))


def an_evening():
    """Two sessions: rolls with notes, words, a wound by hand, a secret, real dice, a push."""
    log = WrittenLog()
    log.say("Where are we?", by="s3")
    name = log.start(note="I look over the wall.")
    log.type(name, [3, 2])
    log.choose(name, "push")
    log.type(name, [6, 1])
    log.play(visibility="blind")
    log.play(visibility="private", announce=False)
    log.sheet("s2", damage=0)
    log.change("s2", damage=(0, 1))
    log.write("session.ended", {"number": 1, "by": "s1"})
    log.now += 7 * 86_400_000
    log.type(log.start("2d6", by="s3"), [1, 2])
    return log


def test_data_in_cells_is_written_as_everywhere():
    """Requests and outcomes stand in the one text that is also hashed: sorted, without spaces."""
    cells = [
        row[name] for row in rows(an_evening().log()["events"]) for name in ("what", "outcome")
    ]
    data = [cell for cell in cells if cell.startswith("{")]
    assert len(data) > 2
    assert data == [canonical_json(json.loads(cell)).decode() for cell in data]


STORY = """\
# The long road

At the table: Rhea (referee), Ann, Bob. All times are UTC.

## Session 1, 2026-09-10

- 00:26 *Rhea sits down.*
- 00:26 *Ann sits down.*
- 00:26 *Bob sits down.*
- 00:26 **Bob**: “Where are we?”
- 00:26 **Ann**, Skill roll: “I look over the wall.”
  - D8 **3**, D10 **2** (real dice); *push*; D8 **6**, D10 **1** (real dice)
  - Ann: D8 3 and D10 2 thrown: no success; pushed (D8 6 and D10 1): 1 success, but the D10 \
shows a 1: 1 damage.
  - Changes: damage 1.
- 00:26 **Ann** rolls blind.
- 00:26 *Ann: damage 0 → 1*

## Session 2, 2026-09-17

- 00:26 **Bob**, Skill roll
  - D6 **1**, D6 **2** (real dice)
  - Bob came to 3
"""


def test_a_session_can_be_read():
    """Who, what, why, dice, sentence and effects; of a secret only what everybody was told."""
    assert STORY == history_markdown(an_evening().log()["events"])


def test_a_copy_of_ones_own_says_so_and_how_much_it_does_not_tell():
    """Whose it is stands in its head, and below each session what is sealed to them too."""
    told = history_markdown(an_evening().log()["events"], "s3")
    head, sealed = "*What Bob may see, secrets included: not for everybody.*", "*2 secret events"
    lines = [line for line in told.splitlines() if line and line not in STORY.splitlines()]
    assert [head, f"{sealed} are not told here.*"] == lines


def a_cheat():
    """s2 gives up what does not suit: before dice, after them, a secret roll and a silent one."""
    host = Host()
    ways = ({}, {"visibility": "private"}, {"visibility": "private", "announce": False})
    for faces in ([], [2, 3]):
        for way in ways:
            host.do("s2", "roll.start", request=SKILL, physical=True, **way)
            if faces:
                host.do("s2", "roll.enter", roll=host.latest("roll"), faces=faces)
            host.do("s2", "roll.cancel", roll=host.latest("roll"))
    host.do("s2", "roll.start", request=SKILL, physical=True)
    host.do("s2", "roll.enter", roll=host.latest("roll"), faces=[2, 3])
    host.do("s2", "roll.repeat", roll=host.latest("roll"))
    host.do("s2", "roll.enter", roll=host.latest("roll"), faces=[8, 10])
    host.do("s1", "roll.undo", roll=host.latest("roll"))
    host.do("s1", "session.end")
    return host


GIVEN_UP = {
    "en": (
        "*player 0: {} rolls given up, {} after the dice were seen · 1 rolled again · 1 undone.*"
    ),
    "de": (
        "*player 0: {} Würfe aufgegeben, {} davon, als die Würfel schon lagen · "
        "1 noch einmal gewürfelt · 1 zurückgenommen.*"
    ),
    "fr": ("*player 0 : {} jets abandonnés, dont {} une fois les dés vus · 1 relancé · 1 annulé.*"),
}


@pytest.mark.parametrize("language", GIVEN_UP)
def test_rolls_that_were_given_up_are_summed_up(language):
    """Everybody reads of those that were announced; of a silent one only who may see it.

    Seven of nine were given up, two of them silently: of the other five three after their dice.
    """
    host = a_cheat()
    with use_locale(language):
        assert GIVEN_UP[language].format(5, 3) in history_markdown(host.seen(""))
        assert GIVEN_UP[language].format(5, 3) in history_markdown(host.seen("s3"), "s3")
        assert GIVEN_UP[language].format(7, 4) in history_markdown(host.seen("s1"), "s1")


def test_a_spreadsheet_says_what_was_given_up_and_what_was_rolled_again():
    """Of a secret roll too, as far as it was announced."""
    found = rows(a_cheat().seen(""))
    abandoned = ["cancelled"] * 5
    assert [*abandoned, "undone"] == [row["status"] for row in found]
    assert ["r5"] == [row["again"] for row in found if row["again"]]
    assert ["open", "private"] * 2 == [row["visibility"] for row in found[:4]]


def test_the_referee_reads_more():
    """The blind roll is told in full to whoever saw it."""
    told = history_markdown(an_evening().log(everything=True)["events"])
    assert "**Ann**, Skill roll (blind)" in told
    assert "(private)" in told
    assert "secret" not in told


def test_a_history_has_no_marks_of_its_writers():
    """Markdown and HTML that people type are shown, not obeyed."""
    log = WrittenLog()
    log.join("*Eve* <script>")
    log.say("# not [a](http://x) `heading` <img src=x onerror=1> & more\n\n- nor a list", by="s4")
    told = history_markdown(log.log()["events"])
    line = told.splitlines()[-1]
    assert r"**\*Eve\* \<script\>**: “\# not \[a\](http://x) \`heading\` \<img" in line
    assert "&amp; more - nor a list" in line
    assert 1 == told.count("\n# ") + told.startswith("# ")


def test_forgotten_people_are_someone():
    """Wherever a name stood, also inside sentences; words that were erased are said to be."""
    host = Host()
    request = {**SKILL}
    host.do("s2", "chat.send", text="hello", to="all")
    host.do("s2", "roll.start", request=request, nonce=hashed("x"))
    finish(host, "s2")
    assert "player 0" in history_markdown(host.seen("s1"))
    host.do("s1", "person.erase", seat="s2")
    told = history_markdown(host.seen("s1"))
    assert "player 0" not in told
    assert "**someone**, Skill roll" in told
    assert "**someone**: *words that were erased*" in told
    assert "someone" == rows(host.seen("s1"))[0]["name"]


def test_names_stand_in_the_place_of_seats():
    """The last name of a seat, also in sentences, requests, choices and effects."""
    log = WrittenLog("")
    name, texts = log.sealed('Zoë "Z"', "s3")
    log.write("seat.renamed", {"seat": "s3", "name": name, "by": "s3"}, texts=texts)
    log.type(log.start("1d6", by="s3", title="@s3 helps @s2, not @s33"), [4])
    events = log.log()["events"]
    assert '**Zoë "Z"**, Zoë "Z" helps Ann, not someone' in history_markdown(events)
    assert ('Zoë "Z"', 'Zoë "Z" helps Ann, not someone') == (
        rows(events)[0]["name"],
        rows(events)[0]["title"],
    )


def test_a_line_for_each_roll():
    """With all that a spreadsheet can use, in columns that stay."""
    found = rows(an_evening().log()["events"])
    assert ["done", "secret", "done"] == [row["status"] for row in found]
    first, secret, last = found
    assert list(CELLS) == list(first)
    assert ("1", "r1", "s2", "Ann", "Skill roll") == tuple(
        first[name] for name in ("session", "roll", "seat", "name", "title")
    )
    assert ("D8, D10; D8, D10", "3, 2; 6, 1", "push", "typed") == tuple(
        first[name] for name in ("dice", "faces", "choices", "how")
    )
    assert "2026-09-10T00:26:46Z" == first["time"]
    assert whole(SKILL) == json.loads(first["what"])
    assert "damage 1" == first["effects"]
    assert ("blind", "", "") == (secret["visibility"], secret["faces"], secret["told"])
    assert ("2", "2d6") == (last["session"], last["what"])


def test_undone_and_abandoned_rolls_say_so():
    """What counts for nothing is marked, and what is open is open."""
    host = Host("")
    host.do("s2", "roll.start", expression="1d6", nonce=hashed("1"))
    host.do("s1", "roll.undo", roll="r1", why="a slip")
    host.do("s2", "roll.start", expression="1d6", physical=True)
    host.do("s2", "roll.cancel", roll="r2")
    host.do("s2", "roll.start", expression="1d6", physical=True)
    assert ["undone", "cancelled", "open"] == [row["status"] for row in rows(host.seen("s2"))]
    told = history_markdown(host.seen("s2"))
    for words in ("Taken back by the referee.", "Let go before its end.", "Still open."):
        assert words in told


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_no_cell_is_a_formula(start):
    """Whatever begins like one gets an apostrophe; the rest is left as it is."""
    assert f"'{start}1" == safe(f"{start}1")
    assert f"x{start}1" == safe(f"x{start}1")


def test_what_people_write_is_no_formula_either():
    """A note, a name, and an expression."""
    log = WrittenLog("")
    log.join("@SUM(A1)")
    log.type(log.start("-1d6", by="s4", note='=HYPERLINK("http://x")'), [4])
    row = rows(log.log()["events"])[0]
    assert ("'@SUM(A1)", "'-1d6", '\'=HYPERLINK("http://x")') == (
        row["name"],
        row["what"],
        row["note"],
    )


def test_faces_that_are_no_numbers_have_names():
    """Labels, blanks and fractions are written as people say them."""
    log = WrittenLog("")
    log.type(log.start("1dF"), [-1])
    assert "'-1" == rows(log.log()["events"])[0]["faces"]
    assert "**-1**" in history_markdown(log.log()["events"])


@pytest.mark.parametrize("seat", ["", "s1", "s2"])
def test_the_history_of_a_real_table_is_written(seat):
    """Asks, sheets, effects, talk to some: whatever a table's log holds is told."""
    host = Host()
    host.do("s2", "sheet.create", values={"name": "Bo", "STR": "B", "recon": "B"})
    host.do("s1", "sheet.create", sheet="npc", values={"name": "Wolf"}, shown=False)
    host.do("s1", "roll_request.create", who="all", request=SKILL, note="quick!")
    host.do("s2", "roll.start", ask="a1", nonce=hashed("asked"))
    finish(host, "s2")
    host.do("s2", "sheet.change", sheet="s2", values={"damage": 2}, why="fell")
    host.do("s2", "chat.send", text="psst", to=["s1"])
    host.do("s1", "session.end")
    told = history_markdown(host.seen(seat))
    assert "asks everybody to roll: “quick!”" in told
    assert "→ 2 (“fell”)" in told
    assert (seat != "") == ("(to " in told)
    assert 1 == len(rows(host.seen(seat)))


def test_an_empty_log_has_a_history():
    """Nothing happened, and that can be told."""
    assert history_markdown([]).startswith("# The history of a table\n")
    assert [] == rows([])


def test_dice_are_called_as_the_reader_calls_them():
    """In the story and in the spreadsheet; a die of a game by its own name."""
    log = WrittenLog()
    log.play("1d20")
    events = log.log()["events"]
    with use_locale("de"):
        assert "W20 **" in history_markdown(events)
        assert ",W20," in history_csv(events)
        assert "Munitionswürfel W6" == die_label("ammo d6", "twilight2000")
        assert "Münze" == die_label("coin", "kleptonomicon") == die_label("coin")
        assert "fate" == die_label("fate", "no_such_game")
    assert ",D20," in history_csv(events)
    assert "ammo d6" == die_label("ammo d6", "twilight2000")


def test_characters_are_named_and_not_who_plays_them():
    """Whoever rolls, wins or is changed in the game is told by the name on the sheet."""
    host = Host("kleptonomicon", players=0)
    for player, character in (("Milo", "Vex"), ("Bo", "Ash")):
        host.join("player", player)
        host.do(f"s{len(host.state.seats)}", "sheet.create", values={"name": character})
    contest = {"roll": "contest", "first": {"name": "@s2", "modifier": 20}}
    contest["second"] = {"name": "@s3"}
    host.do("s2", "roll.start", request=contest, physical=True)
    while host.state.going:
        host.do(
            "s2", "roll.enter", roll="r1", faces=[5] * len(host.state.rolls["r1"].after["dice"])
        )
    told = history_markdown(host.log("s1")["events"])
    (rolled,) = [line for line in told.splitlines() if "Contest" in line]
    assert "**Vex**" in rolled
    assert "Vex" in told.partition(rolled)[2]
    assert "Milo" not in told.partition(rolled)[2]
    host.do("s2", "sheet.change", sheet="s2", values={"name": "Vexine"})
    assert "**Vexine**" in history_markdown(host.log("s1")["events"])
    assert ["Milo"] == [row["name"] for row in rows(host.log("s1")["events"])]
