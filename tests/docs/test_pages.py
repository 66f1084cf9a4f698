"""What the pages say is so: names exist, commands exist, questions are answered by examples."""

import ast
import builtins
import importlib
import json
import re
import sys
from functools import cache
from pathlib import Path

import pytest

from rollwright.kit.games import own_games

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```[^\n]*\n.*?^```", re.M | re.S)
CONSOLE = re.compile(r"^```(?:console|sh|bash)[^\n]*\n(.*?)^```", re.M | re.S)
COMMAND = re.compile(r"\$? ?rollwright ([a-z][\w-]*)")
FOLDERS = ("src", "docs", "tests", "benchmarks")
MADE_UP = {"next_turn"}
"""Names that stand for something of the reader's."""


def page_id(page):
    """A page by its path."""
    return page.relative_to(ROOT).as_posix()


def spans(page):
    """What stands between single backticks."""
    return re.findall(r"`([^`\n]+)`", FENCE.sub("", page.read_text("utf-8")))


def code(page):
    """The fenced blocks of a page, whole."""
    return "\n".join(FENCE.findall(page.read_text("utf-8")))


def exists(dotted):
    """Whether a dotted name can be reached by importing and looking."""
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def words_of(path):
    """Every identifier that a module defines or uses."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        for kind in ("name", "id", "attr", "arg"):
            found.add(getattr(node, kind, None))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return {word for word in found if isinstance(word, str)}


@pytest.fixture(scope="module")
def known():
    """Every name of ours: modules, classes, functions, arguments, fields; and Python's own."""
    found = {*dir(builtins), *sys.stdlib_module_names, *MADE_UP}
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            found.add(path.stem)
            found |= words_of(path)
    return found


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_dotted_name_exists(page):
    """`rollwright.x.y` and `rw.x` in a page can be imported or looked up."""
    text = page.read_text("utf-8")
    dotted = set(re.findall(r"(?<![\w/.-])rollwright(?:\.[A-Za-z_]\w*)+", text))
    dotted |= {
        "rollwright." + name.removeprefix("rw.")
        for name in re.findall(r"(?<![\w.])rw(?:\.[A-Za-z_]\w*)+", text)
    }
    dotted -= {name for name in dotted if name.endswith((".NAME", ".md"))}
    assert [] == sorted(name for name in dotted if not exists(name))


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_call_names_something_that_exists(page, known):
    """`word(…)` between backticks is a name of the library, of Python, or of the page itself."""
    of_the_page = set(re.findall(r"\w+", code(page)))
    called = {
        match.group(1).split(".")[-1]
        for span in spans(page)
        if (match := re.fullmatch(r"(?:return |await )?([A-Za-z_][\w.]*)\(.*\)", span))
    }
    assert [] == sorted(called - known - of_the_page)


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_every_command_exists(page):
    """`rollwright WORD` in a code span or a console block is a command."""
    tree = importlib.import_module("rollwright.cli.commands")
    consoles = "\n".join(CONSOLE.findall(page.read_text("utf-8")))
    lines = [*spans(page), *consoles.splitlines()]
    lines = [line for line in lines if "# exit code 2" not in line]
    told = {match.group(1) for line in lines if (match := COMMAND.match(line))}
    assert [] == sorted(told - set(tree.COMMANDS))


@pytest.mark.parametrize("game", own_games())
def test_the_overview_leads_to_every_game(game):
    """The list of games links each page, its house rules, and the table of rules."""
    text = (ROOT / "docs" / "games" / "index.md").read_text("utf-8")
    assert f"({game}.md)" in text
    assert f"({game}-house.md)" in text
    assert "(../rules.md)" in text


@pytest.mark.parametrize(
    "question",
    [
        "Should I push?",
        "Are my dice bad?",
        "Why does my result differ from AnyDice?",
        "Is 4d6 drop lowest better than 3d6?",
    ],
)
def test_players_questions_are_answered_with_an_example(question):
    """A heading of the questions page is the question, and code that runs stands below it."""
    text = (ROOT / "docs" / "faq.md").read_text("utf-8")
    answer = text.split(f"\n## {question}\n")[1].split("\n## ")[0]
    assert "```pycon" in answer


