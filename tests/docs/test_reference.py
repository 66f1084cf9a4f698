"""The reference is made from the code: every public name, its signature, its docstring."""

import importlib
import re

import pytest

import rollwright
from docs import reference_pages

MODULES = list(reference_pages.MODULES)


@pytest.fixture(scope="module")
def pages():
    """The pages of the reference by file name."""
    return reference_pages.pages()


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_told(pages, name):
    """Each name a module offers has a line, a place to link to, and something said about it."""
    module = importlib.import_module(name)
    page = pages[reference_pages.file_of(name)]
    for word in reference_pages.public_names(module):
        assert f"[`{word}`](" in page
        value = reference_pages.called(getattr(module, word))
        assert reference_pages.first_line(module, word, value), f"{word} has no docstring"


@pytest.mark.parametrize("name", MODULES)
def test_what_all_lists_is_what_is_told(name):
    """Where a module has `__all__`, nothing of it is left out but what serves our own modules."""
    module = importlib.import_module(name)
    listed = set(getattr(module, "__all__", ())) - {"__version__"} - reference_pages.INSIDE
    assert listed <= set(reference_pages.public_names(module))


@pytest.mark.parametrize("name", MODULES)
def test_a_page_is_the_same_everywhere(pages, name):
    """No address of an object and no path of a machine gets into the reference."""
    page = pages[reference_pages.file_of(name)]
    assert " object at " not in page
    assert "0x" not in page


def listed_names(pages, name):
    """The names that the page of public names lists for a module."""
    section = pages[reference_pages.PUBLIC_NAMES].split(f"\n## `{name}`\n")[1].split("\n## ")[0]
    return re.findall(r"^- \[?`(\w+)`", section, re.MULTILINE)


def test_the_public_names_are_those_that_are_offered(pages):
    """What the page lists is what `rollwright.__all__` offers and what `dir(rollwright)` shows."""
    assert list(rollwright.__all__) == listed_names(pages, "rollwright")
    assert sorted(rollwright.__all__) == dir(rollwright)
    assert set(reference_pages.PROVISIONAL) <= set(rollwright.__all__)


@pytest.mark.parametrize("name", MODULES)
def test_a_public_name_leads_to_what_is_told_of_it(pages, name):
    """Each module is on the page of public names, and each of its links has its place."""
    section = pages[reference_pages.PUBLIC_NAMES].split(f"\n## `{name}`\n")[1].split("\n## ")[0]
    links = re.findall(r"`\]\(([\w.-]+)#(\w+)\)", section)
    assert reference_pages.public_names(importlib.import_module(name)) == [at for _, at in links]
    assert [] == [link for link in links if f"{{ #{link[1]} }}" not in pages[link[0]]]
    assert ("**Stable**" in section) == (name in reference_pages.STABLE)


def test_a_signature_is_written_as_one_would():
    """Modules are left out of types, `*` stands where keywords begin, and long ones are broken."""

    def throw(pool: "rollwright.dice.Pool", /, *, read: "typing.Any | None" = None) -> "int": ...  # noqa: F821

    assert "throw(pool: Pool, /, *, read: Any | None = None) -> int" == (
        reference_pages.signature("throw", throw)
    )

    def wide(first_argument: int, second_argument: int, third_argument: int, last: int) -> None: ...

    assert "wide(\n    first_argument: int,\n" in reference_pages.signature("wide", wide)


def test_examples_of_a_docstring_become_blocks_that_are_run():
    """Text stays text, and what starts with >>> is fenced."""
    made = list(reference_pages.prose("Add.\n\n>>> 1 + 1\n2\n\nDone."))
    assert ["Add.", "", "```pycon", ">>> 1 + 1", "2", "```", "", "Done.", ""] == made
