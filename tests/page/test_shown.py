"""What a referee copies, shares, saves or streams holds no secret, though they see them all.

What it copies, offers, saves and streams is in web/tests/shown.test.tsx; that what it
fetches for that holds no secret, in tests/server/test_shown.py.
"""

import re
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "web" / "src"

OUTWARD = re.compile(
    r"ui/clipboard|navigator\.(clipboard|share)|ClipboardItem|window\.print|execCommand"
)
"""What takes something out of the page."""
TAKES_OUT = {
    "screens/RecapDialog.tsx": "the evening, made of what everybody may see",
    "table/RollActions.tsx": "a roll as the server tells it to everybody",
    "table/More.tsx": "files of the server: everybody's, or a copy of one's own that says so",
    "table/Invite.tsx": "a link to the table",
    "table/People.tsx": "links to the table and to a seat",
    "ui/clipboard.ts": "how it is done",
    "justroll/index.tsx": "a roll without a table",
    "workbench/ShareTools.tsx": "a program of one's own",
    "workbench/saving.ts": "a program of one's own",
    "workbench/Games.tsx": "a game of one's own",
}
"""Each part of the page that does, with what it takes out."""


def test_every_way_out_of_the_page_is_known():
    """A new one has to be put into the list, and its secrets into a test there."""
    parts = [*SOURCE.rglob("*.ts"), *SOURCE.rglob("*.tsx")]
    found = {str(one.relative_to(SOURCE)) for one in parts if OUTWARD.search(one.read_text())}
    assert set(TAKES_OUT) == found
