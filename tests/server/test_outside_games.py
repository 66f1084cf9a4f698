"""Games of other packages at a server: broken ones are named, and no card disturbs other tables."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from benchmarks.soak.servers import App

from tests.server.harness import found, nonce, one_app, waits_for

pytestmark = pytest.mark.long

SMALL = """
from typing import NamedTuple
from rollwright.dice import D6
from rollwright.kit import Effect, Game, Request, Value, field, preset
from rollwright.kit.card import Card
from rollwright.rules import choose, roll, rule

class Fall(NamedTuple):
    height: int

class Sheet(Value):
    name: str = preset("", "who it is", most=20)
    luck: int = preset(1, "luck", 0, 3)

class Drop(Request, roll="drop", title="Drop", outcome=Fall):
    "A die falls."
    dice: int = field(help="how many", low=1, high=6)

@rule
async def drop(asked: Drop) -> Fall:
    hand = await roll(asked.dice * D6)
    if await choose("keep", "again") == "again":
        hand = await roll(asked.dice * D6)
    return Fall(sum(hand))

{card}

game = Game(
    name={name!r}, title={name!r}, summary="A die.", requests={{Drop: drop}}, sheet=Sheet{more}
)
"""
LYING = ["marks", "lies", "label", "whose", "standing", "ask", "offered", "assignment"]
PARTS = ["title", "start", "fill", "form", "sheet", "knows", "verdict", "is_good", "told", "effect"]


def card_of(name: str, body: str, parts: Sequence[str] = (*PARTS, *LYING)) -> str:
    """A card of which every part, or some, does the same."""
    made = [f"    def {part}(self, *_):\n        {body}" for part in parts]
    return "\n".join([f"class {name}(Card):", *made])


ASLEEP = """
import time
class Asleep(Card):
    def form(self, asked):
        time.sleep(1000)
"""
PACKAGES = {
    "half": "raise RuntimeError('half written')",
    "dust": SMALL.format(name="dust", card="", more=""),
    "later": SMALL.format(name="later", card="", more=", api=2, weather='fair'"),
    "stuck": SMALL.format(
        name="stuck", card=card_of("Stuck", "while True: pass"), more=", card=Stuck()"
    ),
    "halting": SMALL.format(
        name="halting",
        card=card_of("Halting", "while True: pass", ["form", "told"]),
        more=", card=Halting()",
    ),
    "torn": SMALL.format(
        name="torn", card=card_of("Torn", "raise KeyError('x')"), more=", card=Torn()"
    ),
    "asleep": SMALL.format(name="asleep", card=ASLEEP, more=", card=Asleep()"),
}


def install(site: Path, packages: dict[str, str]) -> None:
    """Put packages with games where Python looks for them, as an installer would."""
    for name, text in packages.items():
        (site / f"outside_{name}.py").write_text(text, "utf-8")
        about = site / f"outside_{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: outside-{name}\nVersion: 1\n"
        )
        point = f"[rollwright.games]\n{name} = outside_{name}:game\n"
        (about / "entry_points.txt").write_text(point)


@contextmanager
def beside(site: Path, packages: dict[str, str]) -> Iterator[App]:
    """A server beside which packages with games are installed."""
    install(site, packages)
    with pytest.MonkeyPatch.context() as patch:
        before = os.environ.get("PYTHONPATH", "")
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(site), before])))
        with one_app() as app:
            yield app


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A server with these games."""
    with beside(tmp_path_factory.mktemp("site"), PACKAGES) as app:
        yield app


def test_what_is_broken_is_named_and_the_others_are_listed(app: App) -> None:
    """Half written, a name that is taken, another API: each is said, and all else is there."""
    listed = httpx.get(f"{app.address}/api/v1/games", timeout=60).json()
    assert {"dust", "twilight2000", "stuck", "torn"} <= {game["name"] for game in listed["games"]}
    said = {one["name"]: one["problem"] for one in listed["broken"]}
    assert {"half", "dust", "later"} == set(said)
    assert "RuntimeError: half written" in said["half"]
    assert "there is a game of that name already" in said["dust"]
    assert "for game API 2; this rollwright speaks 1: update rollwright" in said["later"]
    assert 200 == httpx.get(f"{app.address}/api/v1/games/dust", timeout=60).status_code


