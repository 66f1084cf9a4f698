"""Nothing escapes translation: in the pseudo-language every message has accents.

What has none was never a message: it must be a name somebody typed, dice, or a code that is typed
as it stands. The few others are listed here, each with its reason.
"""

import json
from pathlib import Path

import pytest

from rollwright.engine.steps import Choice
from rollwright.engine.transcript import Transcript
from rollwright.errors import RollwrightError
from rollwright.gamecheck.messages import names_of
from rollwright.i18n.languages import PSEUDO
from rollwright.i18n.locale import format_text, use_locale
from rollwright.kit.card.choices import choice_to_json, option_to_json
from rollwright.kit.card.endings import effect_text, effects_of, ending_to_json, title_text
from rollwright.kit.card.pages import sheet_to_json
from rollwright.kit.card.texts import format_texts, say
from rollwright.kit.fields import made
from rollwright.kit.forms import form_of
from rollwright.kit.games import find_game, own_games
from rollwright.queries import answer
from rollwright.table.history.documents import history_markdown
from tests.cli.running import rollwright
from tests.i18n.pseudo import codes, leftovers

ROOT = Path(__file__).parent.parent
GAMES = own_games()
CODES = list(codes())
HARD = "--ability 3 --dl Hard"
METAVARS = "ARGS COMMAND OPTIONS WHAT FILE GAME QUESTION ROLL NAME VALUE I completion bash fish"
METAVARS += " discord webhooks"
"""What stands for something to be typed, and the names of commands and shells."""
RANGES = "Win Lose"
"""Ranges of a Contest, called as the game's sheets write them: [Win]."""
LINES = [
    *("--help", "roll --help", "odds --help", "advise --help", "compare --help"),
    *("games --help", "ask --help", "verify --help", "completion --help", "games"),
    *(f"games {name}" for name in GAMES),
    *("games ghostburn roll", "games twilight2000 attack", "odds 4d6kh3", "odds 2d6 --exact"),
    *("odds 100d6", f"odds ghostburn roll {HARD}", f"odds ghostburn roll {HARD} --help"),
    "odds twilight2000 attack --attribute B --skill B --ammo-dice 3",
    "odds (@n)d6 --target 65% --over n --where it>=5",
    f"odds ghostburn roll {HARD} --sensitivity",
    f"odds ghostburn roll {HARD} --vary ability=1..4",
    *("compare 2d6 1d12", f"roll ghostburn roll {HARD} --faces 3,9"),
    *("roll dust --pool 4 --faces 1,2,3,4", f"advise ghostburn roll {HARD}"),
    *(f"advise ghostburn roll {HARD} --faces 3,9", "advise edge20 check --dc 15 --rerolls 1"),
    *("ask ghostburn", f"ask ghostburn point-worth {HARD}", "ask dust chances roll --pool 4"),
    *("roll dust --pool 99", "roll dusty roll", "roll 2d6 --bogus", "odds 2d6 --goal x"),
    *(f"odds ghostburn roll {HARD} --goal nonsense", "odds ghostburn roll --dl Hard"),
]


@pytest.mark.parametrize("line", LINES)
def test_the_command_line_says_nothing_untranslated(line):
    """Help, tables, advice, answers and refusals of every command that players use."""
    done = rollwright("--language", PSEUDO, *line.split())
    kinds = "game"  # other languages choose the word for a kind by it
    assert [] == leftovers(done.out + done.err, *CODES, METAVARS, kinds, line)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_words_for_all_of_its_description(name):
    """Fields, house rules, goals, policies, questions, outcomes and answers have a text."""
    game = find_game(name)
    assert [] == [named for named in names_of(game) if not any(id in game.words for id in named[1])]


def texts_in(held):
    """Every text in what a form or a sheet shows: messages, and what is said as it is."""
    if isinstance(held, dict):
        for key, part in held.items():
            if key in ("label", "help", "text", "title", "note", "why", "off", "none", "add"):
                yield part
            elif key not in ("request", "draft", "value", "values", "set", "pick", "fresh", "held"):
                yield from texts_in(part)
    elif isinstance(held, list):
        for part in held:
            yield from texts_in(part)


