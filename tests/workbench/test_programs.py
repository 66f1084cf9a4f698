"""Programs: what their lines show, exactly, and what is wrong with them at which line."""

import json
from fractions import Fraction

import pytest

from rollwright import queries, workbench
from rollwright.errors import BadField


def answered(text, **more):
    """What a program shows; it is plain data, whatever it is."""
    found = workbench.answer("program", {"text": text, **more})
    assert found == json.loads(json.dumps(found))
    return found


def only(text, **more):
    """The one thing that a program shows, which nothing is wrong with."""
    found = answered(text, **more)
    assert [] == found["problems"]
    (output,) = found["outputs"]
    return output


def chances(field):
    """The exact chance of every row."""
    return {
        row["label"]: Fraction(int(row["weight"]), int(field["total"])) for row in field["rows"]
    }


RULE = '''
@rule
async def shots(dice: int = 3, aim: Annotated[int, range(0, 4)] = 1) -> int:
    """Each 6 hits, and aim hits too."""
    return (await roll(dice * D6)).count(6) + aim
'''


def test_dice_need_no_ceremony():
    """A line of dice is an output, exactly: 3 is 1 of the 1,296 throws of 4d6 keep 3."""
    output = only("4d6kh3\n")
    assert ("odds", "4d6kh3", 1) == (output["kind"], output["name"], output["line"])
    (field,) = output["fields"]
    assert Fraction(1, 1296) == chances(field)["3"]
    assert "15869/1296" == field["mean"]["exact"]
    assert "12.24" == field["mean"]["said"]
    assert {"weight": "1296", "share": 1.0, "said": "100 %"} == field["rows"][0]["at_least"]
    assert "1/1296" == str(Fraction(int(field["rows"][0]["at_most"]["weight"]), 1296))


def test_lines_of_dice_have_names_and_stand_side_by_side():
    """`name: dice` is called so, and several lines are compared."""
    first, second, both = answered("attack: d20+5\nsave: 3d6\n# a note\n")["outputs"]
    assert ["attack", "save"] == [first["name"], second["name"]]
    (field,) = both["fields"]
    assert ["attack", "save"] == [roll["name"] for roll in field["rolls"]]
    assert 1 == sum(
        Fraction(field["duels"][0][way]["exact"]) for way in ("less", "equal", "greater")
    )


def test_four_dice_in_python_are_a_pool():
    """`4 * D6` is Python's, also in the first line: four dice and no product."""
    (field,) = only("4 * D6")["fields"]
    assert (4, 24, "14") == (field["low"], field["high"], field["mean"]["exact"])
    (product,) = only("4 * d6")["fields"]
    assert ["4", "8", "12", "16", "20", "24"] == [row["label"] for row in product["rows"]]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("2 * D6", "odds"),
        ("tally(2 * D6)", "odds"),
        ("rw.odds('2d6')", "odds"),
        ("shots(2, 0)", "odds"),
        ("shots", "odds"),
        ("[rw.odds('2d6'), 3 * D6]", "compare"),
        ("{'two': 2 * D6, 'three': 3 * D6}", "compare"),
        ("rw.sweep(shots, dice=range(1, 4))", "sweep"),
        ("rw.sweep(shots, dice=range(1, 4), aim=range(2))", "sweep"),
        ("rw.advise(shots(2, 0), lambda hits: hits)", "advice"),
        ("rw.roll(shots(2, 0), seed=1)", "roll"),
        ("rw.roll('4d6kh3', seed=1)", "roll"),
        ("rw.odds(2 * D6).p(7)", "number"),
        ("1.5", "number"),
        ("'a text'", "text"),
        ("float('nan')", "text"),
        ("2 == 2", "text"),
        ("rw.odds('2d6').compare(rw.odds('d12'))", "table"),
        ("{'a': 1, 'b': Fraction(1, 2)}", "table"),
    ],
)
def test_a_bare_expression_is_shown_as_what_it_is(line, kind):
    """Every kind of value that the library gives has an output of its own."""
    found = answered(f"{RULE}\n{line}\n")
    assert [] == found["problems"]
    (output,) = [one for one in found["outputs"] if not one["rule"]]
    assert kind == output["kind"]
    assert line == output["name"]
    assert RULE.count("\n") + 2 == output["line"]


