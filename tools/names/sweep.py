"""Rename what still has an old name: symbols, then modules and files, then texts."""

from __future__ import annotations

import ast
import operator
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tools.names.rules import RenameRules, move_module
from tools.names.servers import LanguageServer, TextEdit
from tools.names.symbols import ROOT, list_definitions, list_modules

TYPESCRIPT = (".ts", ".tsx")
TEXTS = (".py", ".md", ".toml", ".ts", ".tsx", ".mjs", ".js", ".json", ".jsonc", ".yaml", ".yml")
NOT_TEXTS = (
    "CHANGELOG.md",
    "tools/names/",
    "glossary.md",
    "package-lock.json",
    "tests/archive/2",
    "tests/archive/3",
)
CATALOGS = ("en.json", "de.json", "fr.json")
MENTION = re.compile(r"`[\w.()]+`")
EXAMPLE = re.compile(r"^ *(?:>>>|\.\.\.) [^\n]*$|^```python\n.*?^```$", re.MULTILINE | re.DOTALL)
WORD = re.compile(r"(?<![\w\"'])[A-Za-z_]\w*(?![\w\"'])")
DEFINED = re.compile(r"\b(?:function\*?|const|let|class|interface|type|enum)\s+(\w+)")
BY_NAME = {"setattr", "getattr", "hasattr", "delattr", "object", "attrgetter", "methodcaller"}


def apply_rules(rules: RenameRules) -> None:
    """Rename everything that the rules find."""
    rename_symbols(rules)
    rename_attributes(rules)
    rename_homes(rules)
    rename_mentions(rules)
    move_modules(rules)
    move_files(rules)
    replace_texts(rules)


def rename_symbols(rules: RenameRules) -> None:
    """Ask the language servers for every use of each symbol, then write all edits at once."""
    places: dict[bool, dict[Path, list[tuple[int, int, str, str]]]] = {True: {}, False: {}}
    for (path, line, column), old, new in rules.find_symbols():
        group = places[path.suffix in TYPESCRIPT]
        group.setdefault(path, []).append((line, column, old, new))
    edits: set[TextEdit] = set()
    for is_typescript, files in places.items():
        if not files:
            continue
        server = _start_server(is_typescript)
        done = 0
        for path, symbols in files.items():
            server.open(path)
            for line, column, old, new in symbols:
                try:
                    found = server.rename(path, line, column, new)
                except LookupError as problem:
                    print(f"{path.relative_to(ROOT)}: {old}: {problem}")
                    continue
                if not found:
                    print(f"{path.relative_to(ROOT)}: {old}: the server knows no such symbol")
                edits.update(found)
            server.close_file(path)
            done += len(symbols)
            if done // 100 > (done - len(symbols)) // 100:
                print(f"{done} symbols, {len(edits)} places", file=sys.stderr, flush=True)
        server.close()
    _write(edits)
    _rename_by_name(rules)


def _start_server(is_typescript: bool) -> LanguageServer:
    if is_typescript:
        command = [str(ROOT / "web/node_modules/.bin/tsc"), "--lsp", "--stdio"]
        return LanguageServer(command, ROOT / "web", "typescriptreact")
    command = [str(Path(sys.executable).with_name("basedpyright-langserver")), "--stdio"]
    server = LanguageServer(command, ROOT, "python")
    server.wait_for("source files")  # before, it finds only what a file itself says
    return server


def _write(edits: Iterable[TextEdit]) -> None:
    by_file: dict[Path, list[TextEdit]] = defaultdict(list)
    for edit in edits:
        by_file[edit.path].append(edit)
    for path, found in by_file.items():
        if ROOT not in path.parents or "node_modules" in path.parts or ".dev" in path.parts:
            continue
        lines = path.read_text("utf-8").split("\n")
        before: TextEdit | None = None
        for edit in sorted(found, key=lambda each: (each.line, each.column), reverse=True):
            if before and (edit.line, edit.column) == (before.line, before.column):
                print(f"{path.relative_to(ROOT)}:{edit.line + 1}: {before.text} or {edit.text}?")
                continue
            before = edit
            text = lines[edit.line].encode("utf-16-le")
            start, end = text[: 2 * edit.column], text[2 * edit.last_column :]
            lines[edit.line] = start.decode("utf-16-le") + edit.text + end.decode("utf-16-le")
        path.write_text("\n".join(lines), "utf-8")


