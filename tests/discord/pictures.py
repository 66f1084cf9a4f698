"""Messages of the simulated Discord as pictures for the documentation, in a look of our own.

`./dev run tests.discord.pictures` makes them anew.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from base64 import b64encode
from html import escape
from pathlib import Path

from PIL import Image
from starlette.testclient import TestClient

from rollwright.client.storage import Storage
from rollwright.discord.app import DiscordSettings, app
from rollwright.discord.commands import commands
from rollwright.discord.interactions import InteractionHandler
from tests.bots import COUNTING
from tests.browsers import a_browser
from tests.discord.simulated import Discord, Message

FOLDER = Path(__file__).parents[2] / "docs" / "pictures" / "discord"
PICTURES = ("choice.webp", "verdict.webp")
SIZE = {"width": 720, "height": 900}
SEEDS = ("chat 1", "push 2")
STYLE = """
body { margin: 0; background: #22252b; color: #e7e9ee; font: 16px/1.45 "DejaVu Sans", sans-serif; }
main { padding: 20px; width: 640px; }
.embed { border-left: 5px solid var(--bar); background: #2c3038; }
.embed { border-radius: 8px; padding: 14px 18px; }
.who { font-weight: 700; font-size: 14px; } h1 { font-size: 18px; margin: 4px 0 8px; }
p { margin: 4px 0; } img { width: 100%; border-radius: 10px; margin-top: 10px; display: block; }
.row { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 10px; }
button { font: inherit; color: #fff; background: #4a4f5a; border: 0; border-radius: 8px; }
button { padding: 8px 16px; }
button.main { background: #3f6fb5; } .command { color: #aeb4c0; margin: 0 0 8px; }
"""


def drawn(message: Message, command: str) -> str:
    """A message as a page."""
    [embed] = message.data["embeds"]
    lines = re.sub(r"\\(.)", r"\1", escape(embed["description"], quote=False))
    bold = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", lines)
    told = "".join(f"<p>{line}</p>" for line in bold.split("\n"))
    picture = b64encode(message.picture).decode()
    buttons = "".join(
        f'<button class="{"main" if part["style"] == 1 else ""}">{escape(part["label"])}</button>'
        for part in message.parts
    )
    return f"""<style>{STYLE}</style><main><p class="command">{escape(command)}</p>
<div class="embed" style="--bar: #{embed["color"]:06x}">
<div class="who">{escape(embed["author"]["name"])}</div>
<h1>{escape(embed["title"])}</h1>{told}<img src="data:image/png;base64,{picture}"></div>
<div class="row">{buttons}</div></main>"""


def messages(folder: Path) -> list[Message]:
    """A burst that misses, and the same after its push, with dice that are settled."""
    discord = Discord()
    discord.numbers.load(*(lambda call, seed=seed: str(seed) for seed in SEEDS))
    discord.commands = {command["name"]: command for command in commands()}
    storage = Storage(folder / "bot.sqlite")
    settings = DiscordSettings(discord.public_key, 60, transport=discord.transport)
    desk = InteractionHandler(storage, COUNTING, numbers=discord.numbers)
    with TestClient(app(settings, desk)) as discord.bot:
        ana = discord.user("Ana")
        first = ana.does("twilight2000", "attack", attribute="B", skill="C", ammo_dice=2)
        choice = Message(first.id, dict(first.data), first.picture)
        shown = [choice, ana.presses(first, "Push")]
    storage.close()
    return shown


def main() -> int:
    """Make the pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, a_browser() as browser:
        page = browser.new_page(viewport=SIZE)
        for name, message in zip(PICTURES, messages(Path(folder)), strict=True):
            page.set_content(drawn(message, "/twilight2000 attack attribute:B skill:C ammo_dice:2"))
            shot = page.locator("main").screenshot()
            Image.open(io.BytesIO(shot)).convert("RGB").save(FOLDER / name, quality=80)
    return 0


if __name__ == "__main__":
    sys.exit(main())
