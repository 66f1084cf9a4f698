"""The names of the code: how many are against the glossary, and how the sweep reads its rules."""

import pytest
from tools.names import rules, symbols
from tools.names.counting import count_names
from tools.names.rules import load_rules
from tools.names.symbols import Definition, find_in_typescript, list_definitions

CODE = '''
class Throw:
    """Dice thrown together."""

    def told(self, seat):
        self.shown = seat
        return self.shown


async def said(name): ...
'''
RULES = """
[modules]
"small.words" = "small.i18n"

["small.words"]
"Throw.told" = "narrate"
"Throw.told(seat)" = "reader"
said = "msg"

["small.**"]
"Throw.sho*" = "view"
"""


@pytest.mark.long
def test_names_are_those_of_the_glossary():
    """At most 25 shared class names; fewer than 60 participles, and than 60 stiff docstrings."""
    shared, participles, stiff = count_names().values()
    assert (shared <= 25, participles < 60, stiff < 60) == (True, True, True)


def test_a_definition_is_found_by_its_name(tmp_path):
    """Also methods, attributes and parameters, each where its name stands."""
    path = tmp_path / "throws.py"
    path.write_text(CODE, "utf-8")
    found = {name: places[0][1:] for name, places in list_definitions(path).items()}
    assert {
        "Throw": (1, 6),
        "Throw.told": (4, 8),
        "Throw.told(self)": (4, 13),
        "Throw.told(seat)": (4, 19),
        "Throw.shown": (5, 13),
        "said": (9, 10),
        "said(name)": (9, 15),
    } == found


def test_a_definition_of_typescript_is_found_by_its_name(tmp_path):
    """Columns count as a language server counts them."""
    path = tmp_path / "throw.ts"
    path.write_text("/* 🎲 */ export class Throw {\n  private told(): string {\n", "utf-8")
    assert Definition(path, 0, 22) == find_in_typescript(path, "Throw")
    assert Definition(path, 1, 10) == find_in_typescript(path, "Throw.told")
    assert find_in_typescript(path, "Throw.said") is None


def test_rules_say_what_is_still_to_be_renamed(tmp_path, monkeypatch):
    """By the module that defines it, under its old name or under the one it has moved to."""
    module, text = tmp_path / "i18n.py", tmp_path / "some.toml"
    module.write_text(CODE, "utf-8")
    text.write_text(RULES, "utf-8")
    for place in (rules, symbols):
        monkeypatch.setattr(place, "list_modules", lambda: {"small.i18n": module})
    loaded = load_rules([text])
    assert {"small.words": "small.i18n"} == loaded.modules
    assert {("told", "narrate"), ("seat", "reader"), ("said", "msg"), ("shown", "view")} == {
        (old, new) for _, old, new in loaded.find_symbols()
    }
    assert {"told": "narrate", "said": "msg"}.items() <= loaded.names_of("small.i18n").items()


def test_rules_that_are_kept_can_be_read():
    """Every table of every file names old and new."""
    loaded = load_rules([])
    assert "rollwright.i18n" == loaded.modules["rollwright.words"]
    assert all(new for table in loaded.symbols.values() for new in table.values())