@pytest.mark.parametrize(
    "line", ["x = 2 * D6", "None", "rw", "print", "def f(): return 2", "D6; 1"]
)
def test_names_and_nothing_show_nothing(line):
    """Giving a name, naming a function and None are no outputs; two lines in one are two."""
    assert line.count(";") + (line == "D6; 1") == len(answered(f"import math\n{line}\n")["outputs"])


def test_what_is_printed_is_kept_and_bounded():
    """A program's print goes to the answer, as far as there is room."""
    assert {"text": "a 1\n", "left_out": 0} == answered("print('a', 1)")["printed"]
    printed = answered("print('x' * 50_000)\nprint(2)")["printed"]
    assert (20_000, 30_003) == (len(printed["text"]), printed["left_out"])


def test_a_rule_is_shown_without_a_line_for_it():
    """With defaults for all of its arguments it is counted; sliders know what each may be."""
    found = answered(RULE)
    (rule,), (output,) = found["rules"], found["outputs"]
    assert ("shots", "Each 6 hits, and aim hits too.", []) == (
        rule["name"],
        rule["told"],
        rule["missing"],
    )
    assert ["dice", "aim"] == rule["numbers"]
    assert [0, 1, 2, 3] == rule["arguments"][1]["values"]
    assert (3, 1) == tuple(one["value"] for one in rule["arguments"])
    assert ("shots", "shots(dice=3, aim=1)") == (output["rule"], output["name"])
    assert "3/2" == output["fields"][0]["mean"]["exact"]


def test_arguments_come_from_sliders():
    """A value for an argument is counted with: five dice hit five sixths times on average."""
    output = only(RULE, arguments={"shots": {"dice": 5, "aim": 0}})
    assert "5/6" == output["fields"][0]["mean"]["exact"]
    refused = answered(RULE, arguments={"shots": {"aim": 9}})["rules"][0]["needs"]
    assert "aim: 9 is too high; 0 to 3 would do" == refused


def test_best_play_is_shown_where_somebody_chooses():
    """A rule with a choice and a number is played best: 4.25 for a die that may be thrown again."""
    text = """
@rule
async def again() -> int:
    first = await tally(D6)
    return first if await choose("keep", "throw", about=first) == "keep" else await tally(D6)
"""
    advice, odds = answered(text)["outputs"]
    assert ("advice", "17/4") == (advice["kind"], advice["value"]["exact"])
    assert {"keep", "throw"} == {call["best_call"] for call in advice["calls"]}
    assert "17/4" == odds["fields"][0]["mean"]["exact"]


def test_side_by_side_every_roll_has_every_row():
    """Beyond its own numbers a d4 comes to 5 or less surely, and to 5 or more never (by hand)."""
    for view, expected in (("at_most", ["100 %", "50.0 %"]), ("at_least", ["0 %", "66.7 %"])):
        (field,) = answered("d4\nd6+2", view=view)["outputs"][-1]["fields"]
        assert expected == [one["said"] for one in field["shares"][field["labels"].index("5")]]


def test_fields_stand_alone_and_two_of_them_together():
    """An outcome with names has odds for each field and a table of the first two."""
    text = """
class End(NamedTuple):
    hits: int
    hurt: bool

@rule
async def end() -> End:
    face = await tally(D6)
    return End(int(face > 4), face == 1)
"""
    output = only(text)
    assert ["hits", "hurt"] == [field["name"] for field in output["fields"]]
    assert ("hits", "hurt") == (output["joint"]["down"], output["joint"]["across"])
    weights = [[cell["weight"] for cell in row] for row in output["joint"]["cells"]]
    assert [["3", "1"], ["2", "0"]] == weights


