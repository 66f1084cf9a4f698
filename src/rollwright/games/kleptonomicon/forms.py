"""The forms of the three rolls: who rolls with which Modifier, what helps and what hinders them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rollwright.i18n.messages import msg as say
from rollwright.i18n.messages import with_sign
from rollwright.jsonable import EMPTY, JsonMapping
from rollwright.kit import Request
from rollwright.kit.card import Asked, Draft, Person, Text, reached
from rollwright.kit.controls import Choice, Control, group, note
from rollwright.kit.fields import fields_of

from .outcomes import MIXED, msg, name_said, shorthand_of
from .requests import Contest, Group, Player, capped
from .sheet import NamedModifier, Sheet, player_fields, same_name

TAPS = [-3, -2, -1, 0, 1, 2, 3]
SCORES, ME = "scores", "me"
"""The place in a draft for somebody's choice of Modifier: `pick.scores.@s3`; a request has its
value.
"""
PLAIN = ""
"""No Modifier: a value of its own, for without one the roll starts with the first there is."""
MOST_COUNTED = 3
"""People of whom every Score can be counted."""
NOTHING: Mapping[str, JsonMapping] = {"pick": {}, "set": {}}
FAVOUR = ("modifier", "advantages", "disadvantages")


# The first draft of a roll


def start(asked: Asked) -> Draft:
    """The first Modifier of the sheet; in a Group Test everybody who is there, tested in one."""
    if asked.roll == "group":
        return _whole_group(asked)
    sheet = asked.sheet
    if not isinstance(sheet, Sheet) or not sheet.modifiers:
        return Draft()
    known = sheet.modifiers if asked.roll == "test" else _with_d10(sheet)
    return Draft({"score_name": known[0].name} if known else {})


def _whole_group(asked: Asked) -> Draft:
    there = _there(asked)[: fields_of(asked.kind)["members"].most]
    known = {
        _key(person): {same_name(one.name): one.name for one in _with_d10(person.sheet)}
        for person in there
    }
    tested = same_name(_first_name(there[0])) if there else ""
    scores = {key: names[tested] for key, names in known.items() if tested in names}
    members = [_member(person, scores.get(_key(person), "")) for person in there]
    members += [{}] * (2 - len(members))
    read = {"read": "scores"} if 2 <= len(there) <= MOST_COUNTED else {}
    return Draft({SCORES: scores} if scores else {}, {"members": members, "goal": MIXED, **read})


def _there(asked: Asked) -> list[Person]:
    """Everybody whom a Group Test may name: the roller with a sheet, then the others."""
    own = asked.whole_sheet
    me = [Person("", own.name, own)] if isinstance(own, Sheet) and own.name else []
    return [*([asked.me] if asked.me else me), *asked.people]


def _key(person: Person) -> str:
    return person.ref or ME


def _member(person: Person, name: str | None = None) -> dict[str, str | int]:
    """Somebody as a rule knows them, with what their sheet gives to a Modifier."""
    name = _first_name(person) if name is None else name
    sheet = person.sheet
    known = player_fields(sheet, name) if isinstance(sheet, Sheet) else dict.fromkeys(FAVOUR, 0)
    return {"name": person.ref or person.name, **known}


def _first_name(person: Person) -> str:
    known = _with_d10(person.sheet)
    return known[0].name if known else ""


def _with_d10(sheet: object) -> list[NamedModifier]:
    """The Modifiers that go with a d10, as sides of a Contest and groups roll it."""
    return [one for one in sheet.modifiers if not one.dice] if isinstance(sheet, Sheet) else []


# The request


def fill(asked: Asked) -> Request:
    """The request of a draft; what is said of one's own side goes over what the sheet says.

    A group lists all its members, unless something of the sheet is picked for the roller.
    """
    pick = {name: held for name, held in asked.pick.items() if name != SCORES}
    own = asked.set.get("first")
    over = asked.roll == "contest" and asked.sheet is not None and isinstance(own, Mapping)
    fields = {name: held for name, held in asked.set.items() if not (over and name == "first")}
    sheet = asked.whole_sheet if pick else asked.sheet
    told = {"pick": pick, "set": fields}
    request = replace(asked, sheet=sheet, first=NOTHING, kept=told).filled()
    if not over or not isinstance(request, Contest):
        return request
    return request.but(first={**_plain(request.first), **(own or {})})


def _plain(player: Player) -> dict[str, str | int]:
    return {name: getattr(player, name) for name in fields_of(Player)}


# The forms


def form(asked: Asked) -> list[Control]:
    """The controls of a roll."""
    if asked.roll == "contest":
        return [*_own_side(asked), _other_side(asked), _more(asked, "method", own=True)]
    if asked.roll == "group":
        return [*_members(asked), *_aim(asked), _more(asked, "ranges", "method")]
    if asked.sheet is not None:
        more = _more(asked, "modifier", "ranges", "dice", "method")
        return [_own_score(asked, dice=True), *_favour(asked), more]
    return [
        _modifier(asked),
        *_favour(asked),
        _more(asked, "score_name", "ranges", "dice", "method"),
    ]


def _more(asked: Asked, *names: str, own: bool = False) -> Control:
    """Return seldom used fields; with `own`, those of one's own side that the sheet fills in."""
    made = [_modifier(asked) if name == "modifier" else asked.field(name) for name in names]
    if own and asked.sheet is not None:
        side = asked.within("first", Player)
        made.insert(0, group(*_by_hand(side), title=asked.label("first")))
    return group(*made, title=say("form.more"), fold=True)


