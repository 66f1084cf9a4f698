"""The suites: each module here is one, with a `run`, and its docstring says what it measures."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


def names() -> list[str]:
    """Every suite there is."""
    return sorted(found.name for found in iter_modules(__path__))


def load(name: str) -> ModuleType:
    """One suite: a module with `run(settings)`, which says whether all was well."""
    return import_module(f"{__name__}.{name}")


def described(name: str) -> str:
    """What a suite measures, in one sentence."""
    return (load(name).__doc__ or "").strip().splitlines()[0]
