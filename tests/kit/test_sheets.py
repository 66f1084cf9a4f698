"""What sheets have in common: names, changes by effects, requests filled in from them."""

from typing import Any, NamedTuple

import pytest

from rollwright.dice import D6
from rollwright.errors import BadField, UnknownName
from rollwright.kit import Effect, Request, Value, field, preset
from rollwright.kit.fields import made
from rollwright.kit.sheets import (
    Change,
    adds,
    appends,
    applying,
    clamped,
    filled_parts,
    filling,
    happening,
    mine,
    named,
    on_thing,
    sets,
    with_others,
    with_thing,
)
from rollwright.rules import Call, rule, tally


class Tool(Value):
    """Something with a name."""

    name: str = field(help="what it is called")
    wear: int = field(default=0, help="how worn it is", low=0, high=9)


class Sheet(Value):
    """Somebody with tools."""

    name: str = field(default="", help="who it is")
    luck: int = field(default=3, help="luck left", low=0, high=5)
    tired: bool = field(default=False, help="whether a rest is due")
    notes: tuple[str, ...] = field(default=(), help="what to remember")
    tools: tuple[Tool, ...] = field(default=(), help="what is carried")


ANA = Sheet(name="Ana", tools=(Tool(name="rope"), Tool(name="saw", wear=2)))

apply: Change[Sheet] = applying(
    {
        "luck": mine(adds("luck", low=0, high=5)),
        "strain": adds("luck"),
        "tired": sets(tired=True),
        "note": appends("notes"),
        "wear": on_thing("tools", adds("wear"), rule="TOY R1"),
    },
    people=("rain",),
)


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        (Effect("luck", -2), ANA.but(luck=1)),
        (Effect("luck", -9), ANA.but(luck=0)),
        (Effect("luck", +9, "Ana"), ANA.but(luck=5)),
        (Effect("luck", +1, "Bob"), ANA),
        (Effect("tired"), ANA.but(tired=True)),
        (Effect("note", "owes Bob"), ANA.but(notes=("owes Bob",))),
        (Effect("wear", 3, "saw"), with_thing(ANA, "tools", "saw", wear=5)),
        (Effect("rain", 1), ANA),
    ],
)
def test_an_effect_does_what_its_line_says(effect, expected):
    """Amounts are added and cut, fields set, lists grown, things changed, others left alone."""
    assert apply(ANA, effect) == expected


def test_what_is_not_cut_is_refused():
    """Without limits of its own a change meets those of the field."""
    with pytest.raises(BadField, match="luck: -1 is too low"):
        apply(ANA, Effect("strain", -4))


def test_effects_and_things_nobody_knows_are_refused_with_a_guess():
    """An effect by its kind, a thing by the list where it was looked for, with the rule."""
    with pytest.raises(UnknownName, match="no effect 'lukc'; did you mean 'luck'"):
        apply(ANA, Effect("lukc", 1))
    with pytest.raises(
        BadField, match=r"tools: there is no 'roep'; did you mean 'rope'\? \(TOY R1"
    ):
        apply(ANA, Effect("wear", 1, "roep"))


def test_a_thing_is_found_by_its_name():
    """The thing itself, or a refusal of its kind; with a field, a refusal that says where."""
    assert named("tool", "saw", ANA.tools) is ANA.tools[1]
    with pytest.raises(UnknownName, match="no tool 'axe'; there are rope, saw"):
        named("tool", "axe", ANA.tools)
    with pytest.raises(BadField, match="one that is on the sheet would do"):
        named("tool", "x" * 1000, (), field="tools")


def test_a_changed_thing_keeps_its_place():
    """Others stay as they are, in their order."""
    changed = with_thing(ANA, "tools", "rope", wear=9)
    assert [tool.wear for tool in changed.tools] == [9, 2]


class Bag(Value):
    """Tools told apart by their names, and by their names in any case."""

    tools: tuple[Tool, ...] = preset((), "what is carried", rule="TOY R1", once="name")
    spares: tuple[Tool, ...] = preset((), "what is packed", once="name", any_case=True)


