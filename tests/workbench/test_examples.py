"""Examples of a page: run after those above them, of which nothing is shown again."""

import pytest

from rollwright import workbench


def answered(text, *above):
    """What an example shows below others."""
    return workbench.answer("example", {"text": text, "above": list(above)})


def test_an_example_builds_on_those_above():
    """What they made is there; what they show and print is told where they stand."""
    found = answered("print(x)\nx + 1", "x = 2\nx\nprint('above')", "x = x * 10")
    assert [] == found["problems"]
    assert "20\n" == found["printed"]["text"]
    assert ["21"] == [one["exact"] for one in found["outputs"]]


def test_an_example_is_python_from_its_first_line_on():
    """What would be dice at the head of a program is a number here."""
    (output,) = answered("4 * 6")["outputs"]
    assert ("number", "24") == (output["kind"], output["exact"])
    assert ["bad_syntax"] == [one["code"] for one in answered("4d6kh3")["problems"]]


@pytest.mark.parametrize("above", ["rw.odds('4d6zz')\nx = 1", "y = 1 / 0\nx = 1", "x = 1\nexit()"])
def test_what_fails_above_is_there_to_fail(above):
    """An example may show a refusal: the lines after it are run, and it is not told again."""
    found = answered("x", above)
    assert [] == found["problems"]
    assert ["1"] == [one["exact"] for one in found["outputs"]]


def test_an_example_above_that_cannot_be_read_is_left_out():
    """What it would have made is missed by name, at the line that wants it."""
    (problem,) = answered("\nx", "x = (1")["problems"]
    assert (2, "unknown_name") == (problem["line"], problem["code"])


def test_a_slip_in_what_was_defined_above_is_told_at_the_line_that_calls_it():
    """No line of another text is named."""
    (problem,) = answered("1\nhalf()", "\n\n\n\ndef half():\n    return 1 / 0")["problems"]
    assert 2 == problem["line"]


def test_only_rules_of_the_example_itself_are_shown():
    """A rule with values for all it takes shows its odds, as at the workbench."""
    rule = "@rule\nasync def NAME(dice: int = 2):\n    return (await roll(dice * D6)).count(6)\n"
    found = answered(rule.replace("NAME", "own"), rule.replace("NAME", "other"))
    assert ["own(dice=2)"] == [one["name"] for one in found["outputs"]]


def test_what_has_no_odds_is_shown_as_python_writes_it():
    """A step that waits for a choice: a program is told to name a policy, an example is shown."""
    text = "from rollwright.rules import choose\nchoose('keep', 'push')"
    (output,) = answered(text)["outputs"]
    assert "text" == output["kind"]
    assert workbench.answer("program", {"text": text})["problems"]


def test_a_game_that_is_written_anew_may_have_other_names():
    """Run, changed and run again: whatever a game consists of now is what counts."""
    text = """
class End(NamedTuple):
    n: int
class Toss(Request, roll="toss", outcome=End):
    '''Toss.'''
@rule
async def toss(asked: Toss) -> End:
    '''Toss.'''
    return End(await tally(D6))
game = Game(name="tosses", title="T", summary="T.", requests={Toss: toss})
rw.roll(game.request("toss"), seed=1).to_json()
class LATER(NamedTuple):
    n: int
"""
    for name in ("One", "Other"):
        assert [] == answered(text.replace("LATER", name))["problems"]
