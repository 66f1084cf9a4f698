"""The command line speaks the language of its option, else that of the environment."""

import pytest

from tests.cli.running import environment, rollwright

WRONG = ("roll", "ghostburn", "roll", "--ability", "99", "--dl", "Hard")
ENGLISH = "rollwright: ability: 99 is too high (GHOST R5); -20 to 20 would do\n"
GERMAN = "rollwright: ability: 99 ist zu hoch (GHOST R5); möglich: -20 bis 20\n"


@pytest.mark.parametrize(
    ("options", "settings", "expected"),
    [
        ([], {}, ENGLISH),
        (["--language", "de"], {}, GERMAN),
        (["--language=de_AT"], {}, GERMAN),
        (["--language", "en"], {"ROLLWRIGHT_LANGUAGE": "de"}, ENGLISH),
        ([], {"ROLLWRIGHT_LANGUAGE": "de"}, GERMAN),
        ([], {"ROLLWRIGHT_LANGUAGE": "", "LC_ALL": "", "LC_MESSAGES": "de_DE.UTF-8"}, GERMAN),
        ([], {"ROLLWRIGHT_LANGUAGE": "tlh"}, ENGLISH),
    ],
)
def test_a_refusal_is_said_in_the_reader_s_language(options, settings, expected):
    """The option wins; a language of the environment that nobody wrote is English."""
    with environment(**settings):
        assert (2, expected) == rollwright(*options, *WRONG)[::2]


def test_one_command_line_leaves_nothing_to_the_next():
    """The language is read from the command line itself."""
    assert GERMAN == rollwright("--language", "de", *WRONG).err
    assert ENGLISH == rollwright(*WRONG).err


@pytest.mark.parametrize("code", ["xx", "german", "", "../de"])
def test_a_language_that_nobody_wrote_is_refused(code):
    """Where somebody asks for it by name, with those there are."""
    done = rollwright("--language", code, "games")
    assert (2, "") == done[:2]
    assert f"there is no language {code!r}; " in done.err


def test_the_pseudo_language_marks_what_is_translated():
    """Brackets around each message, nested as messages are; names stay as they are."""
    done = rollwright("--language", "en-XA", "games", "dusk")
    assert "rollwright: [[théřé íš ñó game 'dusk']; díd ýóú méáñ 'dust'?]\n" == done.err