def _rename_by_name(rules: RenameRules) -> None:
    """Rename what a text names: `setattr(module, "name", …)`, `("rollwright.module", "name")`."""
    new_names = _clear_names(rules)
    modules = list_modules()
    by_path = {path: module for module, path in modules.items()}
    for path in list_files((".py",)):
        source = path.read_text("utf-8")
        edits = []
        for node in ast.walk(ast.parse(source)):
            names, texts = new_names, list[ast.expr]()
            if isinstance(node, ast.Call):
                word = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
                texts = node.args if word in BY_NAME else []
            elif isinstance(node, ast.Tuple) and len(node.elts) == 2:
                module = getattr(node.elts[0], "value", None)
                if isinstance(module, str) and module in modules:
                    names, texts = rules.names_of(module), node.elts[1:]
            elif path in by_path and isinstance(node, ast.ClassDef):
                names = _without_definitions(rules.names_of(by_path[path]), path)
                texts = [each for slots in node.body for each in _slot_names(slots)]
            for text in texts:
                name = getattr(text, "value", None)
                if isinstance(name, str) and name in names:
                    line, column = text.lineno - 1, text.col_offset + 1
                    place = (line, column, line, column + len(name))
                    edits.append(TextEdit(path, *place, names[name]))
        _write(edits)


def _slot_names(node: ast.stmt) -> list[ast.expr]:
    is_slots = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__slots__"
    return (
        list(getattr(node.value, "elts", ())) if is_slots and isinstance(node, ast.Assign) else []
    )


def _without_definitions(names: dict[str, str], path: Path) -> dict[str, str]:
    """Return the names that nothing in a file is called any more."""
    taken = {
        each.rstrip(")").replace("(", ".").rpartition(".")[2] for each in list_definitions(path)
    }
    return {old: new for old, new in names.items() if old not in taken}


def rename_attributes(rules: RenameRules) -> None:
    """Rename attributes of what has no type, as in most tests, where the name means one thing."""
    names = _clear_names(rules)
    for path in list_files((".py",)):
        for name in list_definitions(path):  # what a test calls so itself
            names.pop(name.rstrip(")").replace("(", ".").rpartition(".")[2], None)
    for kind in (str, bytes, list, dict, set, tuple, int, Path, re.Pattern, re.Match, operator):
        names = {old: new for old, new in names.items() if not hasattr(kind, old)}
    names = {old: new for old, new in names.items() if old == old.lower()}  # no `sqlite3.Error`
    for path in list_files((".py",)):
        edits = []
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in names:
                line, end = (node.end_lineno or 0) - 1, node.end_col_offset or 0
                edits.append(
                    TextEdit(path, line, end - len(node.attr), line, end, names[node.attr])
                )
        _write(edits)


def rename_homes(rules: RenameRules) -> None:
    """Rename in tables of names that packages load when they are asked for: `_HOMES`."""
    for module, path in list_modules().items():
        source = path.read_text("utf-8")
        if "_HOMES = {" not in source:
            continue
        edits = []
        for node in ast.parse(source).body:
            if not isinstance(node, ast.Assign) or ast.unparse(node.targets[0]) != "_HOMES":
                continue
            assert isinstance(node.value, ast.Dict)
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                assert key
                name, home = ast.literal_eval(key), f"{module}.{ast.literal_eval(value)}"
                new_home = move_module(home, rules.modules).removeprefix(f"{module}.")
                new_name = rules.names_of(home).get(name, name)
                for each, text in ((key, new_name), (value, new_home)):
                    line, column, end = each.lineno - 1, each.col_offset, each.end_col_offset or 0
                    edits.append(TextEdit(path, line, column, line, end, f'"{text}"'))
        _write(edits)


def rename_mentions(rules: RenameRules) -> None:
    """Rename symbols in docs, docstrings and comments: in backticks and in examples.

    In backticks only names that look like code, such as `option_said`, and everywhere only those
    that mean one thing.
    """
    clear = _clear_names(rules)
    modules = {path: name for name, path in list_modules().items()}
    for path in list_files((*TYPESCRIPT, ".py", ".md")):
        names = clear | (rules.names_of(modules[path]) if path in modules else {})
        like_code = {old: new for old, new in names.items() if "_" in old or old != old.lower()}
        text = path.read_text("utf-8")
        new_text = _replace_words(MENTION, text, like_code)
        if path.suffix != ".ts":
            new_text = _replace_words(EXAMPLE, new_text, names)
        if new_text != text:
            path.write_text(new_text, "utf-8")


def _replace_words(place: re.Pattern[str], text: str, names: dict[str, str]) -> str:
    def replace(found: re.Match[str]) -> str:
        return WORD.sub(lambda word: names.get(word[0], word[0]), found[0])

    return place.sub(replace, text)


