"""Whether translations fit: each language has every message, with the values and forms it needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from rollwright.errors import BadCatalog
from rollwright.i18n.catalogs import Catalog
from rollwright.i18n.languages import ENGLISH, facts, language_of, lineage
from rollwright.i18n.parser import CATEGORIES, Compiled

COUNTED = 200
"""Numbers up to this one must find a form of their own; larger ones may do with `other`."""


def problems_in(words: Mapping[str, Catalog]) -> list[str]:
    """List the problems of catalogs beside the English one: file, message and problem, a line each.

    >>> english = Catalog("en", {"hit": "{n, plural, one {# hit} other {# hits}}"}, "en.json")
    >>> polish = Catalog("pl", {"hit": "{n, plural, one {a} other {b}}", "miss": ""}, "pl.json")
    >>> for line in problems_in({"en": english, "pl": polish}):
    ...     print(line)
    pl.json: hit: n has no text for many (such as 0)
    pl.json: hit: n has no text for few (such as 2)
    pl.json: miss: English has no such message
    """
    if ENGLISH not in words:
        return ["there is no en.json; English is what the others are compared with"]
    english = words[ENGLISH]
    found = list(_faults(english))
    for language, catalog in words.items():
        if language != ENGLISH:
            found += [*_faults(catalog), *_differences(catalog, english)]
    return found


def _faults(catalog: Catalog) -> Iterator[str]:
    """Texts that cannot be read, or lack a form that the language has."""
    if not any(code in facts() for code in lineage(catalog.language)):
        yield f"{catalog.file}: nothing is known of the plurals of {catalog.language}"
    yield from map(str, catalog.problems)
    for id in catalog:
        try:
            text = catalog.find(id)
        except BadCatalog as problem:
            yield str(problem)
            continue
        for name, kind, forms in _choices(text or ""):
            if kind != "select":
                yield from (
                    f"{catalog.file}: {id}: {name} {wrong}"
                    for wrong in _unfit_forms(catalog.language, kind, forms)
                )


def _unfit_forms(code: str, kind: str, forms: Mapping[str, Compiled]) -> Iterator[str]:
    language = language_of(code)
    category = language.ordinal if kind == "ordinal" else language.plural
    tests = language.ordinals if kind == "ordinal" else language.plurals
    used = [key for key in forms if key in CATEGORIES and key != "other"]
    yield from (f"never is {key} in this language" for key in used if key not in tests)
    missing: dict[str, int] = {}
    for number in range(COUNTED):
        if f"={number}" not in forms and category(number) not in forms:
            missing.setdefault(category(number), number)
    yield from (f"has no text for {key} (such as {missing[key]})" for key in missing)


def _differences(catalog: Catalog, english: Catalog) -> Iterator[str]:
    """Messages that are missing or too many, and values that only one of the two uses."""
    for id in english:
        if id not in catalog.texts:
            yield f"{catalog.file}: {id}: the message is missing"
            continue
        try:
            here, there = catalog.find(id) or "", english.find(id) or ""
        except BadCatalog:
            continue  # already reported
        for name in sorted(values_in(there, hints=False) - values_in(here)):
            yield f"{catalog.file}: {id}: {{{name}}} is missing"
        for name in sorted(values_in(here) - values_in(there)):
            yield f"{catalog.file}: {id}: English has no {{{name}}} here"
    for id in catalog:
        if id not in english.texts:
            yield f"{catalog.file}: {id}: English has no such message"


def values_in(text: Compiled, *, hints: bool = True) -> set[str]:
    """The names of the values that a text uses.

    What only a select looks at is a hint on grammar, such as an article; another language may do
    without.

    >>> values_in([["case", "select", {"other": ""}]], hints=False)
    set()
    >>> sorted(values_in([["who"], " hits ", ["n", "cardinal", {"one": "one", "other": [["x"]]}]]))
    ['n', 'who', 'x']
    """
    if isinstance(text, str):
        return set()
    parts = [part for part in text if isinstance(part, list)]
    names = {cast(str, part[0]) for part in parts if hints or "select" not in part[1:2]}
    forms = (form for _, _, forms in _choices(text) for form in forms.values())
    return names.union(*(values_in(form, hints=hints) for form in forms))


def _choices(text: Compiled) -> Iterator[tuple[str, str, dict[str, Compiled]]]:
    """Every plural and select of a text, those within others too."""
    for part in () if isinstance(text, str) else text:
        if isinstance(part, list) and len(part) == 3:
            name, kind, forms = part
            forms = cast("dict[str, Compiled]", forms)
            yield cast(str, name), cast(str, kind), forms
            for form in forms.values():
                yield from _choices(form)