@pytest.mark.parametrize(
    ("text", "line", "code", "message", "suggestions"),
    [
        ("4d6kh3\nhm: 4d6zz\n", 2, "bad_expression", None, None),
        ("x = (3\n", 1, "bad_syntax", "This ( is never closed.", []),
        ("x = 3)\n", 1, "bad_syntax", "This ) closes nothing.", []),
        ("hello world", 1, "bad_syntax", "This is neither dice such as 4d6kh3 nor Python.", []),
        ("x = 1\nhello world", 2, "bad_syntax", "This cannot be read as Python.", []),
        ("if True\n  1", 1, "bad_syntax", "A colon is missing at the end of this line.", []),
        ("if True:\n1", 2, "bad_syntax", "An indented line must follow here.", []),
        ("x = 'a\n", 1, "bad_syntax", "The quotation mark that ends this text is missing.", []),
        ("await roll(D6)", 1, "bad_syntax", None, []),
        ("import math\n4d6kh3", 2, "bad_syntax", None, ['rw.odds("4d6kh3")']),
        ("x = 1\nrool(D6)", 2, "unknown_name", None, ["roll"]),
        ("rw.odd(D6)", 1, "unknown_name", None, ["odds"]),
        ("odds(3 * D6)", 1, "unknown_name", None, ["rw.odds"]),
        ("output 3d6", 1, "anydice", None, []),
        ('X: 3d6\noutput [highest 1 of X] named "it"', 2, "anydice", None, []),
        ("function: f N:n { result: N }\noutput [f d6]", 1, "anydice", None, []),
        ("loop N over {1..3} {\n output Nd6\n}", 1, "anydice", None, []),
        ("import nothing_like_it", 1, "unknown_name", None, []),
        ("x = 0\n1 / x", 2, "failed", "Something is divided by zero here.", []),
        ("{}['a']", 1, "failed", "There is nothing under the name 'a' here.", []),
        ("int('x')", 1, "failed", None, []),
        ("Die(0)", 1, "refused", None, []),
        ("raise SystemExit", 1, "left", "The program ends itself here.", []),
        ("rw.odds(3)", 1, "refused", None, []),
    ],
)
def test_what_is_wrong_is_said_at_its_line(text, line, code, message, suggestions):
    """One sentence of our own at its place; what Python says is kept beside it for who asks."""
    (problem,) = answered(text)["problems"]
    assert (line, code) == (problem["line"], problem["code"])
    assert message in (None, problem["message"])
    assert suggestions in (None, problem["suggestions"])
    assert "Traceback" not in problem["message"]
    assert problem["end_column"] > problem["column"] or problem["end_line"] > problem["line"]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("10**5000", "10^5000"),
        ("-(10**5000)", "-10^5000"),
        ("float('inf')", "inf"),
        ("'\\ud800'", "\ud800"),
        ("'a' * 10**6", "a" * 19_999 + "…"),
        ("range(10**9)", "range(0, 1000000000)"),
    ],
)
def test_whatever_a_line_gives_can_be_written_down(line, text):
    """Numbers of any size, what is no number, half a character, a text without an end."""
    replied = json.loads(workbench.reply("program", json.dumps({"text": f"x = 1\n{line}"})))
    (output,) = replied["answer"]["outputs"]
    assert ("text", text) == (output["kind"], output["text"])


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n{'a' * 10**6: D6, 'a' * 10**6 + 'b': D8}",
        "x = 1\n{'a' * 10**6: 1}",
        "x = 1\n" + "nmae\n" * 3000,
        "x = 1\n10 ** 10**6\n{1: Fraction(1, 7 ** 10**6)}",
        "raise ValueError('x' * 10**6)",
        "print('x' * 10**6)\nimport sys\nsys.stdout.close()\nprint(1)",
        f"@rule\nasync def r(a: int = 3) -> int:\n    '{'x' * 10**5}'\n    return a\n",
        "x = 1\n" + "2 * D6\n" * 500,
        "class A:\n    def __repr__(self): return 'x' * 10**7\nA()",
    ],
)
def test_no_answer_is_larger_than_a_page(text):
    """Names, numbers, texts and their number are bounded, whatever a program makes."""
    replied = workbench.reply("program", json.dumps({"text": text}))
    assert "answer" in json.loads(replied)
    assert len(replied) < 700_000


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n[float('nan'), 10**5000]",
        "lambda: 1",
        "class A:\n    def __repr__(self): raise ValueError\nA()",
        "class E(Exception):\n    def __str__(self): raise ValueError\nraise E",
        "def f(): return f()\nf()",
        "raise BaseException",
        "(" * 500,
        "\0",
        "@rule\nasync def a():\n    while True: await roll(D6)",
        "@rule\nasync def a(x: 'Nope' = 3) -> 'Nope': return x",
        "@rule\nasync def a(house: int = 1, roll: int = 2) -> int: return house",
        "del rule\nrw = 3\nrw.odds(3)",
        "input()",
    ],
)
def test_whatever_somebody_writes_is_answered(text):
    """With what it shows or with one sentence each, never with a refusal of the whole."""
    replied = json.loads(workbench.reply("program", json.dumps({"text": text}), work=100_000))
    assert all(problem["message"] for problem in replied["answer"]["problems"])


