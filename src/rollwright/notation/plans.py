"""The meaning of dice modifiers: one treatment, or one for each number that is thrown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from rollwright.notation.errors import NotationError
from rollwright.notation.modifiers import EXPLOSIONS, PICKS
from rollwright.notation.parts import Constant
from rollwright.notation.pool_modifiers import PoolModifiers
from rollwright.notation.tree import NumberNode

if TYPE_CHECKING:
    from rollwright.notation.compiler import Compiler
    from rollwright.notation.dice import DieKind, Test
    from rollwright.notation.parts import Part
    from rollwright.notation.tree import Amount, DiceNode, Modifier

NOT_ALONE = frozenset(["f", "cs", "cf"])
"""Modifiers that cannot be the only one."""
RAREST_REST = 20
"""Re-rolling until it passes needs at least one good face in so many."""
TESTED = {
    "ro": "reroll", "rr": "reroll", "k": "faces", "success": "success", "f": "failure",
    "sf": "minus",
}  # fmt: skip
"""Fields of a treatment for a modifier's faces; explosions have theirs in `explode`."""
FIXED = EXPLOSIONS | {"ro", "rr"}
"""Modifiers whose faces may not be thrown: whether dice ever rest depends on them."""


Said: TypeAlias = "tuple[str, str, Amount | None, bool]"
"""One thing that is done to dice: its name, how faces are compared, with what, and if it is
joined to the one before."""
MOST_KNOWN = 512
_known: dict[tuple[Said, ...], PoolModifiers] = {}
"""Treatments by all their modifiers: people nearly always use the same ones."""


class Plan(NamedTuple):
    """Modifiers with some numbers that are themselves thrown."""

    said: tuple[Said, ...]
    places: tuple[int, ...]
    """Which of them have a number that is thrown."""
    thrown: tuple[Part, ...]

    def modifiers(self, values: Sequence[Amount]) -> PoolModifiers:
        """Return the treatment of the dice when these numbers were thrown."""
        said = [*self.said]
        for place, value in zip(self.places, values, strict=True):
            name, compare, _, joined = said[place]
            said[place] = name, compare, value, joined
        return modifiers_of(tuple(said))

    @property
    def meaning(self) -> tuple[object, ...]:
        """The key that two plans share exactly if they do the same with the same numbers."""
        return self.said, self.places


def modifiers_of(said: tuple[Said, ...]) -> PoolModifiers:
    """Return the treatment for all these modifiers."""
    known = _known.get(said)
    if known is None:
        made: dict[str, Any] = {}
        for one in said:
            _add(made, *one)
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        known = _known[said] = PoolModifiers(**made)
    return known


def compile_modifiers(
    compiler: Compiler, modifiers: tuple[Modifier, ...], kind: DieKind | None
) -> tuple[PoolModifiers, Plan | None]:
    """Return the treatment of dice or, if `kind` is None, of the results of a group.

    If numbers in it are thrown, there is a plan, and the treatment is that of the lowest ones.
    """
    said: list[Said] = []
    places: list[int] = []
    thrown: list[Part] = []
    for one in modifiers:
        _, name, compare, node, joined = one
        amount: Amount | None = None
        if type(node) is NumberNode and type(node.value) is int and node.value >= 0:
            amount = node.value
        elif node is not None:
            part = compiler.part(node)
            _check_amount(compiler, one, part)
            if type(part) is Constant:
                amount = part.value
            else:
                places.append(len(said))
                thrown.append(part)
        said.append((name, compare, amount, joined))
    every = tuple(said)
    if len(said) != 1 or said[0][0] in NOT_ALONE:
        _check_whole_story(compiler, modifiers, every, kind)
    if not thrown:
        return modifiers_of(every), None
    plan = Plan(every, tuple(places), tuple(thrown))
    return plan.modifiers([part.low for part in thrown]), plan


def _check_amount(compiler: Compiler, one: Modifier, part: Part) -> None:
    assert one.amount is not None
    if one.name in FIXED and not isinstance(part, Constant):
        sentence = "a fixed number is needed here"
        raise compiler.error("not-constant", one.amount.span, sentence, "2")
    if one.name in PICKS and (not part.is_whole or part.low < 0):
        sentence = "a whole number of dice is kept or dropped"
        raise compiler.error("not-whole", one.amount.span, sentence, "1")


def _add(
    made: dict[str, Any], name: str, compare: str, amount: Amount | None, joined: bool
) -> None:
    """Add one thing to the fields of a treatment."""
    if name in PICKS:
        _add_pick(made, (name, 1 if amount is None else int(amount)), joined)
        return
    test: tuple[Test, ...] = () if amount is None else ((compare, amount),)
    if name in ("adv", "dis"):
        made["picks"] = ((("kh" if name == "adv" else "kl", 1),),)
    elif name in ("cs", "cf"):
        made["marks"] = (*made.get("marks", ()), (name, test[0] if test else None))
    elif name in ("sa", "sd"):
        made["order"] = name
    elif name == "u":
        made["unique"] = True
    elif name in ("min", "max"):
        made["least" if name == "min" else "most"] = amount
    else:
        if name in ("ro", "rr"):
            made["until"] = name == "rr"
        elif name in EXPLOSIONS:
            made["explosion"] = name
        field = TESTED.get(name, "explode")
        made[field] = (*made.get(field, ()), *test)