def test_names_are_told_apart():
    """A name twice is refused with its place; capitals matter unless they do not."""
    rope, saw, capital = ({"name": name} for name in ("rope", "saw", "Rope"))
    for where, cited in (("tools", r" \(TOY R1\)"), ("spares", "")):
        problem = rf"{where}\[2\]: 'rope' is there twice{cited}; each name once would do"
        with pytest.raises(BadField, match=problem):
            Bag(**{where: [rope, saw, rope]})
    assert len(Bag(tools=[rope, capital]).tools) == 2
    with pytest.raises(BadField, match=r"spares\[1\]: 'Rope' is there twice"):
        Bag(spares=[rope, capital])


def test_effects_without_an_amount_do_not_happen():
    """What changes nothing is not told."""
    assert happening(Effect("luck", 0), Effect("luck", -1)) == (Effect("luck", -1),)


@pytest.mark.parametrize(
    ("number", "low", "high", "expected"),
    [(3, 0, 5, 3), (-1, 0, 5, 0), (9, 0, 5, 5), (9, 0, None, 9)],
)
def test_a_number_is_cut_where_it_goes_too_far(number, low, high, expected):
    """Both limits may be left out."""
    assert clamped(number, low, high) == expected


class Thrown(NamedTuple):
    """What a throw shows."""

    face: int


class Throw(Request, roll="throw", title="A throw", outcome=Thrown):
    """One throw."""

    bonus: int = field(default=0, help="what is added")

    def call(self) -> Call[Any]:
        """The rule of it."""
        return throw(self.bonus)


@rule
async def throw(bonus: int) -> Any:
    """One die."""
    return tally(D6, start=bonus)


class Handful(Request, roll="handful", outcome=Thrown):
    """Several throws."""

    parts: tuple[Throw, ...] = field(default=(), help="the throws")


def _fill_throw(sheet: Sheet, fields: dict[str, Any]) -> Throw:
    return made(Throw, {"bonus": sheet.luck} | fields)


def _fill_handful(sheet: Sheet, fields: dict[str, Any]) -> Handful:
    parts = filled_parts(fields, "parts", Throw, lambda part: _fill_throw(sheet, part), "TOY R2")
    return Handful(parts=tuple(parts))


from_sheet = filling({"throw": _fill_throw, "handful": _fill_handful})


def test_a_request_is_filled_in_under_what_was_given():
    """The first kind of roll is the usual one; what was given goes first."""
    assert from_sheet(ANA) == Throw(bonus=3)
    assert from_sheet(ANA, "throw", bonus=1) == Throw(bonus=1)
    with pytest.raises(UnknownName, match="no roll 'trow'; did you mean 'throw'"):
        from_sheet(ANA, "trow")


def test_parts_are_filled_in_one_by_one():
    """Finished parts stay as they are."""
    filled = from_sheet(ANA, "handful", parts=[{}, {"bonus": 7}, Throw(bonus=9)])
    assert [part.bonus for part in filled.parts] == [3, 7, 9]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (5, r"parts: that is no list \(TOY R2\); a list of parts would do"),
        ("ab", "parts: that is no list"),
        ([{}, 5], r"parts\[1\]: that is no part \(TOY R2\); the fields of a part would do"),
        ([{}, {"bonsu": 1}], r"parts\[1\]\.bonsu: .*did you mean 'bonus'"),
    ],
)
def test_a_refusal_names_the_part(parts, message):
    """What is wrong with the second part is told of the second part."""
    with pytest.raises(BadField, match=message):
        from_sheet(ANA, "handful", parts=parts)


def test_others_stand_beside_whoever_the_sheet_is_of():
    """A list of others, or a refusal."""
    assert with_others("members", ANA, [1, 2]) == (ANA, 1, 2)
    with pytest.raises(BadField, match="members: that is no list"):
        with_others("members", ANA, 5)


def test_a_kind_of_roll_is_named_by_its_class_keywords():
    """Name, title and outcome stand in the class line, and what a subclass leaves out it has."""

    class Again(Throw, roll="again"):
        """Once more."""

    assert (Throw.roll, Throw.title, Throw.outcome) == ("throw", "A throw", Thrown)
    assert (Again.roll, Again.title, Again.outcome) == ("again", "A throw", Thrown)