def _by_hand(side: Asked) -> list[Control]:
    return [side.field("name", help=""), _modifier(side)]


def _own_score(asked: Asked, *, dice: bool) -> Control:
    """Which Modifier of the sheet it is."""
    sheet = asked.sheet
    known = sheet.modifiers if isinstance(sheet, Sheet) else ()
    options = [_named(one, off=bool(one.dice) and not dice) for one in known]
    value = asked.picked("score_name") or PLAIN
    wrong = asked.wrong.get("set.score_name")
    plain = Choice(PLAIN, msg("plain"))
    return asked.choose("score_name", [plain, *options], value=value, wrong=wrong)


def _named(one: NamedModifier, *, off: bool = False, set: JsonMapping = EMPTY) -> Choice:
    amount = {"n": with_sign(one.value)}
    worth = msg("dice.bonus", dice=one.dice, **amount) if one.dice else msg("bonus", **amount)
    reason: Text = msg("off.dice", dice=one.dice) if off else ""
    return Choice(one.name, name_said(one.name), worth, reason, set)


def _modifier(asked: Asked) -> Control:
    """Return the control of the Modifier; dice that bring their own leave no room for another."""
    limits: dict[str, int | Text] = {"low": -30, "high": 30}
    dice = _other_dice(asked)
    if dice and shorthand_of(dice).modifier is not None:
        limits = {"low": 0, "high": 0, "why": msg("why.modifier", dice=dice)}
    return asked.field("modifier", style="taps", row=TAPS, signed=True, help="", **limits)


def _other_dice(asked: Asked) -> str:
    """The dice that a Test is rolled with in place of the d10; empty for the d10."""
    if asked.request is None or asked.roll != "test":
        return ""
    return str(asked.held("dice") or "")


def _favour(asked: Asked) -> list[Control]:
    """Advantages against Disadvantages, and what that makes of the dice."""
    dice = _other_dice(asked)
    limits: dict[str, int | Text] = {"high": 0, "why": msg("why.dice", dice=dice)} if dice else {}
    both = [
        asked.field(name, style="stepper", help="", **limits)
        for name in ("advantages", "disadvantages")
    ]
    return [group(*both, columns=2), note(_dice_said(asked, dice))]


def _dice_said(asked: Asked, dice: str) -> Text:
    if dice:
        return msg("dice.summed", dice=dice)
    both = [asked.held(name, 0) for name in ("advantages", "disadvantages")]
    helped, hindered = (held if isinstance(held, int) else 0 for held in both)
    net = helped - hindered
    many, left = abs(capped(net)) + 1, abs(net)
    if not net:
        return msg("dice.one")
    if left > abs(capped(net)):
        return msg("dice.capped" if net > 0 else "dice.capped.down", n=many, left=left)
    return msg("dice.highest" if net > 0 else "dice.lowest", n=many)


# A Contest


