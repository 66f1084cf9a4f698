"""A sheet as widgets: skills, edges with their die, the turn, bonuses as they stack, things."""

from __future__ import annotations

from collections.abc import Iterator

from rollwright.i18n.catalogs import words_of
from rollwright.i18n.messages import die, with_sign, word
from rollwright.kit.card import Text
from rollwright.kit.widgets import (
    Row,
    Widget,
    act,
    flag,
    group,
    note,
    number,
    things,
    words,
)

from .modifiers import MOST_EDGES, edge_size, net_edges, stack
from .sheet import Change, Item, Sheet, Skill

WORDS = words_of(__package__ or __name__)
msg, name_said = WORDS.msg, WORDS.name


def sheet_of(sheet: Sheet) -> list[Widget]:
    """All of a sheet."""
    return [
        things("skills", msg("label.skills"), map(_skill, sheet.skills), icon="person"),
        _edges(sheet),
        _turn(sheet),
        things(
            "changes",
            msg("label.changes"),
            map(_change, sheet.changes),
            key="source",
            icon="plus",
        ),
        *map(note, _stacks(sheet)),
        things("items", msg("label.items"), map(_item, sheet.items), icon="wrench"),
    ]


def _turn(sheet: Sheet) -> Widget:
    return group(
        flag("in_turn", sheet.in_turn, msg("label.in_turn")),
        number("checks_made", sheet.checks_made, msg("label.checks_made"), low=0, high=98),
        number("rerolls", sheet.rerolls, msg("label.rerolls_left"), low=0, high=9),
        flag("turn_ended", sheet.turn_ended, msg("label.turn_ended"), tone="bad"),
        flag("reaction_lost", sheet.reaction_lost, msg("label.reaction_lost"), tone="bad"),
        act(msg("turn.new"), "new turn"),
        act(msg("turn.end"), "end turn", off="" if sheet.in_turn else msg("turn.none")),
        act(msg("round.new"), "new round"),
        title=msg("sheet.turn"),
        icon="hourglass",
    )


def _skill(skill: Skill) -> Row:
    begins = {"roll": "check", "pick": {"skill": skill.name}}
    chips = (msg("bonus", n=with_sign(skill.modifier)),)
    return Row(skill.name, name_said(skill.name), chips=chips, begins=begins)


def _edges(sheet: Sheet) -> Widget:
    """Edges by name, each to be taken away; where the sheet has a number, the number."""
    net, held = net_edges(sheet.edges), sheet.edges
    shown = msg("sheet.net.none", n=with_sign(net))
    if net:
        shown = msg("sheet.net", n=with_sign(net), die=die(abs(edge_size(net))))
    if isinstance(held, int):
        limits = {"low": -MOST_EDGES, "high": MOST_EDGES}
        listed = number("edges", held, msg("label.edges"), signed=True, **limits)
    else:
        listed = words(
            "edges",
            list(held),
            msg("label.edges"),
            adds={"effect": "edge", "text": msg("sheet.edge.add")},
            drops=[{"effect": "edge-ends", "amount": name, "target": ""} for name in held],
        )
    return group(listed, note(shown), title=msg("label.edges"), icon="star")


def _change(change: Change) -> Row:
    chips = (msg("bonus", n=with_sign(change.amount)), msg(f"word.{change.on}"))
    return Row(change.source, change.source, chips=chips)


def _stacks(sheet: Sheet) -> Iterator[Text]:
    """Yield what the caps leave of bonuses and of penalties, on the d20 and on the effect."""
    for on in ("d20", "effect"):
        for sign in (1, -1):
            amounts = [one.amount * sign for one in sheet.changes if one.on == on]
            found = stack(amount for amount in amounts if amount > 0)
            if found.sum:
                way = "sheet.stack.cut" if found.wasted else "sheet.stack"
                total, counts = with_sign(sign * found.sum), with_sign(sign * found.counts)
                yield msg(way, on=word(on), sum=total, counts=counts, cap=found.cap)


def _item(item: Item) -> Row:
    """A thing with its dice and Tier; a tap uses it, or repairs it where it does not work."""
    chips: list[Text] = [item.effect] if item.effect else []
    if item.tier:
        chips.append(msg("sheet.tier", n=item.tier))
    show: tuple[Widget, ...] = ()
    if item.disabled:
        show = (
            note(msg("sheet.disabled", n=item.attempts), "bad"),
            act(msg("sheet.repaired"), "repaired", target=item.name),
        )
    use = {"roll": "check", "pick": {"skill": item.skill, "item": item.name}}
    begins = {"roll": "repair", "pick": {"item": item.name}} if item.disabled else use
    return Row(item.name, name_said(item.name), show, tuple(chips), begins)