def test_the_first_screen_has_a_picture_and_an_example():
    """The start page shows before it tells."""
    text = (ROOT / "docs" / "index.md").read_text("utf-8").split("\n## ")[0]
    assert "](pictures/push-roll.svg)" in text
    assert "```pycon" in text


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_the_first_picture_is_the_table(page):
    """Before anything else one sees what it looks like: dice on the felt, a decision, its odds."""
    first, *_ = re.findall(r"!\[[^]]*\]\(([^)]*)\)", (ROOT / page).read_text("utf-8"))
    assert first.endswith("pictures/stage/recording.webp")


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_a_page_has_one_title(page):
    """One heading of the first level, and it comes first."""
    text = FENCE.sub("", page.read_text("utf-8"))
    assert 1 == len(re.findall(r"^# ", text, re.M))
    assert text.startswith("# ")


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_no_point_of_a_list_is_made_twice(page):
    """The bold beginnings of a page's list entries are all different."""
    text = FENCE.sub("", page.read_text("utf-8"))
    made = re.findall(r"^\s*[-*] \*\*(.+?)\*\*", text, re.M)
    assert [] == sorted({point for point in made if made.count(point) > 1})


VALUES = {
    "active",
    "actor",
    "app",
    "asked",
    "connection",
    "driver",
    "error",
    "house",
    "rolls",
    "state",
    "tables",
    "vi",
    "words",
}
VALUES |= {"set", "table.links"}
"""What a dotted name may begin with that is no module or class: a value at hand, or a column."""
ENDS = {"NAME", "VALUE", "html", "json", "lock", "md", "py", "sqlite", "toml", "ts"}
ENDS |= {
    "FIELD",
    "GOAL",
    "KIND",
    "OPTION",
    "POLICY",
    "QUESTION",
    "ROLE",
    "ROLL",
    "RULE",
    "UNIT",
    "WAY",
}
"""What a dotted name ends with that is a file, or stands for a name of the reader's."""


def our_modules():
    """Every module of the package by its dotted name."""
    source = ROOT / "src"
    for path in (source / "rollwright").rglob("*.py"):
        name = ".".join(path.relative_to(source).with_suffix("").parts)
        yield name.removesuffix(".__init__"), path


def docstrings(path):
    """All that is said in the strings of a module that stand alone."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield str(node.value.value)


@cache
def explanations():
    """The pages about the code, and every docstring, each with where it stands."""
    return list(_explanations())


def _explanations():
    for page in (ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))):
        yield page_id(page), FENCE.sub("", page.read_text("utf-8"))
    for name, path in our_modules():
        for text in docstrings(path):
            yield name, text


@pytest.fixture(scope="module")
def reachable():
    """Whether a dotted name leads to something: a module, a class of one, a message."""
    from rollwright.table.commands.dispatch import COMMANDS
    from rollwright.table.schemas import EVENTS

    said = {
        key
        for path in (ROOT / "src").rglob("words/**/en.json")
        for key in json.loads(path.read_text("utf-8"))
    }
    names = [name for name, _ in our_modules()]
    classes = [
        f"{name}.{node.name}"
        for name, path in our_modules()
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]

    def look(dotted):
        dotted = re.sub(r"^rw\.", "rollwright.", dotted)
        first, _, rest = dotted.partition(".")
        if dotted in COMMANDS or dotted in EVENTS or first in sys.stdlib_module_names:
            return True
        if dotted in said:
            return True
        ends = [name for name in names if f".{name}".endswith(f".{first}")]
        ends += [name for name in classes if name.lower().endswith(f".{first.lower()}")]
        return any(exists(f"{end}.{rest}") for end in ends)

    return look


def test_every_module_and_name_that_is_explained_exists(reachable):
    """`room.module.name` in a page about the code or in a docstring leads somewhere."""
    lost = set()
    for where, text in explanations():
        for dotted in re.findall(r"(?<!`)`([a-z_]\w*(?:\.\w+)+)(?:\(|`)", text):
            first, *_, last = dotted.split(".")
            if VALUES & {first, dotted} or last in ENDS or reachable(dotted):
                continue
            lost.add((where, dotted))
    assert not lost, sorted(lost)


def test_every_file_that_is_explained_exists():
    """`folder/file.py` in a page about the code or in a docstring is a file of the project."""
    files = [
        path.relative_to(ROOT).as_posix()
        for folder in (*FOLDERS, "vectors", "deploy")
        for path in (ROOT / folder).rglob("*.py")
    ]
    lost = {
        (where, named)
        for where, text in explanations()
        for named in re.findall(r"[\w./-]*\w\.py\b", text)
        if not any(f"/{path}".endswith(f"/{named}") for path in files)
    }
    assert not lost, sorted(lost)
