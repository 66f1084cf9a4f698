"""A game's folder from outside is the same game: in the library, on the command line, at a table.

Whatever is done here is done twice, with our game and with the copy of its folder that somebody
else has installed; everything that is answered, printed or written is equal but for the name.
"""

import json
import re
import sys
from functools import cache

import pytest

import rollwright as rw
from rollwright.errors import RollwrightError
from rollwright.kit.card.pages import sheet_to_json
from rollwright.kit.games import find_game, own_games
from rollwright.queries import answer
from rollwright.queries.errors import error_of
from rollwright.table.fairness import call_hash
from rollwright.table.history.documents import history_csv, history_markdown
from rollwright.table.verify.log import verify_log
from tests.archive.make import SHEETS, STORED, an_evening, moved
from tests.cli.running import rollwright
from tests.drafts import drafted
from tests.queries.asked import ATTACK, CHECK, GROUP, POOL, TALK, TASK, TEST, TURN, arguments
from tests.twins.packages import FOLDERS, GAMES, TWINS, alike, renamed

LANGUAGES = ("en", "de")
ASKED = arguments()


def called(name, plain):
    """Data that names a game, with another name for it."""
    game = next(game for game, twin in TWINS.items() if name in (game, twin))
    text = json.dumps(plain).replace(f'"{game}"', f'"{name}"').replace(f'"{game}:', f'"{name}:')
    return json.loads(text)


@cache
def stored(game):
    """The stored rolls of a game, in the order of their names."""
    paths = sorted((STORED / game / "transcripts").glob("*.json"))
    return [json.loads(path.read_text("utf-8")) for path in paths]


REQUESTS = {
    "dust": {
        "roll": POOL,
        "opposing": {"actor": {"pool": 3}, "defender": {"pool": 2, "name": "Ana"}},
        "extended": TASK,
        "plan": {"rolls": [{"pool": 3}, {"pool": 2}], "adrenaline": 1},
    },
    "edge20": {
        "check": {**CHECK, "effect": "2d6"},
        "turn": TURN,
        "repair": {"tier": 2, "modifier": 4},
    },
    "ghostburn": {"roll": TALK, "session": {"rolls": [TALK, TALK]}},
    "kleptonomicon": {"test": TEST, "contest": {"first": {"modifier": 2}}, "group": GROUP},
    "twilight2000": {
        "skill": {"attribute": "B", "skill": "C"},
        "attack": {**ATTACK, "ammo_dice": 1},
        "opposed": {"active": {"attribute": "B"}, "passive": {"attribute": "C"}},
        "group": {"members": [{"name": "A", "attribute": "B"}, {"name": "B", "attribute": "C"}]},
        "clear_jam": {"attribute": "B", "tries": 2},
        "magazine": {"attribute": "B", "rounds": 3, "ammo_dice": 2},
        "repair": {"attribute": "B", "skill": "C"},
    },
}
"""A request of each kind of roll that is counted in no time."""


def requests(game):
    """The same as data that names its game."""
    return {roll: {"game": game, "roll": roll, **fields} for roll, fields in REQUESTS[game].items()}


def test_the_twins_come_from_outside(site):
    """They are known by entry points alone, and their folders are ours, byte for byte."""
    assert not set(own_games()) & set(TWINS.values())
    assert set(TWINS.values()) <= set(rw.list_games())
    for name, twin in TWINS.items():
        assert find_game(twin).package == twin
        files = [path for path in (FOLDERS / name).rglob("*.*") if "__pycache__" not in path.parts]
        assert len(files) > 8
        for path in files:
            copied = site / twin / path.relative_to(FOLDERS / name)
            assert path.is_dir() or path.read_bytes() == copied.read_bytes()


def test_a_difference_would_be_found():
    """Two games are not twins."""
    with pytest.raises(AssertionError):
        alike("dust", lambda name: f"{name} {len(name) if name == 'dust' else 0}")


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_roll_is_compared(game):
    """One that is added is asked for here too."""
    assert set(requests(game)) == set(find_game(game).requests)


@pytest.mark.parametrize("game", GAMES)
def test_stored_rolls_are_read_and_told_alike(game):
    """Each is true for both, written in the same words, and told alike in every language."""

    def told(name):
        found = []
        for plain in stored(game):
            transcript = rw.verify(called(name, plain))
            said = [
                find_game(name).tell(transcript.request, transcript, code) for code in LANGUAGES
            ]
            found += [transcript.to_json(), repr(transcript.request), *said]
        return found

    alike(game, told)


QUESTIONS = ("odds", "advise", "preview", "sensitivity", "roll", "form")


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_are_answered_alike(game, question):
    """Every kind of roll, by everything that can be asked of it; refusals too."""

    def asked(name):
        found = []
        for roll, request in requests(game).items():
            about = {"request": called(name, request)}
            if question == "sensitivity" and found:
                break  # of one kind it says enough
            if question == "form":
                about = {"game": name, "draft": {"roll": roll}}
            elif question == "roll":
                about |= {"seed": "twin", "policy": find_game(name).default_policy}
            elif question == "preview":
                about |= {"parts": ["odds"]}
            found.append(answered(question, about))
        return found

    alike(game, asked)