def _clear_names(rules: RenameRules) -> dict[str, str]:
    """Return the old names that have one new name, and that nothing is called any more."""
    new_names: dict[str, set[str]] = defaultdict(set)
    for renames in rules.symbols.values():
        for old, new in renames.items():
            if "(" not in old:
                new_names[old.rpartition(".")[2]].add(new)
    list_definitions.cache_clear()
    for path in list_modules().values():
        for name in list_definitions(path):
            new_names.pop(name.rstrip(")").replace("(", ".").rpartition(".")[2], None)
    for path in list_files(TYPESCRIPT):
        for found in DEFINED.finditer(path.read_text("utf-8")):
            new_names.pop(found[1], None)
    return {old: next(iter(names)) for old, names in new_names.items() if len(names) == 1}


def move_modules(rules: RenameRules) -> None:
    """Move Python modules, and say their new names wherever the old ones stand."""
    moves = rules.modules
    known = set(list_modules())
    for name, path in sorted(list_modules().items()):
        target = move_module(name, moves)
        if target != name and path.exists():
            folder = ROOT / "src" / target.replace(".", "/")
            is_package = path.name == "__init__.py"
            _move(path, folder / path.name if is_package else folder.with_suffix(".py"))
    for old in moves:  # what lies beside the modules: catalogs, templates, migrations
        folder, new_folder = ROOT / "src" / old.replace(".", "/"), moves[old].replace(".", "/")
        for path in list(folder.rglob("*")) if folder.is_dir() else ():
            if path.is_file() and "__pycache__" not in path.parts:
                _move(path, ROOT / "src" / new_folder / path.relative_to(folder))
    list_modules.cache_clear()
    list_definitions.cache_clear()
    forms = {}
    for old, new in moves.items():
        forms[re.escape(old)] = new
        forms[re.escape(old.replace(".", "/"))] = new.replace(".", "/")
    if not forms:
        return
    pattern = re.compile(
        rf"(?<![\w.])(?:src/)?({'|'.join(sorted(forms, key=len, reverse=True))})(?!\w)"
    )
    for path in list_files(TEXTS):
        text = path.read_text("utf-8")

        def moved(found: re.Match[str]) -> str:
            old = found[1]
            new = move_module(old.replace("/", "."), moves)
            return found[0].replace(old, new.replace(".", "/") if "/" in old else new)

        new_text = pattern.sub(moved, text)
        if path.suffix == ".py":
            new_text = _rename_imports(new_text, moves)
        if path.suffix == ".md":
            new_text = _rename_paths(new_text, moves, known)
        if new_text != text:
            path.write_text(new_text, "utf-8")


def _rename_paths(text: str, moves: dict[str, str], known: set[str]) -> str:
    """Follow modules as docs write them: `words/`, `ask/kinds.py`, `table.fold`."""

    def follow(found: re.Match[str]) -> str:
        path = found[1]
        end = next((each for each in ("/", ".py") if path.endswith(each)), "")
        body = path.removesuffix(end)
        name = f"rollwright.{body.replace('/', '.')}"
        if name not in known or not (end or "/" in body or "." in body):
            return found[0]
        new = move_module(name, moves).removeprefix("rollwright.")
        return f"`{new.replace('.', '/') if end or '/' in body else new}{end}`"

    return re.sub(r"`([\w/.]+)`", follow, text)


