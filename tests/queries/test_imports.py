"""What `ask` and its users may import: surfaces know the answers, the answers know no surface."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import rollwright

HOUSE = Path(rollwright.__file__).parent
SURFACES = ("cli", "server", "client")
START_THE_SERVER = ("serve", "db", "admin")
"""Commands that are about the server; they load it when they are called."""

COUNTING = """
import sys
from rollwright.workers.tasks import run_query, warm_up
from rollwright.budget import Budget
warm_up()
answer = run_query({"ask": "preview", "request": {"game": "dust", "pool": 4}}, Budget())
assert "chance" in answer["answer"], answer
print(*sorted(sys.modules))
"""

ASKING = """
import sys
from rollwright.queries import answer
from rollwright.queries.answers import ANSWERS
assert answer("odds", {"expression": "2d6", "where": "it = 12"})["chance"] == "1/36"
print(*sorted(sys.modules))
"""


def imports_of(room: str) -> Iterator[tuple[Path, str]]:
    """Every module that a room imports, at the top or inside functions, and where."""
    for path in sorted((HOUSE / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield path, node.module
                yield from ((path, f"{node.module}.{one.name}") for one in node.names)
            elif isinstance(node, ast.Import):
                yield from ((path, one.name) for one in node.names)


def room_of(module: str) -> str:
    """The part of the house that a module belongs to; empty for those of others."""
    parts = module.split(".")
    return parts[1] if parts[0] == "rollwright" and len(parts) > 1 else ""


def loaded_by(code: str) -> set[str]:
    """What a fresh Python has loaded after some code."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_answers_know_no_surface_and_no_game() -> None:
    """From anywhere, games by name; only a log and what proves a shared roll need the table."""
    for path, module in imports_of("ask"):
        assert room_of(module) not in (*SURFACES, "games"), f"{path.name} imports {module}"
        if room_of(module) == "table":
            assert path.name in ("rolls.py", "proofs.py", "links.py"), (
                f"{path.name} imports {module}"
            )


def test_answers_need_no_dependency() -> None:
    """Only Python's own modules and the library's."""
    for path, module in imports_of("ask"):
        top = module.partition(".")[0]
        assert top == "rollwright" or top in sys.stdlib_module_names, f"{path.name}: {module}"


def test_server_and_command_line_do_not_know_each_other() -> None:
    """Only the commands that are about the server load it."""
    for path, module in imports_of("server"):
        assert room_of(module) != "cli", f"{path.name} imports {module}"
    for path, module in imports_of("cli"):
        about_it = path.stem.removesuffix("_command") in START_THE_SERVER
        assert about_it or room_of(module) != "server", f"{path.name} imports {module}"


def test_a_counting_process_loads_no_command_line() -> None:
    """What counts for the server needs neither click nor our commands."""
    loaded = loaded_by(COUNTING)
    assert "rollwright.queries.answers" in loaded
    unneeded = ("click", "prometheus_client", "rich", "sqlalchemy", "starlette", "uvicorn")
    assert not {name for name in loaded if name.partition(".")[0] in unneeded}
    assert not {name for name in loaded if room_of(name) in ("cli", "client")}


def test_a_question_loads_the_library_alone() -> None:
    """Nothing of a surface, no table, and nothing that would have to be installed."""
    loaded = loaded_by(ASKING)
    assert not {name for name in loaded if room_of(name) in (*SURFACES, "table")}
    assert not {name for name in loaded if name.partition(".")[0] in ("click", "msgspec", "rich")}