def answered(question, about):
    """The answer as data, or what is wrong."""
    try:
        return answer(question, about)
    except RollwrightError as problem:
        return error_of(problem)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_describes_itself_alike(game):
    """Fields, goals, policies, house rules, rulebook, card, and words in each language."""
    for language in LANGUAGES:
        alike(game, lambda name: answer("describe", {"game": name, "language": language}))  # noqa: B023


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_its_own_questions_are_answered_alike(game):
    """Each of them, with the same arguments."""

    def asked(name):
        told = {"game": name}
        return [
            answered("question", told | {"question": one, "arguments": called(name, plain)})
            for one, plain in ASKED[game].items()
        ]

    alike(game, asked)


@pytest.mark.parametrize("game", GAMES)
def test_sheets_and_their_forms_are_alike(game):
    """The widgets of a sheet, and every form that is filled in from it."""
    values, draft = SHEETS[game]

    def shown(name):
        sheet = find_game(name).sheet.from_plain(values)
        about = {"game": name, "sheet": values}
        forms = [answered("form", about | {"draft": drafted(draft)})]
        forms += [answered("form", about | {"draft": {"roll": roll}}) for roll in requests(game)]
        return [sheet_to_json(find_game(name), sheet), forms]

    alike(game, shown)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_command_line_prints_alike(game, language, tmp_path):
    """Help, description, rolls, odds, advice and refusals."""

    def printed(name):
        lines = [["games", name], ["ask", name]]
        for roll, request in requests(game).items():
            file = tmp_path / f"{roll}.json"
            file.write_text(json.dumps(called(name, request)), "utf-8")
            lines += [
                ["games", name, roll],
                ["roll", name, roll, "--help"],
                ["roll", name, roll, "--no-such-option"],
                ["roll", "--from", file, "--seed", "twin", "--policy", "best", "--save", file],
                ["verify", file],
                ["odds", name, roll, "--house", "nothing=1"],
            ]
        first = next(iter(requests(game)))
        plain = tmp_path / "plain.json"
        plain.write_text(json.dumps(called(name, requests(game)[first])), "utf-8")
        lines += [["odds", "--from", plain], ["advise", "--from", plain]]
        question, given = next(iter(ASKED[game].items()))
        wanted = tmp_path / "question.json"
        wanted.write_text(json.dumps(called(name, given)), "utf-8")
        asked = ["ask", name, question.replace("_", "-")]
        lines += [[*asked, "--from", wanted], [*asked, "--help"]]
        return [list(rollwright("--language", language, *words)) for words in lines]

    alike(game, printed)


HASHES = ("hash", "digest", "before", "prev", "epoch", "head")
HASH = re.compile("[0-9a-f]{32}|[0-9a-f]{64}")


def is_hash(name, held):
    """Whether that is a hash over everything; a sheet's value of before is none."""
    return name in HASHES and isinstance(held, str) and bool(HASH.fullmatch(held))


def unhashed(held):
    """A log without what must differ, since a name is different: hashes over everything."""
    if isinstance(held, list):
        return [unhashed(part) for part in held]
    if isinstance(held, dict):
        return {name: unhashed(part) for name, part in held.items() if not is_hash(name, part)}
    return held


@pytest.fixture
def nameless(monkeypatch):
    """Calls are hashed without what differs with the name of a game, so that dice fall alike.

    That is the name itself, and with it the epoch of the table and the head that a device has
    seen. Everything else of a call enters its hash, for those who throw and those who verify.
    """

    def hash_of(table, epoch, seat, call):
        plain = {name: held for name, held in call.items() if name != "head"}
        return call_hash(table, "00" * 32, seat, json.loads(renamed(json.dumps(plain))))

    for name, module in [*sys.modules.items()]:
        ours = name.partition(".")[0] in ("rollwright", "vectors")
        if ours and getattr(module, "call_hash", None) is call_hash:
            monkeypatch.setattr(module, "call_hash", hash_of)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("signed", [False, True], ids=["unsigned", "signed"])
def test_an_evening_is_written_alike(game, signed, nameless):
    """The same commands make the same events, exports and reports; and both logs are true."""

    def evening(name):
        host = an_evening(game, name, signed=signed)
        found = [host.snapshot("s2")]
        for seat in ("s1", "s3", ""):
            log = host.log(seat)
            report = verify_log(log)
            assert () == report.problems
            found += [log, dict(report.counts), history_markdown(log["events"])]
            found += [history_csv(log["events"])]
        host = moved(host)
        assert () == verify_log(host.log("s1")).problems
        return unhashed([*found, host.log("s1")])

    alike(game, evening)
