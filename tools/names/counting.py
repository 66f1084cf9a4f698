"""Count the names and docstrings that are against the glossary."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tools.names.symbols import FUNCTIONS, ROOT, SOURCES

IRREGULAR = re.compile(
    "begun|bent|bitten|blown|born|bought|bound|bred|broken|brought|built|burnt|caught|"
    "chosen|come|dealt|done|drawn|driven|dug|eaten|fallen|felt|fled|fought|forgotten|"
    "found|frozen|given|gone|gotten|ground|grown|heard|held|hidden|hung|kept|knit|known|"
    "laid|lain|led|left|lent|lost|made|meant|met|mistaken|overdrawn|paid|proven|redone|"
    "risen|rung|said|sat|seen|sent|shaken|shown|shrunk|slept|slid|sought|sold|spent|"
    "spoken|spun|spilt|stolen|stood|struck|stuck|sung|sunk|sworn|swept|swum|taken|taught|"
    "thought|thrown|told|torn|undone|understood|withdrawn|withheld|woken|won|worn|wound|"
    "written"
)
NOT_PARTICIPLES = re.compile(
    "bed|bleed|breed|deed|embed|exceed|feed|hundred|indeed|need|proceed|red|seed|shed|sled|speed|weed"
)
STIFF = ("What ", "Whoever ", "Where ", "Of ")


class Name(NamedTuple):
    """A class or function where it is defined, with its docstring."""

    path: str
    line: int
    name: str
    is_class: bool
    docstring: str

    @property
    def is_participle(self) -> bool:
        """Whether a function's last word is a participle."""
        word = self.name.strip("_").rpartition("_")[2].lower()
        regular = word.endswith("ed") and not NOT_PARTICIPLES.fullmatch(word)
        return not self.is_class and (regular or bool(IRREGULAR.fullmatch(word)))


@cache
def read_names() -> tuple[Name, ...]:
    """Return every class and function of the package, also private and nested ones."""
    return tuple(_names())


def _names() -> Iterator[Name]:
    for folder in SOURCES.values():
        for path in sorted(folder.rglob("*.py")):
            where = str(path.relative_to(ROOT))
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef | FUNCTIONS):
                    is_class = isinstance(node, ast.ClassDef)
                    text = ast.get_docstring(node) or ""
                    yield Name(where, node.lineno, node.name, is_class, text)


def shared_classes() -> dict[str, list[Name]]:
    """Return the classes outside games/ whose name another class has too."""
    classes: dict[str, list[Name]] = defaultdict(list)
    for each in read_names():
        if each.is_class and "/games/" not in each.path:
            classes[each.name].append(each)
    return {name: found for name, found in classes.items() if len(found) > 1}


def participles() -> list[Name]:
    """Return the functions outside games/ that end in a participle."""
    return [each for each in read_names() if each.is_participle and "/games/" not in each.path]


def stiff_docstrings() -> list[Name]:
    """Return what has a docstring that begins with What, Whoever, Where or Of."""
    return [each for each in read_names() if each.docstring.startswith(STIFF)]


def count_names() -> dict[str, int]:
    """Return how many names are against the glossary, by what is wrong with them."""
    return {
        "class names shared outside games/": sum(len(v) - 1 for v in shared_classes().values()),
        "functions outside games/ that end in a participle": len(participles()),
        "docstrings that begin with What, Whoever, Where or Of": len(stiff_docstrings()),
    }


def list_names() -> Iterator[str]:
    """Yield a line for each of them."""
    for name, found in sorted(shared_classes().items()):
        yield f"class {name}: " + ", ".join(f"{each.path}:{each.line}" for each in found)
    for each in participles():
        yield f"{each.path}:{each.line}: {each.name}"
    for each in stiff_docstrings():
        yield f"{each.path}:{each.line}: {each.docstring.splitlines()[0]}"
