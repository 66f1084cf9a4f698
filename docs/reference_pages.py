"""Writes the reference: every public name with its signature and what its docstring says."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Any, get_overloads

MODULES = {
    "rollwright": "What you import first: roll, odds, advise, verify, and the values they use.",
    "rollwright.rules": "The words a rule is written in.",
    "rollwright.dice": "Dice and pools.",
    "rollwright.exact": "Exact distributions, and the ways to count them.",
    "rollwright.game": "Everything that an author of a game in one file needs.",
    "rollwright.kit": "What a game is made of.",
    "rollwright.kit.controls": "What an author writes the form of a roll with; every control "
    "with a picture stands in [the reference of the card](card.md#controls).",
    "rollwright.kit.widgets": "What an author writes a sheet with; every widget with a picture "
    "stands in [the reference of the card](card.md#the-sheet).",
    "rollwright.kit.sheets": "What every game would write again about sheets.",
    "rollwright.kit.questions": "Questions of a game, as data made from their types.",
    "rollwright.notation": "Dice expressions, and what is made of them.",
    "rollwright.client": "Programs at a table of a server.",
    "rollwright.errors": "Every refusal, under one root.",
}
MORE = {
    "rollwright": [
        ("rollwright.engine.best.advice", "Advice"),
        ("rollwright.engine.best.advice", "Worth"),
        ("rollwright.engine.best.advice", "PolicyEntry"),
        ("rollwright.engine.odds.count", "Situation"),
        ("rollwright.engine.odds.count", "Chain"),
        ("rollwright.engine.trace", "Trace"),
        ("rollwright.engine.trace", "RuleTrace"),
        ("rollwright.engine.trace", "TraceEntry"),
        ("rollwright.engine.sources", "SystemSource"),
        ("rollwright.engine.sources", "SeededSource"),
        ("rollwright.engine.sources", "TypedSource"),
    ],
    "rollwright.kit.controls": [
        ("rollwright.kit.card", "Asked"),
        ("rollwright.kit.card", "Person"),
        ("rollwright.kit.card", "reached"),
    ],
}
"""What is met without being imported: the values that come back, and where faces come from."""
INSIDE = {
    "LONGEST_WHY",
    "STEPS_A_SECOND",
    "a_or_an",
    "article",
    "likeliest",
    "time_of",
    "with_likeliest",
    "in_order",
    "readings",
    "tables",
    "lasting_code",
    "did_you_mean",
    "format_number",
    "thrown_at",
    "places",
    "EMPTY",
    "LONGEST_TOLD",
    "MOST_BOXES",
    "MOST_LISTED",
    "MOST_TOLD",
    "UNSHOWN",
    "words_of_list",
}
"""Public among our own modules, of no use outside of them."""
STABLE = {
    "rollwright",
    "rollwright.rules",
    "rollwright.dice",
    "rollwright.exact",
    "rollwright.notation",
    "rollwright.client",
    "rollwright.errors",
}
"""Modules whose names are kept until a major version; the others are provisional."""
PROVISIONAL = ("Position", "chain", "cost", "share", "sweep")
"""Names of `rollwright` itself that may still change in a minor version."""
PUBLIC_NAMES = "public-names.md"
LONG = 76
"""A signature up to this length stays on one line."""


def pages() -> dict[str, str]:
    """The pages of the reference by file name."""
    made = {file_of(name): page(name) for name in MODULES}
    return {PUBLIC_NAMES: names_page(), **made}


def names_page() -> str:
    """The page that says which names are public, and how long each is kept."""
    lines = [
        "# Public names",
        "",
        "These are the names that programs may use, and how long each of them is kept.",
        "Everything else is private, by its name, which begins with an underscore, or by the "
        "folder that it lies in: it may change with any version.",
        "This page is made from the code.",
        "",
        "- **Stable** names keep their meaning until a major version.",
        "- **Provisional** names may still change in a minor version; the changelog says how. "
        "For authors of games that is so with the whole of `rollwright.game` and `rollwright.kit`.",
        "- A how-to may import from another module, such as `rollwright.pictures`: "
        "that is provisional too.",
        "",
        "In Python, `dir(rollwright)` lists the first of these tables.",
        "",
    ]
    for name, purpose in MODULES.items():
        lines += names_of_module(name, purpose)
    lines += [
        "## `rollwright.kit.card`",
        "",
        "How a game shows its rolls, part by part. **Provisional.**",
        "",
        "Its names are in [the reference of the card](card.md).",
        "",
    ]
    return "\n".join(lines)


def names_of_module(name: str, purpose: str) -> Iterator[str]:
    """The section of one module: what it is for, how long it is kept, and its names."""
    module = import_module(name)
    kept = "**Stable**" if name in STABLE else "**Provisional**"
    some = PROVISIONAL if name == "rollwright" else ()
    besides = (
        ", but for "
        + " and ".join(
            part for part in (", ".join(f"`{word}`" for word in some[:-1]), f"`{some[-1]}`") if part
        )
        + ", which are provisional"
        if some
        else ""
    )
    yield from (f"## `{name}`", "", f"{purpose} {kept}{besides}.", "")
    if "__version__" in getattr(module, "__all__", ()):
        yield "- `__version__`"
    for word in public_names(module):
        home = home_of(word, called(getattr(module, word)), name)
        yield f"- [`{word}`]({file_of(home)}#{word})"
    yield ""


def file_of(name: str) -> str:
    """The file name of a module's page."""
    return f"{name.rpartition('.')[2]}.md"