def _own_side(asked: Asked) -> list[Control]:
    side = asked.within("first", Player)
    if asked.sheet is None:
        return [group(*_by_hand(side), *_favour(side), title=asked.label("first"))]
    return [_own_score(asked, dice=False), group(*_favour(side), title=asked.label("first"))]


def _other_side(asked: Asked) -> Control:
    """Somebody at the table, or a rival of the referee's."""
    side = asked.within("second", Player)
    name = str(side.held("name", ""))
    rival = next((one for one in asked.people if one.ref == name), None)
    inside = [_against(side, rival)] if asked.people else []
    if rival is None:
        inside += _by_hand(side)
    else:
        inside.append(_their_score(side, rival))
    title = asked.label("second") if rival is None else rival.name
    return group(*inside, *_favour(side), title=title)


def _against(side: Asked, rival: Person | None) -> Control:
    nobody = Choice(None, msg("rival"), set={f"set.{side.path(one)}": None for one in FAVOUR})
    people = [
        Choice(one.ref, one.name, one.player, set=_written(side, _member(one)) | _score_of(one))
        for one in side.people
    ]
    value = None if rival is None else rival.ref
    at, label = f"set.{side.path('name')}", msg("against")
    return side.choose("name", [nobody, *people], at=at, value=value, label=label)


def _score_of(person: Person) -> dict[str, str | int]:
    return {f"pick.{SCORES}.{_key(person)}": _first_name(person)}


def _written(side: Asked, member: JsonMapping) -> dict[str, str | int]:
    """Return the paths and the values of somebody's numbers in the draft."""
    return {f"set.{side.path(name)}": held for name, held in member.items() if name in FAVOUR}


def _their_score(side: Asked, person: Person) -> Control:
    """Which of their Modifiers somebody uses; without any on a sheet, its value."""
    known = _with_d10(person.sheet)
    if not known:
        return _modifier(side)
    plain = Choice(PLAIN, msg("plain"), set=_written(side, _member(person, "")))
    options = [_named(one, set=_written(side, _member(person, one.name))) for one in known]
    at = f"pick.{SCORES}.{_key(person)}"
    value = reached(side.pick, f"{SCORES}.{_key(person)}", PLAIN)
    return replace(side, inside="").choose("score_name", [plain, *options], at=at, value=value)


# A Group Test


def _members(asked: Asked) -> Iterator[Control]:
    """Who takes part, and each of them."""
    listed = asked.set.get("members")
    members = [one for one in listed if isinstance(one, Mapping)] if listed else []
    there = {person.ref or person.name: person for person in _there(asked)}
    if there:
        yield _who_takes_part(asked, members, there)
    parts = [
        _member_form(asked.part("members", n, Player), there.get(str(member.get("name", ""))))
        for n, member in enumerate(members)
    ]
    how = {"label": ""} if there else {}  # those who take part are named above
    made = asked.parts("members", Player, parts, title="part.member", fresh={"set": {}}, **how)
    for part, member in zip(made["parts"], members):
        part["title"] = _title(member, there) or part["title"]
    yield made


def _who_takes_part(
    asked: Asked, members: list[JsonMapping], there: Mapping[str, Person]
) -> Control:
    taking = {str(member.get("name", "")): member for member in members}
    options = [
        Choice(taking.get(name) or _member(person), person.name) for name, person in there.items()
    ]
    most = asked.described("members").most
    how = {"control": "picks", "style": None, "at": "set.members", "value": members, "most": most}
    return asked.choose("members", options, **how)


def _title(member: JsonMapping, there: Mapping[str, Person]) -> str:
    name = str(member.get("name", ""))
    return there[name].name if name in there else name


def _member_form(part: Asked, person: Person | None) -> list[Control]:
    if person is None:
        return [*_by_hand(part), *_favour(part)]
    return [_their_score(part, person), *_favour(part)]


def _aim(asked: Asked) -> list[Control]:
    """The Score that the lowest must reach, and whether each helper chooses alone."""
    ways = [Choice("goal", msg("together")), Choice("scores", msg("each"))]
    request = asked.request
    return [
        asked.field("goal", style="stepper", none=None, help=""),
        asked.field(
            "read",
            value=request.reading if isinstance(request, Group) else asked.held("read"),
            label=msg("label.way"),
            style="row",
            options=[one.plain() for one in ways],
            help=msg("each.help"),
        ),
    ]