def test_a_program_of_anydice_is_worked_out_where_it_is_typed():
    """Its outputs by their names and all side by side (3d6 is 10.5 on average); one that is wrong
    shows nothing, and what is wrong is told at its line.
    """
    found = answered('output 3d6 named "plain"\noutput d8\n')
    assert ["plain", "output 2", "Side by side"] == [one["name"] for one in found["outputs"]]
    assert "21/2" == found["outputs"][0]["fields"][0]["mean"]["exact"]
    wrong = answered("X: 3\noutput [nothing like it 3]")
    assert [] == wrong["outputs"]
    note, slip = wrong["problems"]
    assert ("anydice", "refused", 2, 7) == (
        note["code"],
        slip["code"],
        slip["line"],
        slip["column"],
    )
    assert "nothing like it" in slip["message"]


PUSHED = """
class Check(NamedTuple):
    hits: int
    pushed: bool

def mark(face: int) -> bool:
    return face == 6

@rule
async def part(dice: int) -> int:
    return (await roll(dice * D6)).count(mark)

@rule
async def push(dice: int = 2) -> Check:
    if await choose("keep", "push") == "keep":
        return Check(await part(dice), False)
    return Check(await part(2 * dice), True)
"""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# Two dice\nrw.odds(2 * D6)", "Two dice"),
        (
            "rw.sweep(\n    lambda n: n * D6,\n    title='Many dice',\n    n=range(3),\n)",
            "Many dice",
        ),
        ("rw.odds(\n    2 * D6,\n)", "rw.odds(2 * D6)"),
        ('rw.odds("2d6")', 'rw.odds("2d6")'),
    ],
)
def test_an_output_is_called_by_its_note_its_title_or_as_it_is_written(text, name):
    """Over several lines it is put into one, without the gaps."""
    assert name == only(text)["name"]


def test_only_what_can_decide_is_offered_as_a_policy():
    """A function that reads a face decides nothing, and nothing is best where no number counts;
    a rule that is only a part of another stands in nobody's way.
    """
    (rule,) = answered(PUSHED)["rules"]
    assert ("push", [], True) == (rule["name"], rule["policies"], rule["chooses"])
    assert 'such as def mine(now): return "keep".' in rule["needs"]
    text = f"{PUSHED}\ndef mine(now: rw.Situation): return 'push'\n"
    found = answered(text, policies={"push": "mine"})
    assert ["mine"] == found["rules"][0]["policies"]
    assert "2/3" == found["outputs"][0]["fields"][0]["mean"]["exact"]
    (rule,) = answered(text, policies={"push": "best"})["rules"]
    assert rule["chooses"], "another can be named"


def test_a_program_of_anydice_is_drawn_beside_its_python():
    """What `ask` answers, with the pictures and numbers that the same program shows as it is typed
    (3d6 is 10.5 on average).
    """
    text = 'output 3d6 named "plain"\noutput d8\n'
    found = workbench.answer("from_anydice", {"text": text})
    drawn = found.pop("drawn")
    assert queries.answer("anydice", {"text": text}) == found
    assert ["plain", "output 2", "Side by side"] == [one["name"] for one in drawn]
    assert "21/2" == drawn[0]["fields"][0]["mean"]["exact"]
    assert all(field["svg"].startswith("<svg") for one in drawn for field in one["fields"])
    assert all(field["csv"] for one in drawn for field in one["fields"])