def _add_pick(made: dict[str, Any], pick: tuple[str, int], is_joined: bool) -> None:
    picks = made.get("picks", ())
    if "faces" in made and not picks:
        made["sifted"] = True
    if is_joined and picks:
        made["picks"] = (*picks[:-1], (*picks[-1], pick))
    else:
        made["picks"] = (*picks, (pick,))


def _check_whole_story(
    compiler: Compiler,
    modifiers: tuple[Modifier, ...],
    said: tuple[Said, ...],
    kind: DieKind | None,
) -> None:
    by_name = {one.name: one for one in reversed(modifiers)}
    failed = by_name.get("f")
    if failed is not None and "success" not in by_name:
        written = compiler.text[failed.span[0] : failed.span[1]]
        most = 6 if kind is None else kind.high
        sentence = "failures are taken from successes: say what counts as a success too"
        raise compiler.error("no-successes", failed.span, sentence, f">={most}{written}")
    bounds = {name: n for name, _, n, _ in said if name in ("min", "max") and n is not None}
    if len(bounds) > 1 and bounds["min"] > bounds["max"]:
        raise compiler.error(
            "bad-bounds", by_name["min"].span, "the minimum is above the maximum", ""
        )
    names = [name for name, _, _, _ in said if name in PICKS or name in ("k", "adv", "dis")]
    if "k" in names and not _is_sorted_out(names, "u" in by_name):
        sentence = "dice are kept by their faces before their ranks or after them, not between"
        raise compiler.error("kept-both", by_name["k"].span, sentence, "")
    for one in modifiers:
        if one.name in ("cs", "cf") and one.amount is None and kind is None:
            written = compiler.text[one.span[0] : one.span[1]]
            sentence = "which results of a group are marked?"
            raise compiler.error("missing-number", one.span, sentence, written + ">=1")


def _is_sorted_out(names: list[str], unique: bool) -> bool:
    """Whether dice are kept by their faces first or last; only that where they depend on others."""
    if len(names) == 1:
        return True
    return "k" in (names[0], names[-1]) and not unique and not {"adv", "dis"}.intersection(names)


def exploding_faces(kind: DieKind, how: PoolModifiers) -> float:
    """Return the share of the faces that explodes, of those left when re-rolling is over."""
    if not how.explode and not how.reroll and kind.sides:
        return 1 / kind.sides
    test = how.explode or (("=", kind.high),)
    loud, standing = kind.count_matches(test), len(kind.faces)
    if how.until and how.reroll:
        loud, standing = (
            loud - kind.count_matches(test, how.reroll),
            standing - kind.count_matches(how.reroll),
        )
    return loud / standing if standing else 1.0


def check_ends(
    compiler: Compiler,
    node: DiceNode,
    sides: Part | None,
    kind: DieKind,
    how: PoolModifiers,
    loud: float,
) -> None:
    """Refuse dice that would never come to rest, or hardly ever; `loud` is what explodes."""
    if sides is not None:
        sentence = "dice that are thrown again need a fixed number of sides"
        raise compiler.error("not-constant", sides.span, sentence, str(kind.sides))
    if how.until and how.reroll:
        count = len(kind.faces)
        good = count - kind.count_matches(how.reroll)
        if good * RAREST_REST < count:
            again = next(one for one in node.modifiers if one.name in FIXED)
            written = compiler.text[again.span[0] : again.span[1]]
            sentence = (
                f"at least one face in {RAREST_REST} must stand when dice are re-rolled until "
                f"they pass, not {good} of {count:,}"
            )
            once = "ro" + written[2:]
            raise compiler.error("never-ends", again.span, sentence, once, f"rr={kind.low}", "")
    if loud == 1 and how.is_endless:
        exploding = next(one for one in node.modifiers if one.name in EXPLOSIONS)
        sentence = "these dice explode on every face, so they never come to rest"
        if how.until and kind.count_matches(how.reroll):
            sentence = "every face that is not re-rolled explodes, so these dice never rest"
        once = "xo" + compiler.text[exploding.span[0] : exploding.span[1]].lstrip("!pPxXeE")
        raise compiler.error("never-ends", exploding.span, sentence, f"!={kind.high}", once, "")


def check_unique(
    compiler: Compiler, node: DiceNode, count: Part, kind: DieKind, how: PoolModifiers
) -> None:
    """Refuse dice that cannot all show something else, or hardly ever."""
    said = next(one for one in node.modifiers if one.name == "u")
    faces = len(kind.faces)
    if how.explosion or any([one.name in ("adv", "dis") for one in node.modifiers]):
        sentence = "dice that all show something else neither explode nor have advantage"
        raise compiler.error("bad-unique", said.span, sentence, "")
    if len(set(kind.faces)) < faces:
        sentence = "a die that has a face twice cannot be told from another one"
        raise compiler.error("bad-unique", said.span, sentence, "")
    if count.high > faces or (faces - int(count.high) + 1) * RAREST_REST < faces:
        sentence = (
            f"these dice have {faces:,} faces, so at most that many can differ, and at least one "
            f"in {RAREST_REST} must be left for the last die"
        )
        start, end = node.span
        written = compiler.text[start:end]
        fewer = f"{max(faces // 2, 1)}{written[written.lower().find('d') :]}"
        raise NotationError(
            "never-ends", compiler.text, said.span, sentence,
            compiler.text[:start] + fewer + compiler.text[end:],
            compiler.text[: said.span[0]] + compiler.text[said.span[1] :],
        )  # fmt: skip
