"""The rules of renaming, as they are written in `rules/*.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from tools.names.symbols import (
    ROOT,
    Definition,
    find_in_typescript,
    list_definitions,
    list_modules,
)

FOLDER = Path(__file__).parent / "rules"
TABLES = ("modules", "files", "texts", "patterns")


@dataclass(frozen=True)
class RenameRules:
    """All rules: symbols by the module or file that defines them, and what else is renamed."""

    symbols: dict[str, dict[str, str]] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    patterns: dict[str, str] = field(default_factory=dict)

    def find_symbols(self) -> Iterator[tuple[Definition, str, str]]:
        """Yield each definition that has an old name still, with that name and the new one."""
        for section, renames in self.symbols.items():
            if section.endswith((".ts", ".tsx")):
                path = ROOT / self.files.get(section, section)
                path = path if path.exists() else ROOT / section
                for old, new in renames.items():
                    place = find_in_typescript(path, old) if path.exists() else None
                    if place:
                        yield place, old.rpartition(".")[2], new
                continue
            for module in self._list_modules(section):
                definitions = list_definitions(list_modules()[module])
                for pattern, new in renames.items():
                    for name, places in definitions.items():
                        if name == pattern or ("*" in pattern and fnmatchcase(name, pattern)):
                            last = name.rstrip(")").replace("(", ".").rpartition(".")[2]
                            yield places[0], last, new

    def names_of(self, module: str) -> dict[str, str]:
        """Return the old names in a module with their new ones, as far as each has only one."""
        names: dict[str, set[str]] = {}
        for section, renames in self.symbols.items():
            if not section.endswith((".ts", ".tsx")) and module in self._list_modules(section):
                for old, new in renames.items():
                    if "(" not in old:
                        names.setdefault(old.rpartition(".")[2], set()).add(new)
        return {old: next(iter(found)) for old, found in names.items() if len(found) == 1}

    def _list_modules(self, section: str) -> list[str]:
        known = list_modules()
        deep = section.endswith(".**")
        base = section.removesuffix(".**")
        for name in (base, move_module(base, self.modules)):
            below = [each for each in known if each == name or each.startswith(f"{name}.")]
            if found := (below if deep else [name] if name in known else []):
                return found
        return []


def load_rules(files: list[Path]) -> RenameRules:
    """Read rules from files, by default from all that are kept."""
    rules = RenameRules()
    for path in files or sorted(FOLDER.glob("*.toml")):
        for section, renames in tomllib.loads(path.read_text("utf-8")).items():
            own = getattr(rules, section) if section in TABLES else None
            (rules.symbols.setdefault(section, {}) if own is None else own).update(renames)
    return rules


def move_module(name: str, moves: dict[str, str]) -> str:
    """Return the name that a module has after the moves; the longest one that fits holds."""
    for old in sorted(moves, key=len, reverse=True):
        if name == old or name.startswith(f"{old}."):
            return moves[old] + name[len(old) :]
    return name