def test_many_outputs_of_anydice_are_drawn_up_to_a_bound():
    """Sixty pictures of seventy; what they come to is answered for all."""
    text = "loop N over {1..70} { output N }"
    assert 60 == len(answered(text)["outputs"])
    found = workbench.answer("from_anydice", {"text": text})
    assert (70, 60) == (len(found["outputs"]), len(found["drawn"]))


def test_too_much_work_of_anydice_is_told_at_its_line():
    """Forty dice of forty sides have more sorted rolls than anybody can go through."""
    found = answered("function: f S:s { result: 1@S }\noutput [f 40d40]")
    note, slip = found["problems"]
    assert ("anydice", "too_much_work", 2, 7) == (
        note["code"], slip["code"], slip["line"], slip["column"],
    )  # fmt: skip


def test_words_of_anydice_mean_nothing_to_a_program_of_ours():
    """Where nothing is wrong, `output` and `function` are names like others."""
    assert [] == answered("output = 3\noutput\nfunction: int = 2\n")["problems"]


def test_an_async_function_without_a_mark_is_no_rule():
    """It says what is missing."""
    (problem,) = answered("async def a(): return 1\na()")["problems"]
    assert "This is an async function, but no rule: write @rule above it." == problem["message"]


def test_a_problem_inside_a_rule_is_told_in_the_rule():
    """Not where it was counted, but at the line of the rule that went wrong, in characters."""
    text = """
@rule
async def bad(a: int) -> int:
    name = "äöü"; return nmae

rw.odds(bad(1))
"""
    (problem,) = answered(text)["problems"]
    assert (4, 25, 29) == (problem["line"], problem["column"], problem["end_column"])
    assert "bad(1)" in problem["traceback"]


def test_problems_are_told_in_the_readers_language():
    """In German and in French too."""
    question = {"text": "rool"}
    german = workbench.answer("program", question, language="de")["problems"][0]["message"]
    french = workbench.answer("program", question, language="fr")["problems"][0]["message"]
    assert "Hier heißt nichts rool. Ist roll gemeint?" == german
    assert "Rien ne s’appelle rool ici. Vouliez-vous dire roll ?" == french


def test_numbers_are_said_in_the_readers_language():
    """A mean has a decimal comma in German."""
    found = workbench.answer("program", {"text": "4d6kh3"}, language="de")
    assert "12,24" == found["outputs"][0]["fields"][0]["mean"]["said"]


def test_a_line_that_only_shows_may_fail_alone():
    """The next one is still shown; after a statement that fails nothing is run."""
    found = answered("int('a')\nD6\nx = 1 / 0\nD8\n")
    assert ["D6"] == [output["name"] for output in found["outputs"]]
    assert [1, 3] == [problem["line"] for problem in found["problems"]]


def test_each_output_has_a_budget_of_its_own():
    """One that is too much is refused, and the others are counted."""
    text = """
@rule
async def many() -> tuple[tuple[int, ...], ...]:
    hands = [await roll(8 * D6) for _ in range(3)]
    return tuple(tuple(hand) for hand in hands)

rw.odds(many())
D6
"""
    found = workbench.reply("program", json.dumps({"text": text}), work=100_000)
    answer = json.loads(found)["answer"]
    assert ["too_much_work"] == [problem["code"] for problem in answer["problems"]]
    assert ["D6"] == [output["name"] for output in answer["outputs"]]


def test_a_choice_of_tens_of_thousands_is_refused_at_once():
    """With a sentence at its line, before any of them is followed."""
    text = """
@rule
async def pick() -> int:
    first = await tally(D6)
    return await choose(*range(30_000), about=first)

rw.advise(pick(), lambda end: end)
"""
    replied = json.loads(workbench.reply("program", json.dumps({"text": text}), work=20_000))
    (problem,) = replied["answer"]["problems"]
    assert (5, "30,000 options") == (problem["line"], problem["message"][:14])
    assert [] == replied["answer"]["outputs"]


def test_a_rule_may_call_what_its_program_imports_as_a_module():
    """A six takes six throws on average, also where the words are said as `rules.roll`.

    Python calls attributes of imported names otherwise, and a program is run line by line.
    """
    text = """
from rollwright import cost, rules
from rollwright.dice import D6
@rules.rule
async def until_a_six() -> None:
    while True:
        await rules.spend(1)
        if 6 in await rules.roll(D6):
            return
cost(until_a_six()).mean
"""
    answer = json.loads(workbench.reply("program", json.dumps({"text": text})))["answer"]
    assert [] == answer["problems"]
    assert ["6"] == [output["exact"] for output in answer["outputs"]]