def page(name: str) -> str:
    """The page of one module."""
    module = import_module(name)
    values = {word: called(getattr(module, word)) for word in public_names(module)}
    homes = {word: home_of(word, value, name) for word, value in values.items()}
    more = [(word, getattr(import_module(at), word), at) for at, word in MORE.get(name, ())]
    lines = [f"# {name}", "", MODULES[name], "This page is made from the code.", ""]
    lines += ["| name | |", "|---|---|"]
    for word, value in values.items():
        where = file_of(homes[word]) if homes[word] != name else ""
        lines.append(f"| [`{word}`]({where}#{word}) | {first_line(module, word, value)} |")
    for word, value, _ in more:
        lines.append(f"| [`{word}`](#{word}) | {first_line(module, word, value)} |")
    lines += ["", "The examples below start from this line.", ""]
    lines += ["```pycon", f">>> from {name} import *", "```", ""]
    for word, value in values.items():
        if homes[word] == name:
            lines += entry(module, word, value)
    for word, value, place in more:
        lines += entry(module, word, value, place)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def home_of(word: str, value: Any, name: str) -> str:
    """The module on whose page a name is told: the most special one that offers it."""
    for other in MODULES:
        module = import_module(other)
        offered = other != "rollwright" and word in public_names(module)
        if offered and getattr(module, word) is value:
            return other
    return name


def public_names(module: ModuleType) -> list[str]:
    """What a module offers, in the order it is listed or written."""
    listed = getattr(module, "__all__", None)
    if listed is None:
        listed = [word for word in written_names(module) if not word.startswith("_")]
    return [word for word in listed if not word.startswith("__") and word not in INSIDE]


def written_names(module: ModuleType) -> list[str]:
    """The classes, functions and values that a module's source defines."""
    found: list[str] = []
    for node in statements(module):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found.append(node.name)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                parts = target.elts if isinstance(target, ast.Tuple) else [target]
                found += [part.id for part in parts if isinstance(part, ast.Name)]
    return [word for word in dict.fromkeys(found) if len(word) > 1]


@cache
def statements(module: ModuleType) -> list[ast.stmt]:
    """Parse the source of a module, once: every name of every page asks for it."""
    return ast.parse(inspect.getsource(module)).body


def called(value: Any) -> Any:
    """What answers when a name is called: `rollwright.games` is a module that can be called."""
    return import_module("rollwright.kit").list_games if inspect.ismodule(value) else value


def first_line(module: ModuleType, word: str, value: Any) -> str:
    """The first sentence about a name, for the table on top."""
    text = said_of(module, word, value).split("\n\n")[0]
    return text.replace("\n", " ").replace("|", "\\|")


def said_of(module: ModuleType, word: str, value: Any) -> str:
    """The docstring of a class or a function; of a value its note, or what it is."""
    if value is not Any and (inspect.isclass(value) or inspect.isroutine(value)):
        return inspect.getdoc(value) or ""
    if note := dict(notes_in(statements(module))).get(word):
        return note
    if type(value).__module__.startswith("rollwright"):
        return f"`{value!r}`, a {type(value).__name__}."
    return f"`{short(str(value))}`" + (", a number." if isinstance(value, int) else ", a type.")


def entry(module: ModuleType, word: str, value: Any, place: str = "") -> Iterator[str]:
    """The section of one name."""
    yield f"## `{word}` {{ #{word} }}"
    yield ""
    if place:
        yield from ("```pycon", f">>> from {place} import {word}", "```", "")
    if value is not Any and inspect.isclass(value):
        yield from class_entry(word, value)
    elif inspect.isroutine(value):
        yield from signature_fence(word, value)
        yield from prose(inspect.getdoc(value) or "")
    else:
        yield said_of(module, word, value)
        yield ""


def class_entry(word: str, value: type) -> Iterator[str]:
    """A class: how it is made, what it says, its attributes, its methods."""
    if is_made_by_users(value):
        yield from signature_fence(word, value)
    if issubclass(value, BaseException):
        bases = ", ".join(f"`{base.__name__}`" for base in value.__bases__)
        yield f"A kind of {bases}."
        yield ""
    yield from prose(inspect.getdoc(value) or "")
    notes = dict(attribute_notes(value))
    if notes:
        yield "| attribute | |"
        yield "|---|---|"
        for name, note in notes.items():
            yield f"| `{name}` | {note} |"
        yield ""
    for name, method in public_methods(value):
        yield f"### `{word}.{name}` {{ #{word}.{name} }}"
        yield ""
        if isinstance(method, property):
            typed = inspect.signature(method.fget).return_annotation if method.fget else ""
            yield from fence([f"{name}: {short(str(typed))}"])
        else:
            yield from signature_fence(name, method)
        yield from prose(inspect.getdoc(method) or "")


