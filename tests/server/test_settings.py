"""Settings: where they come from, which wins, and what cannot be."""

import re
from pathlib import Path

import pytest

from rollwright.server.settings import SETTINGS, BadSetting, Settings, settings_from

ROOT = Path(__file__).parent.parent.parent
HOSTING = ROOT / "docs" / "table" / "hosting.md"


def test_an_option_wins_over_the_environment_and_that_over_the_file(tmp_path):
    """And what nobody sets has its default."""
    file = tmp_path / "table.toml"
    file.write_text('port = 1\nkeep-days = 2\nredis = "redis://file"\n', "utf-8")
    environ = {"ROLLWRIGHT_PORT": "3", "ROLLWRIGHT_KEEP_DAYS": "4", "OTHER": "5"}
    chosen = settings_from({"port": 6, "host": None}, environ, file)
    assert (6, 4, "redis://file") == (chosen.port, chosen.keep_days, chosen.redis)
    assert Settings().host == chosen.host


def test_every_kind_of_setting_is_read_from_texts_and_from_toml(tmp_path):
    """Numbers, switches, lists and texts."""
    file = tmp_path / "table.toml"
    file.write_text(
        'origins = ["https://a.example", "https://b.example"]\nopen = false\npoll_seconds = 2\n',
        "utf-8",
    )
    in_file = settings_from({}, {}, file)
    environ = {
        "ROLLWRIGHT_ORIGINS": "https://a.example, https://b.example",
        "ROLLWRIGHT_OPEN": "no",
        "ROLLWRIGHT_POLL_SECONDS": "2",
    }
    assert in_file == settings_from({}, environ)
    assert (("https://a.example", "https://b.example"), False) == (in_file.origins, in_file.open)


@pytest.mark.parametrize(
    ("chosen", "word"),
    [
        ({"workers": 2}, "SQLite serves one process"),
        ({"workers": 2, "database": "postgresql://x/y"}, "redis"),
        ({"workers": 0}, "1 or more"),
        ({"synchronous": "off"}, "full or normal"),
        ({"origins": ("dice.example",)}, "https://example.org would do"),
        ({"origins": ("https://dice.example/path",)}, "no origin"),
        ({"trust_proxy": ("proxy",)}, "no address of a proxy"),
        ({"trust_proxy": ("*",)}, "no address of a proxy"),
        ({"trust_proxy": ("0.0.0.0/0",)}, "a large part of everybody"),
        ({"trust_proxy": ("10.0.0.1", "::/0")}, "a large part of everybody"),
        ({"keep_days": -1}, "0 or more"),
        ({"log_level": "loud"}, "debug or info"),
    ],
)
def test_settings_that_cannot_be_are_refused(chosen, word):
    """Each with what came and what would do."""
    with pytest.raises(BadSetting, match=re.escape(word)):
        Settings(**chosen)


@pytest.mark.parametrize(
    ("environ", "word"),
    [
        ({"ROLLWRIGHT_PORT": "many"}, "ROLLWRIGHT_PORT is 'many'; a number would do"),
        ({"ROLLWRIGHT_OPEN": "perhaps"}, "true or false would do"),
    ],
)
def test_a_variable_that_cannot_be_read_is_named(environ, word):
    """So that it can be found."""
    with pytest.raises(BadSetting, match=re.escape(word)):
        settings_from({}, environ)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("prot = 1", "did you mean 'port'?"),
        ("port = true", "a number would do"),
        ("origins = 7", "texts with commas"),
        ("host = 7", "a text would do"),
        ("port 7", "cannot be read as TOML"),
    ],
)
def test_a_file_that_is_wrong_is_told_with_its_place(tmp_path, text, word):
    """The file, the setting, and the likely slip."""
    file = tmp_path / "table.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(BadSetting, match=re.escape(word)) as refused:
        settings_from({}, {}, file)
    assert str(file) in str(refused.value)


def test_what_others_can_reach_is_known():
    """Loopback in every form, and everything else."""
    inside = [Settings(host=host).is_loopback for host in ("127.0.0.1", "::1", "localhost")]
    outside = [Settings(host=host).is_loopback for host in ("0.0.0.0", "::", "192.168.1.7", "x.y")]
    assert ([True] * 3, [False] * 4) == (inside, outside)


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_is_in_the_docs_once(name):
    """With its option and its default, in one row of the tables of the page for hosts."""
    rows = re.findall(
        rf"^\| `--{name.replace('_', '-')}` \| ([^|]*) \|.*$", HOSTING.read_text("utf-8"), re.M
    )
    assert [told(SETTINGS[name].default)] == rows or (name, rows) == ("database", [YOURS])


YOURS = "a file in your data folder"


def told(default):
    """A default as the page for hosts tells it."""
    if isinstance(default, bool):
        return "yes" if default else "no"
    if isinstance(default, int | float):
        return f"{default:g}" if isinstance(default, float) else str(default)
    return f"`{default}`" if default else "none"


def test_every_table_of_the_page_for_hosts_has_a_head():
    """A row that a merge left alone is shown as text; an option that is not there is found."""
    page = HOSTING.read_text("utf-8")
    blocks = [block.splitlines() for block in re.split(r"\n(?!\|)", page)]
    tables = [[line for line in block if line.startswith("|")] for block in blocks]
    assert [] == [rows[0] for rows in tables if rows and not re.match(r"\|[ :|-]+\|$", rows[1])]
    options = {f"--{name.replace('_', '-')}" for name in SETTINGS}
    switches = {f"--no-{name}" for name, one in SETTINGS.items() if one.type == "bool"}
    named = set(re.findall(r"`(--[a-z-]+)", page)) - OF_OTHER_COMMANDS
    assert set() == named - options - switches


OF_OTHER_COMMANDS = {"--config", "--every", "--json", "--page"}
"""Options that the page names and that `rollwright serve` does not have, or not as a setting."""
