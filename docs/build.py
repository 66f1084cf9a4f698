"""Writes the pages made from the code, then builds the site.

House rules with their odds, rules with their tests, the list of games, the tables beside the
screen, the reference, pictures.
`./dev docs` runs it; the test suite fails when a page is not what it would write.
"""

from __future__ import annotations

import ast
import re
import runpy
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from docs import drawing, evenings, page_types, reference_pages, screens, website
from rollwright.kit.fields import fields_of
from rollwright.kit.games import Game, find_game, own_games
from rollwright.kit.house_rules import HouseRuleMeasure, measured_house

DOCS = Path(__file__).resolve().parent
TESTS = DOCS.parent / "tests" / "games"


def house_page(game: Game) -> str:
    """The house rules of a game, each with its readings and what they come to."""
    lines = [
        f"# House rules of {game.title}",
        "",
        f"Where the book of `{game.name}` can be read in more than one way, there is a switch.",
        "The first reading is the default. Every number here was counted when this page was built.",
        "",
        "The number behind a switch, such as D3, is its number among the places where this book "
        "can be read in more than one way; places that need no switch have numbers too.",
        "",
    ]
    for rule in measured_house(game):
        lines += _house_rule(rule)
    return "\n".join(lines)


def _house_rule(rule: HouseRuleMeasure) -> Iterator[str]:
    yield f"## `{rule.name}` ({rule.code})"
    yield ""
    yield rule.help[:1].upper() + rule.help[1:].rstrip(".") + "."
    yield f"Measured by: {rule.question}."
    yield ""
    yield "| setting | what it means | measured |"
    yield "|---|---|---:|"
    for setting, meaning, number in rule.readings:
        yield f"| `{setting_said(setting)}` | {meaning} | {said(number, rule.unit)} |"
    yield ""


def setting_said(setting: object) -> str:
    """A setting as it is written on the command line and in JSON."""
    if isinstance(setting, bool):
        return str(setting).lower()
    return "none" if setting is None else str(setting)


def said(number: Fraction, unit: str) -> str:
    """A chance in percent, or a number with its unit."""
    if unit == "%":
        return f"{float(number):.2%}".replace("%", " %")
    return f"{float(number):.4g} {unit}"


CITED = re.compile(r"\b([A-Z][A-Z0-9]+) ((?:R\d+(?:\s*[-–,/]\s*|\s+and\s+|\s+)?)+)")


def citations(prefix: str, text: str) -> set[str]:
    """The lines of a rulebook that a text cites: `T2K R31`, `T2K R41-R46, R50`."""
    found: set[str] = set()
    for cited, run in CITED.findall(text):
        if cited == prefix:
            for first, last in re.findall(r"R(\d+)(?:\s*[-–]\s*R(\d+))?", run):
                found |= {f"R{n}" for n in range(int(first), int(last or first) + 1)}
    return found