def is_made_by_users(value: type) -> bool:
    """Whether a class says how it is made."""
    ours = [base for base in value.__mro__ if base.__module__.startswith("rollwright")]
    told = any({"__init__", "__new__"} & vars(base).keys() for base in ours)
    return told or hasattr(value, "_fields")


def public_methods(value: type) -> Iterator[tuple[str, Any]]:
    """The methods and properties a class has of its own or from one of our classes."""
    seen: set[str] = set()
    for base in value.__mro__:
        if not base.__module__.startswith("rollwright"):
            continue
        for name, raw in vars(base).items():
            if name.startswith("_") or name in seen | INSIDE:
                continue
            found = raw.__func__ if isinstance(raw, (staticmethod, classmethod)) else raw
            if (inspect.isfunction(found) or isinstance(found, property)) and found.__doc__:
                seen.add(name)
                yield name, raw if isinstance(raw, property) else getattr(value, name)


def attribute_notes(value: type) -> Iterator[tuple[str, str]]:
    """The attributes with a string below them in the source, or the fields of a named tuple."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(value)))
    except (OSError, TypeError):
        return
    for body in bodies(tree):
        yield from notes_in(body)


def notes_in(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Each name that is set and has a string below it, with that string."""
    for node, after in pairwise(body):
        name, note = assigned(node), string_of(after)
        if name and not name.startswith("_") and note:
            yield name, note.replace("\n", " ")


def bodies(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """The class body and the body of `__init__`."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield node.body
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and inner.name == "__init__":
                    yield inner.body


def assigned(node: ast.stmt) -> str:
    """The attribute a statement sets, if it does."""
    target: ast.expr | None = None
    if isinstance(node, ast.AnnAssign):
        target = node.target
    elif isinstance(node, ast.Assign):
        target = node.targets[0]
    if isinstance(target, ast.Attribute):
        return target.attr
    return target.id if isinstance(target, ast.Name) else ""


def string_of(node: ast.stmt) -> str:
    """A string that stands by itself: a note on what is above it."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return node.value.value if isinstance(node.value.value, str) else ""
    return ""


def signature_fence(word: str, value: Any) -> Iterator[str]:
    """How it is called, highlighted but not run."""
    shown = [signature(word, form) for form in get_overloads(value)] or [signature(word, value)]
    yield from fence(shown[:4])


def fence(lines: list[str]) -> Iterator[str]:
    """A block that is shown as Python and not run."""
    yield from ("``` { .python .signature }", *lines, "```", "")


def signature(word: str, value: Any) -> str:
    """A signature as it would be written, short names for our types."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return word
    parts = [short(str(part)) for part in with_marks(found)]
    returns = found.return_annotation
    arrow = "" if returns is inspect.Signature.empty or inspect.isclass(value) else named(returns)
    line = f"{word}({', '.join(parts)}){arrow}"
    if len(line) <= LONG:
        return line
    return f"{word}(\n" + "".join(f"    {part},\n" for part in parts) + f"){arrow}"


def named(annotation: Any) -> str:
    """The end of a signature: what comes back."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return f" -> {short(text)}"


def with_marks(found: inspect.Signature) -> Iterator[Any]:
    """The parameters, with `*` and `/` where they belong, without self."""
    parts = [part for part in found.parameters.values() if part.name not in ("self", "cls")]
    starred = False
    for number, part in enumerate(parts):
        if part.kind is part.VAR_POSITIONAL:
            starred = True
        elif part.kind is part.KEYWORD_ONLY and not starred:
            yield "*"
            starred = True
        yield part
        after = parts[number + 1] if number + 1 < len(parts) else None
        positional = part.kind is part.POSITIONAL_ONLY
        if positional and (after is None or after.kind is not part.POSITIONAL_ONLY):
            yield "/"


def short(text: str) -> str:
    """A type without the module it lives in and without quotes around it."""
    text = re.sub(r"ForwardRef\('([^']*)'\)", r"\1", text)
    text = re.sub(r"\b(?:rollwright|collections|typing|fractions)(?:\.\w+)*\.(?=\w)", "", text)
    text = re.sub(r"\b[a-z_]+\.(?=[A-Z])", "", text).replace("~", "")
    text = re.sub(r"<[\w.]+ object at [^>]*>", "…", text)
    text = re.sub(r"<(?:function|class) '?([\w.]+)'?[^>]*>", r"\1", text)
    return re.sub(r": '([^']*)'", r": \1", text)


def prose(text: str) -> Iterator[str]:
    """A docstring as Markdown: its examples become blocks that are run."""
    inside = False
    for line in text.split("\n"):
        if line.startswith(">>>") and not inside:
            inside = True
            yield "```pycon"
        elif not line.strip() and inside:
            inside = False
            yield "```"
        yield line
    if inside:
        yield "```"
    yield ""
