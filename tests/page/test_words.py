"""The words of the page: complete in every language, used, and nowhere else."""

import shutil
import subprocess

import pytest
from hatch_build import WEB, node_from_pypi, node_on_path


@pytest.fixture
def web(tmp_path):
    """A copy of the page's sources, to be broken."""
    copy = tmp_path / "web"
    shutil.copytree(WEB, copy, ignore=shutil.ignore_patterns("node_modules"))
    (copy / "node_modules").symlink_to(WEB / "node_modules", target_is_directory=True)
    return copy


def check(web):
    """What the check of the words says, line by line."""
    node = node_on_path() or node_from_pypi()
    command = [node.node, "check_words.mjs"]
    done = subprocess.run(command, cwd=web, capture_output=True, text=True, encoding="utf-8")
    return done.returncode, done.stderr.splitlines()


def change(web, name, old, new):
    """Change a text in a source file; it must be there."""
    path = web / "src" / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_the_words_are_complete_and_all_used(web):
    """As it stands, nothing is missing, left over, or said outside."""
    assert (0, []) == check(web)


def test_a_missing_and_an_unused_word_are_named(web):
    """A key that German lacks, and one that no component says."""
    change(web, "i18n/en.ts", '"do.save": "Save",', '"do.save": "Save",\n  "do.tame": "Tame",')
    code, problems = check(web)
    assert 1 == code
    missing = ["words: i18n/de.json misses do.tame", "words: i18n/fr.json misses do.tame"]
    assert [*missing, "words: nothing uses do.tame"] == sorted(problems)


def test_a_lost_placeholder_is_named(web):
    """A translation that drops what is to be filled in."""
    old, new = '"announce.knocks": "{name} klopft an."', '"announce.knocks": "Da!"'
    change(web, "i18n/de.json", old, new)
    code, problems = check(web)
    assert (1, 1) == (code, len(problems))
    assert "announce.knocks has other placeholders" in problems[0]


def test_text_in_a_component_is_named(web):
    """A component that says a word by itself."""
    change(
        web,
        "screens/JoinScreen.tsx",
        '<p class="soft">',
        '<p class="soft">Welcome</p><p class="soft">',
    )
    code, problems = check(web)
    assert (1, 1) == (code, len(problems))
    assert 'says "Welcome"' in problems[0]