def tests_of(game: Game) -> dict[str, list[str]]:
    """For each line of a rulebook the tests whose docstring cites it."""
    found: dict[str, list[str]] = {line: [] for line in game.rulebook}
    for path in sorted((TESTS / game.name).glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for line in citations(game.prefix, ast.get_docstring(node) or ""):
                    found.setdefault(line, []).append(f"{path.name}: {node.name}")
    return found


def rules_page(games: list[Game]) -> str:
    """Every line of every rulebook with the tests that prove it."""
    lines = [
        "# Every rule and the test that proves it",
        "",
        "This table is made from the tests: a test names the lines it proves in its docstring.",
        "Lines marked *guidance* are advice to the people at the table; the test shows where they",
        "are told. The suite fails when a line has no test.",
        "",
    ]
    for game in games:
        proofs = tests_of(game)
        lines += [
            f"## {game.title} (`{game.name}`)",
            "",
            "| line | rule | proved by |",
            "|---|---|---|",
        ]
        for name, line in game.rulebook.items():
            kind = "*guidance*: " if line.guidance else ""
            lines.append(f"| {game.prefix} {name} | {kind}{line.text} | {folded(proofs[name])} |")
        lines.append("")
    return "\n".join(lines)


def folded(tests: list[str]) -> str:
    """The names of tests, opened by a click so that the rules can be read one after the other."""
    if not tests:
        return ""
    count = "1 test" if len(tests) == 1 else f"{len(tests)} tests"
    names = "<br>".join(f"`{test}`" for test in tests)
    return f"<details><summary>{count}</summary>{names}</details>"


def games_page(games: list[Game]) -> str:
    """The games there are: what each is, what can be rolled, and where to read on."""
    lines = [
        "# The five games",
        "",
        "Each game is complete: every rule of its book is implemented, proved by a test and told.",
        "This page is made from the code.",
        "",
        "| game | in short | read on |",
        "|---|---|---|",
    ]
    for game in games:
        links = f"[play it]({game.name}.md), [house rules]({game.name}-house.md)"
        lines.append(f"| **{game.title}**<br>`{game.name}` | {in_short(game)} | {links} |")
    lines += [
        "",
        "[Every rule and the test that proves it](../rules.md) lists all lines of all books.",
        "A sixth game costs one folder: [write a game](../howto/write-a-game.md).",
        "",
    ]
    for game in games:
        lines += _game_section(game)
    return "\n".join(lines)


def _game_section(game: Game) -> Iterator[str]:
    yield f"## {game.title} {{ #{game.name} }}"
    yield ""
    yield "| roll | what it is |"
    yield "|---|---|"
    for name, kind in game.requests.items():
        yield f"| `{name}` | {first_paragraph(kind.__doc__ or kind.title)} |"
    yield ""
    for label, table in (("policy", game.policies), ("goal", game.goals)):
        yield f"| {label} | what it does |" if label == "policy" else f"| {label} | what you want |"
        yield "|---|---|"
        for name, named in table.items():
            argument = getattr(named, "argument", "")
            yield f"| `{name}{':' + argument if argument else ''}` | {named.title} |"
        yield ""
    switches = ", ".join(f"`{name}`" for name in fields_of(game.house))
    yield f"House rules: {switches}. [What each changes]({game.name}-house.md)."
    yield ""


def in_short(game: Game) -> str:
    """The first sentence of a game's summary."""
    return game.summary.partition(". ")[0].rstrip(".") + "."


def first_paragraph(text: str) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join(text.split("\n\n")[0].split())


def pages() -> dict[Path, str]:
    """Every page and picture that is made, with its text."""
    games = [find_game(name) for name in own_games()]
    made = {DOCS / "games" / f"{game.name}-house.md": house_page(game) for game in games}
    for game in games:
        page = DOCS / "games" / f"{game.name}.md"
        made[page] = screens.with_screen(game.name, page.read_text("utf-8"))
    made[DOCS / "games" / "index.md"] = games_page(games)
    made[DOCS / "rules.md"] = rules_page(games)
    made[DOCS / "german.md"] = evenings.german_page(games)
    made |= {DOCS / "reference" / n: text for n, text in reference_pages.pages().items()}
    made |= {DOCS / "pictures" / n: text for n, text in drawing.pictures().items()}
    compared = runpy.run_path(str(DOCS / "pictures.py"))["PICTURES"]
    made |= {DOCS / "pictures" / n: draw() for n, draw in compared.items()}
    made[page_types.TARGET] = page_types.page_types()
    return made


def main(*arguments: str) -> int:
    """Write the pages and build the site; `--serve` shows it in the browser of this machine."""
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.rstrip() + "\n", "utf-8")
        print(f"wrote {path.relative_to(DOCS.parent)}")
    site = DOCS.parent / "site"
    try:
        website.build(site)
    except website.BuildFailed as problem:
        print(problem, file=sys.stderr)
        return 1
    print("built site/: open site/index.html")
    if "--serve" in arguments:
        website.serve(site)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