def _rename_imports(source: str, moves: dict[str, str]) -> str:
    """Follow `from package import module`, and the module's name where it is used."""
    lines = source.split("\n")
    tree = ast.parse(source)
    renamed: dict[str, str] = {}
    attributes: dict[str, set[str]] = {}
    edits: set[tuple[int, int, int, str]] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or node.level or not node.module:
            continue
        for alias in node.names:
            # The package itself may have its new name by now.
            for base in {node.module, *(old for old, new in moves.items() if new == node.module)}:
                old = f"{base}.{alias.name}"
                new = move_module(old, moves)
                if new == old or new.rpartition(".")[0] == f"{node.module}.{alias.name}":
                    continue
                package, _, word = new.rpartition(".")
                if package != node.module:
                    print(f"by hand: from {node.module} import {alias.name}: now from {package}")
                if word != alias.name:
                    end = alias.col_offset + len(alias.name)
                    edits.add((alias.lineno, alias.col_offset, end, word))
                    if not alias.asname:
                        renamed[alias.name] = word
                        path = list_modules().get(new)
                        attributes[alias.name] = set(list_definitions(path)) if path else set()
                break
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for old, new in list(renamed.items()):
        if new in names:  # taken here: the import says so, and everything else stays
            del renamed[old]
            edits = {(*e[:3], f"{new} as {old}") if e[3] == new else e for e in edits}
    taken = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    taken |= {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    bases = {  # `text.width`, beside a variable that is called `text` too
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.attr in attributes.get(node.value.id, ())
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in renamed:
            if node.id not in taken or id(node) in bases:
                end = node.col_offset + len(node.id)
                edits.add((node.lineno, node.col_offset, end, renamed[node.id]))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            word, dot, _ = node.value.partition(".")
            if dot and word in renamed and node.lineno == node.end_lineno:  # cast("shapes.Row", …)
                start = node.col_offset + 1
                edits.add((node.lineno, start, start + len(word), renamed[word]))
    for line, start, end, word in sorted(edits, reverse=True):
        text = lines[line - 1].encode()
        lines[line - 1] = (text[:start] + word.encode() + text[end:]).decode()
    return "\n".join(lines)


def move_files(rules: RenameRules) -> None:
    """Move files of the page, and follow them where they are imported or named."""
    moves = {ROOT / old: ROOT / new for old, new in rules.files.items() if (ROOT / old).exists()}
    if not moves:
        return
    specifier = re.compile(
        r"""(?P<before>(?:from|import|mock|importActual)[\s(]*|<[^>]*>\()"(?P<path>\.[^"]*)\""""
    )
    for path in list_files((*TYPESCRIPT, ".mjs", ".js", ".html", ".css")):
        text = path.read_text("utf-8")

        def follow(found: re.Match[str], path: Path = path) -> str:
            target = Path(os.path.normpath(path.parent / found["path"]))
            endings = ("", ".ts", ".tsx", "/index.ts", "/index.tsx")
            file = next((f for e in endings if (f := Path(f"{target}{e}")).is_file()), None)
            if not file:
                return found[0]
            new_file, new_home = moves.get(file, file), moves.get(path, path)
            relative = os.path.relpath(new_file, new_home.parent)
            if file != target:
                relative = re.sub(r"(/index)?\.tsx?$", "", relative)
            relative = relative if relative.startswith(".") else f"./{relative}"
            return f'{found["before"]}"{relative}"'

        new_text = specifier.sub(follow, text)
        if new_text != text:
            path.write_text(new_text, "utf-8")
    for old, new in moves.items():
        _move(old, new)
    names = {str(old.relative_to(ROOT)): str(new.relative_to(ROOT)) for old, new in moves.items()}
    for path in list_files(TEXTS):
        text = path.read_text("utf-8")
        new_text = text
        for old_name, new_name in names.items():
            for cut in ("", "web/", "web/src/"):
                old_part, new_part = old_name.removeprefix(cut), new_name.removeprefix(cut)
                if re.search(rf"(?<![\w/]){re.escape(old_part)}(?!\w)", new_text):
                    new_text = new_text.replace(old_part, new_part)
        if new_text != text:
            path.write_text(new_text, "utf-8")


def replace_texts(rules: RenameRules) -> None:
    """Replace texts in quotes or backticks, also as ids of messages, then patterns."""
    words = "|".join(re.escape(each) for each in sorted(rules.texts, key=len, reverse=True))
    quote, after = """(?P<quote>["'`])""", r"(?P<after>(?:\.\w+)*)(?P=quote)"
    quoted = re.compile(rf"{quote}(?P<before>(?:line\.)?)(?P<word>{words}){after}")
    dotted = "|".join(re.escape(each) for each in rules.texts if "." in each)
    bare = re.compile(rf"(?<![\w.\"])({dotted})(?![\w.\"(])")
    patterns = [(re.compile(old), new) for old, new in rules.patterns.items()]
    for path in list_files(TEXTS):
        text = new_text = path.read_text("utf-8")
        if rules.texts:
            new_text = quoted.sub(
                lambda m: (
                    m["quote"] + m["before"] + rules.texts[m["word"]] + m["after"] + m["quote"]
                ),
                new_text,
            )
        if dotted and path.name in CATALOGS:  # sentences name commands without quotes
            new_text = bare.sub(lambda m: rules.texts[m[1]], new_text)
        for pattern, new in patterns:
            new_text = pattern.sub(new, new_text)
        if new_text != text:
            path.write_text(new_text, "utf-8")


def list_files(suffixes: tuple[str, ...]) -> list[Path]:
    """Return the project's own files with these endings."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    ).stdout.split("\n")
    chosen = (name for name in listed if name.endswith(suffixes))
    return [
        ROOT / name
        for name in chosen
        if not any(part in name for part in NOT_TEXTS) and (ROOT / name).is_file()
    ]


def _move(old: Path, new: Path) -> None:
    new.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "mv", str(old), str(new)], cwd=ROOT, check=True)
