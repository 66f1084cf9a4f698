"""`rollwright ask`: what to do in a sentence first, chances in percent, numbers with units."""

import pytest

from tests.cli.running import rollwright

SKILL = ["skill", "--attribute", "B", "--skill", "C"]


def ask(*words):
    """What is printed for a question."""
    done = rollwright("ask", *words)
    assert 0 == done.code, done.err
    return done.out.splitlines()


def test_the_first_line_says_what_to_do():
    """Two blanks on a D10 and a D8 are pushed to 11/16 = 68.8 % (T2K R12); a success is kept."""
    push = ask("twilight2000", "should-push", *SKILL, "--faces", "3,2")
    assert push[1].startswith("Push: 68.8 % against 0 %; it pays if")
    keep = ask("twilight2000", "should-push", *SKILL, "--faces", "6,2")
    assert "Keep: 100 % either way; a push can only cost." == keep[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("dust gain-of-spending --pool 1 --difficulty 9", "Spend it: 90.0 % against 20.0 %."),
        (
            "dust gain-of-spending --pool 1 --difficulty 2 --need 9",
            "Keep the point: 0 % either way.",
        ),
        (
            "edge20 hit-or-damage --modifier 5 --dc 15 --effect 2d6+3",
            "More damage: 6.85 against 6.5 damage on average; as things are 5.75.",
        ),
        (
            "edge20 which-die-to-reroll --modifier 5 --dc 15 --rerolls 1 --faces 8",
            "Re-roll: 0.55 against 0.",
        ),
    ],
)
def test_other_questions_of_what_to_do(words, said):
    """Each says its best way against the next, from the numbers below it."""
    assert said in ask(*words.split())


def test_a_question_of_how_much_has_no_verdict():
    """There is nothing to do about the chances of a check."""
    lines = ask("edge20", "tier-odds", "--modifier", "5", "--dc", "15")
    assert "  critical failure: 5.0 %" == lines[1]
    assert "  success: 50.0 %" in lines


def test_numbers_have_their_units():
    """Percents of chances, points of what they gain, attempts that are counted; or fractions."""
    help = ask("edge20", "worth-of-help", "--modifier", "5", "--dc", "15")
    assert ["+1", "60.0", "%", "+5.0", "points", "+5.0", "points"] == help[3].split()
    until = ask("dust", "rolls-until", "--pool", "2", "--goal", "1")
    assert "  20 rolls" == until[-1]
    exact = ask("edge20", "worth-of-help", "--modifier", "5", "--dc", "15", "--exact")
    assert ["+1", "3/5", "1/20", "1/20"] == exact[3].split()


@pytest.mark.parametrize("chance", ["0.65", "65%", "13/20"])
def test_a_dc_that_is_asked_for_is_not_asked_of_you(chance):
    """d20+5 reaches 13 with 8 or more, 13 of 20 faces: 65 %."""
    assert "  13" == ask("edge20", "highest-dc", "--modifier", "5", "--chance", chance)[-1]
    table = ask("edge20", "dc-table", "--modifier", "5", "--chances", f"{chance},1/2")
    assert ["65.0", "%", "13"] == table[-2].split()


def test_what_is_about_a_roll_with_all_defaults_needs_no_option():
    """A Test without options is the plain one: 65 % are low (KLEP R9)."""
    assert "  low: 65.0 %" == ask("kleptonomicon", "band-chances")[1]


def test_what_makes_no_difference_is_counted_and_named_on_demand():
    """A jam rule does nothing to a skill roll; the list comes with --all."""
    odds = ["odds", "twilight2000", *SKILL, "--sensitivity"]
    told = rollwright(*odds).out
    assert "more make no difference; --all names them." in told.splitlines()[-1]
    assert "jam rule" not in told
    assert "jam rule" in rollwright(*odds, "--all").out
    assert 1 == told.count("modifier")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["(@n)d6", "--target", "20"], "--target 20 --over n would do"),
        (["2d6", "--target", "20"], "write @n where a number is to be found"),
        (["dust", "roll", "--pool", "5", "--target", "65%"], "such as pool, attribute"),
    ],
)
def test_a_target_without_a_field_is_told_what_could_be_searched(words, hint):
    """The hint is about what was asked, not about another game's field."""
    done = rollwright("odds", *words)
    assert (2, True) == (done.code, hint in done.err), done.err


def test_an_attack_has_its_article():
    """`a Attack` is said nowhere."""
    done = rollwright(
        "ask", "twilight2000", "how-many-ammo-dice", "--from", "-", pipe='{"request": 5}'
    )
    assert "is not an Attack" in done.err


def test_an_answer_says_which_policy_was_counted():
    """`--push` is `--policy` here as elsewhere, and what was counted stands above the table."""
    rifle = ["twilight2000", "how-many-ammo-dice", "--attribute", "B", "--rate-of-fire", "1"]
    assert "policy never" == ask(*rifle)[1]
    pushed = ask(*rifle, "--push", "if-failed")
    assert "policy if-failed" == pushed[1]
    assert ask(*rifle, "--policy", "if-failed") == pushed


def test_what_is_missing_is_called_as_its_option_is():
    """Nobody typed `request`; whoever gives it in a file did."""
    question = ["ask", "twilight2000", "how-many-ammo-dice"]
    assert rollwright(*question).err.startswith("rollwright: attribute: is missing (T2K R4)")
    held = rollwright(*question, "--from", "-", pipe='{"request": {}}').err
    assert held.startswith("rollwright: request.attribute: is missing")
