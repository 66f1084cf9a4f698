"""What a run leaves behind: JSON, pictures, and the tables in the docs."""

from __future__ import annotations

import json
import os
import platform
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
PICTURES = ROOT / "docs" / "pictures"
PAGE = ROOT / "docs" / "benchmarks.md"


def surroundings() -> dict[str, Any]:
    """What the times depend on."""
    return {
        "date": date.today().isoformat(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "cpus": os.cpu_count(),
        "versions": {name: version(name) for name in ("rollwright", "icepool", "dyce")},
    }


def save_json(name: str, data: dict[str, Any]) -> Path:
    """Write benchmarks/results/<name>.json."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    path = RESULTS / f"{name}.json"
    text = json.dumps({**surroundings(), **data}, indent=2, ensure_ascii=False)
    path.write_text(text + "\n", "utf-8")
    return path


def save_picture(name: str, svg: str) -> Path:
    """Write docs/pictures/<name>.svg."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    path = PICTURES / f"{name}.svg"
    path.write_text(svg, "utf-8")
    return path


def refresh_page(name: str, text: str, page: Path = PAGE) -> bool:
    """Put a text between its markers in a page of the docs, if the page has them."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    old = page.read_text("utf-8") if page.exists() else ""
    if begin not in old or end not in old:
        return False
    before, _, rest = old.partition(begin)
    after = rest.partition(end)[2]
    page.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", "utf-8")
    return True


def when_and_where() -> str:
    """One line for under a table."""
    found = surroundings()
    peers = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    return (
        f"{found['python']} on {found['system']}, {found['cpus']} CPUs, {found['date']}; {peers}."
    )
