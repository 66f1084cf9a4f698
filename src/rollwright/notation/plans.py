"""What the modifiers of dice come to: one treatment, or one for each number that is thrown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rollwright.notation.errors import NotationError
from rollwright.notation.modifiers import EXPLOSIONS, PICKS
from rollwright.notation.parts import Constant
from rollwright.notation.treatments import Treatment

if TYPE_CHECKING:
    from rollwright.notation.compiler import Compiler
    from rollwright.notation.dice import Kind, Test
    from rollwright.notation.parts import Part
    from rollwright.notation.tree import Amount, Dice, Modifier

RAREST_REST = 20
"""Re-rolling until it passes needs at least one good face in so many."""
FIXED = EXPLOSIONS | {"ro", "rr"}
"""What names faces that may not be thrown: whether dice ever rest depends on them."""


class Plan(NamedTuple):
    """What the modifiers say, where some of their numbers may themselves be thrown."""

    said: tuple[tuple[Modifier, Amount | None, int], ...]
    """Each with its number, or with the place of what is thrown for it; -1 where nothing is."""
    thrown: tuple[Part, ...] = ()

    def treatment(self, values: Sequence[Amount]) -> Treatment:
        """What is done to the dice when these numbers were thrown."""
        made = Treatment()
        for one, amount, place in self.said:
            made = _added(made, one, amount if place < 0 else values[place])
        return made

    @property
    def meaning(self) -> tuple[object, ...]:
        """What two plans share exactly if they do the same with the same numbers."""
        return tuple([(m.name, m.compare, m.joined, n, place) for m, n, place in self.said])


def plan_of(compiler: Compiler, said: tuple[Modifier, ...], kind: Kind | None) -> Plan:
    """What is done to dice or, where `kind` is None, to the results of a group."""
    thrown: list[Part] = []
    found: list[tuple[Modifier, Amount | None, int]] = []
    for one in said:
        if one.amount is None:
            found.append((one, None, -1))
            continue
        part = compiler.part(one.amount)
        _check_amount(compiler, one, part)
        if isinstance(part, Constant):
            found.append((one, part.value, -1))
        else:
            found.append((one, None, len(thrown)))
            thrown.append(part)
    plan = Plan(tuple(found), tuple(thrown))
    _check_whole_story(compiler, said, plan, kind)
    return plan


def _check_amount(compiler: Compiler, one: Modifier, part: Part) -> None:
    assert one.amount is not None
    if one.name in FIXED and not isinstance(part, Constant):
        sentence = "a fixed number is needed here"
        raise compiler.error("not-constant", one.amount.span, sentence, "2")
    if one.name in PICKS and (not part.is_whole or part.low < 0):
        sentence = "a whole number of dice is kept or dropped"
        raise compiler.error("not-whole", one.amount.span, sentence, "1")


def _added(made: Treatment, one: Modifier, amount: Amount | None) -> Treatment:
    """The treatment with one thing more."""
    name = one.name
    test: tuple[Test, ...] = () if amount is None else ((one.compare, amount),)
    if name in PICKS:
        pick = (name, 1 if amount is None else int(amount))
        if one.joined and made.picks:
            return made._replace(picks=(*made.picks[:-1], (*made.picks[-1], pick)))
        return made._replace(picks=(*made.picks, (pick,)))
    if name in ("adv", "dis"):
        return made._replace(picks=((("kh" if name == "adv" else "kl", 1),),))
    if name in ("ro", "rr"):
        return made._replace(reroll=(*made.reroll, *test), until=name == "rr")
    if name in EXPLOSIONS:
        return made._replace(explosion=name, explode=(*made.explode, *test))
    if name in ("cs", "cf"):
        return made._replace(marks=(*made.marks, (name, test[0] if test else None)))
    if name in ("sa", "sd"):
        return made._replace(order=name)
    if name == "u":
        return made._replace(unique=True)
    if name == "min":
        return made._replace(least=amount)
    if name == "max":
        return made._replace(most=amount)
    if name == "k":
        return made._replace(faces=test)
    if name == "success":
        return made._replace(success=(*made.success, *test))
    if name == "f":
        return made._replace(failure=(*made.failure, *test))
    return made._replace(minus=(*made.minus, *test))


def _check_whole_story(
    compiler: Compiler, said: tuple[Modifier, ...], plan: Plan, kind: Kind | None
) -> None:
    by_name = {one.name: one for one in reversed(said)}
    failed = by_name.get("f")
    if failed is not None and "success" not in by_name:
        written = compiler.text[failed.span[0] : failed.span[1]]
        most = 6 if kind is None else kind.high
        sentence = "failures are taken from successes: say what counts as a success too"
        raise compiler.error("no-successes", failed.span, sentence, f">={most}{written}")
    bounds = {m.name: n for m, n, _ in plan.said if m.name in ("min", "max") and n is not None}
    if len(bounds) > 1 and bounds["min"] > bounds["max"]:
        raise compiler.error(
            "bad-bounds", by_name["min"].span, "the minimum is above the maximum", ""
        )
    ranked = [one for one in said if one.name in PICKS or one.name in ("adv", "dis")]
    if "k" in by_name and ranked:
        sentence = "dice are kept by their faces or by their ranks, not by both"
        raise compiler.error("kept-both", by_name["k"].span, sentence, "")
    for one in said:
        if one.name in ("cs", "cf") and one.amount is None and kind is None:
            written = compiler.text[one.span[0] : one.span[1]]
            sentence = "which results of a group are marked?"
            raise compiler.error("missing-number", one.span, sentence, written + ">=1")


def exploding_faces(kind: Kind, how: Treatment) -> tuple[int, int]:
    """How many faces explode, of how many that stand when nothing is re-rolled any more."""
    test = how.explode or (("=", kind.high),)
    loud, standing = kind.meant(test), len(kind.faces)
    if how.until and how.reroll:
        loud, standing = loud - kind.meant(test, how.reroll), standing - kind.meant(how.reroll)
    return loud, standing


def check_ends(
    compiler: Compiler, node: Dice, sides: Part | None, kind: Kind, how: Treatment
) -> None:
    """Refuse dice that would never come to rest, or hardly ever."""
    again = next(one for one in node.modifiers if one.name in FIXED | {"u"})
    if sides is not None:
        sentence = "dice that are thrown again need a fixed number of sides"
        raise compiler.error("not-constant", sides.span, sentence, str(kind.sides))
    count = len(kind.faces)
    if how.until and how.reroll:
        good = count - kind.meant(how.reroll)
        if good * RAREST_REST < count:
            written = compiler.text[again.span[0] : again.span[1]]
            sentence = (
                f"at least one face in {RAREST_REST} must stand when dice are re-rolled until "
                f"they pass, not {good} of {count:,}"
            )
            once = "ro" + written[2:]
            raise compiler.error("never-ends", again.span, sentence, once, f"rr={kind.low}", "")
    if how.is_endless:
        loud, standing = exploding_faces(kind, how)
        if loud == standing:
            exploding = next(one for one in node.modifiers if one.name in EXPLOSIONS)
            sentence = "these dice explode on every face, so they never come to rest"
            if standing < count:
                sentence = "every face that is not re-rolled explodes, so these dice never rest"
            once = "xo" + compiler.text[exploding.span[0] : exploding.span[1]].lstrip("!pPxXeE")
            raise compiler.error("never-ends", exploding.span, sentence, f"!={kind.high}", once, "")


def check_unique(compiler: Compiler, node: Dice, count: Part, kind: Kind, how: Treatment) -> None:
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
