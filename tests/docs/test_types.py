"""Strict type checkers find nothing in the examples of the pages: mypy, and pyright's kin."""

import json
import re
import subprocess
import sys

import pytest

from tests.docs.examples import PAGES, ROOT, module_of
from tests.gates import thorough

pytestmark = pytest.mark.long

STRICT = {
    "typeCheckingMode": "strict",
    "pythonVersion": "3.11",
    "extraPaths": [str(ROOT / "src")],
    "reportUnusedExpression": False,  # a prompt shows what one types
    "reportUnusedImport": False,  # a page shows what there is to import
    "reportDuplicateImport": False,  # and where one begins to read says it again
}
USERS = ROOT / "tests" / "typing" / "users.py"
WRONG = "number: int = 'none'\n"
"""Stands beside the examples, so that a checker that looks at nothing is found out."""


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    """The examples of each page as a module, one of them wrong, and what a checker is told."""
    folder = tmp_path_factory.mktemp("typed")
    for page in PAGES:
        if text := module_of(page):
            name = re.sub(r"\W", "_", page.relative_to(ROOT).with_suffix("").as_posix())
            (folder / f"{name}.py").write_text(text, "utf-8")
    (folder / "users.py").write_text(USERS.read_text("utf-8"), "utf-8")
    (folder / "wrong.py").write_text(WRONG, "utf-8")
    (folder / "pyrightconfig.json").write_text(json.dumps(STRICT), "utf-8")
    return folder


def complaints(folder, *command):
    """What a checker finds, line by line of the pages."""
    words = [sys.executable, "-m", *command]
    done = subprocess.run(words, cwd=folder, capture_output=True, encoding="utf-8")
    found = re.findall(r"^ *(?:\S*[/\\])?(\w+\.py:\d+.*error:.*)", done.stdout, re.M)
    assert found, done.stdout + done.stderr
    return found


def assert_only_wrong(found):
    """What is wrong on purpose is found, and nothing else."""
    assert [] == [line for line in found if not line.startswith("wrong.py:1")]
    assert found


def test_mypy_is_content_with_every_example(modules, monkeypatch):
    """`mypy --strict`, over all pages at once."""
    monkeypatch.setenv("MYPYPATH", str(ROOT / "src"))
    options = ["--strict", "--python-version=3.11", "--config-file=", "--cache-dir=cache", "."]
    assert_only_wrong(complaints(modules, "mypy", *options))


@thorough  # mypy has looked at them
def test_pyright_is_content_with_every_example(modules):
    """Basedpyright in its `strict` mode, which is pyright's; it comes with a Node of its own."""
    assert_only_wrong(complaints(modules, "basedpyright", "--pythonpath", sys.executable))


def test_a_page_is_a_module_with_its_own_lines(tmp_path):
    """Each example stands where it stands on the page, and what shows a refusal is left out."""
    page = tmp_path / "page.md"
    fence = "`" * 3
    lines = ["# A", "", f"{fence}pycon", ">>> def one():", "...     return 1", ">>> one()", "1"]
    lines += [">>> int('x')", "Traceback (most recent call last):", "    ...", "ValueError: x"]
    page.write_text("\n".join([*lines, fence, f"{fence}console", "$ ls", fence, ""]), "utf-8")
    expected = ["", "", "", "def one():", "    return 1", "one()"]
    assert expected == module_of(page).splitlines()
