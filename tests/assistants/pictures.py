"""What an assistant asks and is told, as a picture for the documentation, in a look of our own.

`./dev run tests.assistants.pictures` makes it anew.
"""

from __future__ import annotations

import asyncio
import io
import sys
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from mcp import Client
from PIL import Image

from rollwright.mcp.server import make_server
from tests.bots import COUNTING
from tests.browsers import a_browser

FOLDER = Path(__file__).parents[2] / "docs" / "pictures" / "assistant"
PICTURE = "push.webp"
SIZE = {"width": 820, "height": 900}
SKILL = {"game": "twilight2000", "roll": "skill", "attribute": "B", "skill": "C"}
STYLE = """
body { margin: 0; background: #f4f1ea; color: #23262b; font: 16px/1.45 "DejaVu Sans", sans-serif; }
main { padding: 22px; width: 740px; }
.person { margin: 0 0 12px auto; width: fit-content; background: #dfe8f5; }
.person { border-radius: 14px; padding: 8px 16px; }
.tool { background: #fff; border: 1px solid #d8d2c4; border-radius: 10px; margin-bottom: 12px; }
.tool { padding: 10px 16px; }
.call { font: 13px/1.4 "DejaVu Sans Mono", monospace; color: #6a5f4b; }
p { margin: 4px 0; }
"""


class Asked(NamedTuple):
    """A call of a tool and its answer; or, without a tool, what the person says."""

    tool: str
    call: str
    told: str
    data: dict[str, Any]


async def conversation() -> list[Asked]:
    """A push with dice of the person's own: odds, throw, advice, choice; as the tools answer it."""
    found: list[Asked] = []
    async with Client(make_server(COUNTING)) as client:

        async def call(tool: str, shown: str, **arguments: Any) -> dict[str, Any]:
            answer = await client.call_tool(tool, arguments)
            text = answer.content[0].text  # type: ignore[union-attr]
            assert not answer.is_error, text
            data = dict(answer.structured_content or {})
            found.append(Asked(tool, shown, text, data))
            return data

        found.append(Asked("", "", "I shoot a lock open: B and C. What are my chances?", {}))
        await call("odds", "request: skill, B and C", request=SKILL)
        found.append(Asked("", "", "I throw my own dice: 3 and 2.", {}))
        rolled = await call("roll", "the same, faces: 3, 2", request=SKILL, faces=[3, 2])
        await call("advise", "roll: …", roll=rolled["roll"])
        found.append(Asked("", "", "Push! An 8 and a 1.", {}))
        chosen = {"roll": rolled["roll"], "option": "push", "faces": [8, 1]}
        await call("go_on", "option: push, faces: 8, 1", **chosen)
    return found


def drawn(asked: list[Asked]) -> str:
    """A conversation as a page; ids and links, which are new each time, are cut."""
    parts = []
    for one in asked:
        if not one.tool:
            parts.append(f'<p class="person">{escape(one.told)}</p>')
            continue
        lines = [line.partition(": go_on with roll")[0] for line in one.told.splitlines()]
        lines = [line for line in lines if not line.startswith("Promise")]
        short = [f"{line[:50]}…" if line.startswith("To check") else line for line in lines]
        told = "".join(f"<p>{escape(line)}</p>" for line in short)
        call = f'<p class="call">{one.tool}({escape(one.call)})</p>'
        parts.append(f'<div class="tool">{call}{told}</div>')
    return f"<style>{STYLE}</style><main>{''.join(parts)}</main>"


def main() -> int:
    """Make the picture."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    asked = asyncio.run(conversation())
    with a_browser() as browser:
        page = browser.new_page(viewport=SIZE)
        page.set_content(drawn(asked))
        shot = page.locator("main").screenshot()
        Image.open(io.BytesIO(shot)).convert("RGB").save(FOLDER / PICTURE, quality=80)
    return 0


if __name__ == "__main__":
    sys.exit(main())
