"""What is told of rolls in every game: in words of the table, and each price in its one unit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.games.test_starters import rows

import rollwright as rw
from rollwright.api import new_transcript
from rollwright.engine.transcript import Transcript
from rollwright.i18n.locale import use_locale
from rollwright.kit import Request, to_plain
from rollwright.kit.card.endings import effect_text, effects_of
from rollwright.kit.card.pages import sheet_to_json
from rollwright.kit.card.texts import LISTS_OF_TEXTS, TEXTS, say
from rollwright.kit.fields import fields_of, made
from rollwright.kit.forms import first_request
from rollwright.kit.games import Game, find_game, own_games
from rollwright.queries import answer
from rollwright.queries.rolls import roll_answer

HERE = Path(__file__).parent
OURS = own_games()
INTERNAL = re.compile(r"[][{}<>_]|\.\.(?!\.)|\b(?:None|True|False)\b|\boption\.")
"""Brackets, braces and names of fields: what a program writes and nobody at a table says."""

MOST_MOMENTS = 8
"""A magazine is fired empty in hundreds of answers, which read like the first."""


def beginnings(game: Game) -> list[Request]:
    """Every roll of a game as it opens: without a sheet, and from the sheets of its starters."""
    assert game.sheet is not None
    found = {}
    for sheet in (None, *(made(game.sheet, dict(one.values)) for one in game.card.starters)):
        drafts: list[Any] = [{"roll": roll} for roll in game.requests]
        drafts += rows(sheet_to_json(game, sheet)["widgets"]) if sheet is not None else []
        for draft in drafts:
            request = first_request(game, draft, sheet, made(game.house, {}))
            assert request is not None, draft
            found[request] = None
    return list(found)


def is_choice(roll: Transcript) -> bool:
    """Whether it waits for somebody to choose."""
    return hasattr(roll.step, "options")


def played(request: Request, seed: int) -> Transcript:
    """A roll to its end, with the first options taken or with the last ones."""
    roll = new_transcript(request)
    while not roll.is_done:
        if is_choice(roll):
            roll = roll.choose(roll.step.options[0 if seed % 2 else -1])
        else:
            roll = rw.roll(roll, seed=seed)
    return roll


def moments(roll: Transcript) -> Iterator[Transcript]:
    """A roll as it begins, after each of its first answers, and at its end."""
    plain = {name: part for name, part in roll.to_plain().items() if name != "outcome"}
    for many in range(min(len(plain["answers"]), MOST_MOMENTS)):
        yield Transcript.from_plain({**plain, "answers": plain["answers"][:many]})
    yield roll


def evening(game: Game) -> Iterator[Transcript]:
    """All stored rolls of a game, and all that it begins with, moment by moment."""
    for path in sorted((HERE / game.name / "transcripts").glob("*.json")):
        stored = json.loads(path.read_text("utf-8"))
        plain = {name: stored[name] for name in stored if name not in ("told", "tell")}
        yield from moments(Transcript.from_plain(plain))
    for number, request in enumerate(beginnings(game)):
        yield from moments(played(request, number))


def texts(held: Any) -> Iterator[str]:
    """Everything that is said in what is shown of a roll."""
    if isinstance(held, list):
        for part in held:
            yield from texts(part)
    if not isinstance(held, dict):
        return
    for name, part in held.items():
        if name in TEXTS:
            yield part
        elif name in LISTS_OF_TEXTS:
            yield from part
        elif name not in ("option", "outcome", "fields", "transcript"):
            yield from texts(part)


@pytest.mark.parametrize("name", OURS)
def test_no_name_of_a_program_is_told(name: str) -> None:
    """Sentences, standings, options, verdicts and effects of an evening are in words, in every
    language of the game.
    """
    game = find_game(name)
    slips = set()
    for roll in evening(game):
        for language in game.words.sources[0]:
            with use_locale(language):
                shown = roll_answer(roll)
            assert shown["told"]
            slips |= {text for text in texts(shown) if INTERNAL.search(text)}
    assert set() == slips


@pytest.mark.parametrize("name", OURS)
def test_what_a_roll_changes_is_said_by_the_game(name: str) -> None:
    """No effect is told by the name of its kind and its amount, as one that no words are for."""
    game = find_game(name)
    effects = [effect for roll in evening(game) for effect in effects_of(roll)]
    assert effects or name == "ghostburn"
    for effect in effects:
        shown = effect_text(game, effect)
        assert isinstance(shown, list), effect
        assert shown[0] in game.words, effect


@pytest.mark.parametrize("name", OURS)
def test_what_changes_on_a_sheet_has_a_name(name: str) -> None:
    """A sheet's fields, and those of the things on it, are called as players call them; house
    rules have names of their own.
    """
    game = find_game(name)
    assert game.sheet is not None
    ids = []
    for field, about in fields_of(game.sheet).items():
        if field == "house":
            continue
        ids.append((f"label.{field}",))
        inner = about.inner.inner if about.kind == "list" else about.inner
        if hasattr(inner, "__dataclass_fields__"):
            ids += [(f"label.{field}.{one}", f"label.{one}") for one in fields_of(inner)]
    for catalog in game.words.sources[0].values():
        assert [] == [either for either in ids if not any(id in catalog for id in either)]


@pytest.mark.parametrize(
    ("name", "roll", "fields", "faces", "english", "german"),
    [
        (
            "kleptonomicon", "test", {"ranges": ["[7..9]"]}, [8],
            "Mixed takes effect", "Gemischt tritt in Kraft",
        ),
        (
            "kleptonomicon", "test", {"ranges": ["[3..4]"]}, [4],
            "the range from 3 to 4 takes effect", "der Bereich von 3 bis 4 tritt in Kraft",
        ),
        (
            "kleptonomicon", "contest", {"first": {"name": "Alice"}, "second": {"name": "Bo"}},
            [4, 8], "Alice loses", "Alice verliert",
        ),
        (
            "twilight2000", "attack",
            {"attribute": "B", "skill": "C", "ammo_dice": 2, "rounds": 30, "weapon": "AK"},
            [2, 3, 1, 1, "push", 1, 1], "jam (AK)", "Ladehemmung (AK)",
        ),
    ],
)  # fmt: skip
def test_effects_read_as_sentences(
    name: str, roll: str, fields: dict[str, Any], faces: list[Any], english: str, german: str
) -> None:
    """These once read `range [7..9]`, `contest [Lose]` and `jam 1`."""
    game = find_game(name)
    made_so = new_transcript(game.request(roll, **fields))
    while faces:
        if isinstance(faces[0], str):
            made_so = made_so.choose(faces.pop(0))
        else:
            size = made_so.step.pool.size
            made_so, faces = made_so.throw(faces[:size]), faces[size:]
    said = [effect_text(game, effect) for effect in effects_of(made_so)]
    assert english in [say(text, name) for text in said]
    assert german in [say(text, name, "de") for text in said]


SPENDS = {
    "dust": [("roll", {"pool": 4, "adrenaline": 2, "spend": 1})],
}
"""Rolls that pay what those do not pay that open by themselves."""


def costs(name: str) -> Iterator[dict[str, Any]]:
    """Every price on every surface: beside the button, under each play, in advice."""
    game = find_game(name)
    requests = beginnings(game)
    requests += [game.request(roll, **fields) for roll, fields in SPENDS.get(name, [])]
    for number, request in enumerate(requests):
        asked = {"request": to_plain(request), "parts": ["odds", "plays"]}
        shown = answer("preview", asked)
        yield from shown["costs"]
        for play in shown.get("plays", []):
            yield from play["costs"]
        choices = [roll for roll in moments(played(request, number)) if is_choice(roll)]
        for roll in choices[:1]:
            advice = answer("advise", {"transcript": roll.to_plain()})
            for option in advice["options"]:
                yield from option.get("costs", [])


@pytest.mark.long
@pytest.mark.parametrize("name", OURS)
def test_a_price_has_one_unit_everywhere(name: str) -> None:
    """A chance is said as one in so many, or as certain, an amount as so much of something and
    never in percent: beside the button, under every play and on every option, for all prices.
    """
    prices = find_game(name).card.prices
    met = set()
    for cost in costs(name):
        chance = "chance" == prices[cost["name"]].unit
        assert chance == cost["chance"], cost
        said = r"certain: " if cost["number"] == 1 else r"[\d,]+ in [\d,]+ "
        assert chance == bool(re.match(said, cost["words"])), cost
        assert "%" not in cost["words"], cost
        met.add(cost["name"])
    assert set(prices) == met


def test_stress_is_the_average_of_what_is_paid() -> None:
    """T2K R12: a pushed D8 and D10 show a 1 in 1/8 + 1/10 = 9/40 on average: in advice, in its
    reason and in the verdict it is points.
    """
    check = {"attribute": "B", "skill": "C", "skill_name": "recon"}
    request = find_game("twilight2000").request("skill", **check)
    lying = new_transcript(request).throw([3, 4])
    advice = answer("advise", {"transcript": lying.to_plain()})
    [push] = [option for option in advice["options"] if option["option"] == "push"]
    [stress] = push["costs"]
    assert Fraction(9, 40) == Fraction(stress["exact"])
    assert "about 0.2 points of stress" == stress["words"]
    assert advice["why"].endswith("the price: about 0.2 points of stress.")
    ended = roll_answer(lying.choose("push").throw([1, 7]))
    assert ["1 point of stress"] == ended["step"]["verdict"]["paid"]