def pseudo_said(game, text):
    """A text as the pseudo-language says it."""
    return say(text, game.name, PSEUDO) if isinstance(text, str | list) else ""


@pytest.mark.parametrize("name", GAMES)
def test_forms_and_sheets_say_nothing_untranslated(name):
    """Every control and widget, with a ready character where the game has one."""
    game = find_game(name)
    values = dict(game.card.starters[0].values) if game.card.starters else {}
    sheet = None if game.sheet is None else made(game.sheet, {"name": "Ann", **values})
    found = [
        form_of(game, {"roll": roll}, one, game.house())
        for roll in game.requests
        for one in (None, sheet)
    ]
    shown = [*texts_in(found), *texts_in(sheet_to_json(game, sheet) if sheet else {})]
    assert shown
    said = "\n".join(pseudo_said(game, text) for text in shown)
    typed = json.dumps(values)
    assert [] == leftovers(said, *CODES, typed, "Ann")


def stored(name):
    """The rolls that are stored for a game."""
    for path in sorted((ROOT / "games" / name / "transcripts").glob("*.json")):
        yield json.loads(path.read_text("utf-8"))


@pytest.mark.parametrize("name", GAMES)
def test_rolls_are_told_and_judged_in_messages(name):
    """Title, story, question, options, verdict and effects of every stored roll."""
    game = find_game(name)
    for plain in stored(name):
        roll = Transcript.from_plain(plain)
        texts = [title_text(roll.request), game.tell(roll.request, roll, PSEUDO)]
        if isinstance(roll.step, Choice):
            texts += [part for part in format_texts(choice_to_json(roll), list).values()]
            for option in roll.step.options:
                shown = option_to_json(roll, option).items()
                texts += [part for key, part in shown if key not in ("option", "tone")]
        if roll.is_done:
            ending = ending_to_json(roll)
            verdict = ending["verdict"]
            texts += [verdict.get("word", ""), *verdict.get("detail", ()), *verdict.get("paid", ())]
            texts += ending.get("sum", {}).get("terms", ())
            texts += [effect_text(game, effect) for effect in effects_of(roll)]
        said = "\n".join(pseudo_said(game, text) for text in texts)
        assert [] == leftovers(said, *CODES, RANGES, json.dumps(plain["request"]))


@pytest.mark.parametrize("name", GAMES)
def test_advice_is_in_messages(name):
    """Why the best call is best, for the first stored roll that waits for a choice."""
    waiting = [plain for plain in stored(name) if "outcome" not in plain]
    for plain in waiting[:1]:
        try:
            found = answer("advise", {"transcript": plain, "language": PSEUDO})
        except RollwrightError:
            continue
        said = f"{found['why']}\n{found['goal']['title']}"
        assert [] == leftovers(said, *CODES, json.dumps(plain["request"]))


@pytest.mark.parametrize("name", GAMES)
def test_a_history_is_told_in_the_readers_language(name):
    """The export of an evening of each game, but for names and what people said."""
    log = next(log for log in archived() if log["events"][0]["body"].get("game") == name)
    with use_locale(PSEUDO):
        text = history_markdown(log["events"])
    typed = json.dumps([event.get("texts") for event in log["events"]])
    sheets = json.dumps([event.get("body") for event in log["events"]])
    assert "[" in text
    assert [] == leftovers(text, *CODES, typed, sheets)


def archived():
    """The logs of the archive."""
    for path in sorted((ROOT / "archive").rglob("*.json")):
        log = json.loads(path.read_text("utf-8"))
        if isinstance(log, dict) and log.get("events") and log["events"][0].get("body"):
            yield log


def test_a_refusal_of_fields_is_said_in_the_readers_language():
    """What a stranger's request is refused with, by `language` in the question."""
    with use_locale(PSEUDO), pytest.raises(RollwrightError) as refused:
        answer("odds", {"request": {"game": "dust", "roll": "roll", "pool": 99}})
    with use_locale(PSEUDO):
        said = format_text(refused.value.wording)
    assert [] == leftovers(said, *CODES)