def test_a_broken_game_is_refused_by_its_name(app: App) -> None:
    """Whoever asks for it hears what is wrong with it."""
    about = httpx.get(f"{app.address}/api/v1/games/half", timeout=60)
    assert 400 == about.status_code
    assert "half written" in about.json()["error"]["message"]
    body = {"request": {"game": "half", "roll": "drop"}}
    asked = httpx.post(f"{app.address}/api/v1/odds", json=body, timeout=60)
    assert 400 == asked.status_code
    assert "half written" in asked.json()["error"]["message"]


def evening(app: App, name: str) -> dict[str, object]:
    """A roll at a table of a game from its form to its end, and what was shown on the way."""
    table = found([app.address], game=name)
    player = table.join("Nix")
    player.do("sheet.create", values={"name": "Nix"})
    form = player.post("/form", {"draft": {"roll": "drop", "set": {"dice": 2}}})
    assert 200 == form.status, form.text
    assert form.json["can"]
    draft = {"roll": "drop", "set": {"dice": 2}}
    events = player.do("roll.start", draft=draft, nonce=nonce())
    roll, after = waits_for(events)
    if after["step"] == "throw":
        roll, after = waits_for(player.do("roll.throw", roll=roll, nonce=nonce()))
    _, done = waits_for(player.do("roll.choose", roll=roll, option="keep"))
    sheet = player.get(f"/sheets/{player.seat}/card")
    assert 200 == sheet.status, sheet.text
    table.close()
    return {"form": form.json, "choice": after, "done": done, "sheet": sheet.json}


def meanwhile(app: App, name: str) -> tuple[dict[str, object], int]:
    """An evening of a game, and how many rolls of another table ended while it went on."""
    table = found([app.address], game="dust")
    player = table.join("Bo")
    rolled = 0
    with ThreadPoolExecutor() as beside:
        going = beside.submit(evening, app, name)
        while not going.done():
            _, after = waits_for(player.do("roll.start", expression="2d6", nonce=nonce()))
            assert "done" == after["step"]
            rolled += 1
    table.close()
    return going.result(), rolled


@pytest.mark.long
@pytest.mark.parametrize("name", ["torn", "stuck"])
def test_a_card_that_fails_everywhere_stops_no_roll(app: App, name: str) -> None:
    """Whether it raises or never ends: the defaults are shown, and the form and the log say so.

    Others roll meanwhile: between any two questions about a card of which every part has to be
    interrupted they have their turn.
    """
    shown, rolled = meanwhile(app, name)
    assert name == "torn" or rolled > 1  # one that raises is soon done
    form, choice, done = shown["form"], shown["choice"], shown["done"]
    assert "card.failed" == form["form"][0]["text"][0]
    assert "set.dice" in [control.get("at") for control in form["form"]]
    assert [{"option": "keep", "said": "keep"}, {"option": "again", "said": "again"}] == (
        choice["options"]
    )
    assert done["told"].startswith("height ")
    assert ["note", "track"] == [widget["widget"] for widget in shown["sheet"]["widgets"]]
    log = app.log.read_text("utf-8")
    how = "fails" if name == "torn" else "takes too long"
    for part in ("form", "fill", "marks", "offered", "told", "verdict"):
        assert f"{name}: {part} of its card {how}; the default is shown" in log


def test_a_card_that_sleeps_is_woken(app: App) -> None:
    """One that waits for something is not waited for; nobody else is disturbed."""
    form = evening(app, "asleep")["form"]
    assert "set.dice" in [control.get("at") for control in form["form"]]


def test_other_tables_go_on_after_that(app: App) -> None:
    """The same server, a game whose card is sound: nothing of it is switched off."""
    table = found([app.address], game="dust")
    player = table.join("Nix")
    form = player.post("/form", {"draft": {"roll": "roll", "set": {"pool": 3}}}).json
    assert form["can"]
    assert "card.failed" not in str(form["form"][0])
    assert form["marks"]
    table.close()


@pytest.mark.long
def test_the_stateless_form_is_bounded_too(app: App) -> None:
    """It is answered by the same process, of which a question has eight seconds in all."""
    body = {"game": "halting", "draft": {"roll": "drop", "set": {"dice": 2}}}
    form = httpx.post(f"{app.address}/api/v1/form", json=body, timeout=60).json()
    assert form["can"]
    rolled = {"request": {"game": "halting", "roll": "drop", "dice": 2}, "faces": [3, 4]}
    roll = httpx.post(f"{app.address}/api/v1/roll", json=rolled, timeout=60)
    assert 200 == roll.status_code, roll.text