def test_everything_that_can_be_asked_is_answered_here():
    """What `ask` answers, with its own refusals, and JSON for a worker."""
    question = {"expression": "2d6", "where": "it >= 10"}
    assert "1/6" == workbench.answer("event", question)["chance"]
    assert "1/6" == json.loads(workbench.reply("event", json.dumps(question)))["answer"]["chance"]
    refused = json.loads(workbench.reply("event", '{"expression": "2d"}'))
    assert "bad_field" == refused["error"]["code"]
    with pytest.raises(BadField):
        workbench.answer("nothing", {})


def test_rules_of_a_program_are_asked_about_by_its_text():
    """Find, sensitivity, maps and rolls of a rule: 65 % of a hit need 6 dice (1 - (5/6)^6)."""
    request = answered(RULE)["rules"][0]["request"]
    about = {"program": RULE, "request": {**request, "aim": 0}, "where": "it >= 1"}
    found = workbench.answer("find", {**about, "target": "65%", "over": "dice"})
    assert [6] == found["found"]
    moved = workbench.answer("sensitivity", about)["rows"]
    assert ["aim", "dice"] == [row["field"] for row in moved]
    vary = [{"field": "dice", "values": [1, 2]}, {"field": "aim", "values": [0, 1]}]
    cells = workbench.answer("map", {**about, "vary": vary})["cells"]
    assert ["1/6", "1", "11/36", "1"] == [cell["chance"]["exact"] for cell in cells]
    rolled = workbench.answer("roll", {"program": RULE, "request": request, "seed": 1})
    assert "done" == rolled["step"]["step"]


def test_a_rule_of_which_nothing_is_said_is_tuned_by_its_average():
    """Whatever type it names: three dice show half a 6 on average. What has no average is asked for
    an event, by the name of a number in it.
    """
    text = RULE.replace(" -> int", "")
    request = answered(text)["rules"][0]["request"]
    about = {"program": text, "request": {**request, "aim": 0}}
    found = workbench.answer("sensitivity", about)
    assert ("mean", "1/2") == (found["measure"]["title"], found["now"]["exact"])
    several = f"""
class Hit(NamedTuple):
    hits: int
{text.replace("return ", "return Hit(") + ")"}
"""
    request = answered(several)["rules"][0]["request"]
    with pytest.raises(BadField, match="an event such as hits >= 1 would do"):
        workbench.answer("sensitivity", {"program": several, "request": request})


def test_numbers_that_came_one_after_the_other_become_a_picture():
    """With their numbers for a spreadsheet, chances as parts of 1 in any language."""
    about = {"title": "it", "across": "dice", "down": "aim", "columns": ["1", "2"], "rows": ["0"]}
    drawn = workbench.answer("grid", {**about, "cells": ["1/4", ""]}, language="de")
    assert "aim \\ dice,1,2\n0,0.25,\n" == drawn["csv"].replace("\r\n", "\n")
    assert drawn["svg"].startswith("<svg")
    for wrong in (["1"], ["1", "x"], ["1/0", ""]):
        with pytest.raises(BadField):
            workbench.answer("grid", {**about, "cells": wrong})


def test_a_swept_number_is_saved_as_a_spreadsheet_reads_it():
    """One or two dice, at least one 6: 1/6 and 11/36 as decimals, not as percent."""
    sweep = "rw.sweep(shots, where=lambda hits: hits >= 1, dice=(1, 2), aim=(0,))"
    found = answered(f"{RULE}\n{sweep}\n", language="de")["outputs"][-1]
    assert "0.1666666667,0.3055555556" in found["csv"]


def test_a_changed_rule_is_counted_anew():
    """Nothing is remembered of a rule that had the same name before."""
    before = only(RULE)["fields"][0]["mean"]["exact"]
    after = only(RULE.replace("count(6)", "count(6) * 2"))["fields"][0]["mean"]["exact"]
    assert ("3/2", "2") == (before, after)
