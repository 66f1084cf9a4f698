"""Discord's messages: a roll as an embed with its picture and buttons, within its limits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from rollwright.client.narration import OptionLine, RollNarration
from rollwright.client.roll_view import MOST_OFFERED, RollMessage, RollMoment
from rollwright.discord.commands import clip, cut
from rollwright.i18n.locale import in_words

EPHEMERAL = 64
LONGEST_CONTENT, LONGEST_TITLE, LONGEST_DESCRIPTION, LONGEST_ALT = 1900, 256, 3500, 1000
LONGEST_LABEL, LONGEST_HOLDER = 80, 100
ROW = 5
BUTTON, MENU, ACTIONS = 2, 3, 1
MAIN, PLAIN = 1, 2
PICTURE = "roll.png"
COLOURS = {"great": 0xFFD76A, "good": 0x57B36B, "mixed": 0xE0A83A, "bad": 0x8A8A80}
COLOURS |= {"awful": 0xD2552F, "even": 0x1C5748, "open": 0x3F6FB5}
MARKDOWN = re.compile(r"([\\*_~`|>#\[\]()<@-])")
PRESSED = re.compile(r"rw:([a-z2-7]{12}|-):([a-z0-9]{1,32}):(\d{1,6}):(\d{1,9}|throw|choose)")
NOBODY_CALLED: Mapping[str, Any] = {"allowed_mentions": {"parse": []}}
"""Nobody is called by what somebody typed."""


class DiscordReply(NamedTuple):
    """The answer to an interaction."""

    data: dict[str, Any]
    picture: bytes = b""
    updates: bool = False
    """Whether it takes the place of the message that a button was pressed on."""

    def as_private(self) -> DiscordReply:
        """Return the same reply for the one who asked alone."""
        return self._replace(data={**self.data, "flags": EPHEMERAL})


def escape_markdown(text: str) -> str:
    """A text that Discord shows as it is, whatever its signs mean there."""
    return MARKDOWN.sub(r"\\\1", text)


def private_reply(text: str, link: str = "") -> DiscordReply:
    """Return a sentence for the one who asked alone."""
    content = cut(escape_markdown(text), LONGEST_CONTENT) + (f"\n<{link}>" if link else "")
    return DiscordReply({"content": content, "flags": EPHEMERAL, **NOBODY_CALLED})


def _heading(text: str) -> str:
    return cut(escape_markdown(clip(text, LONGEST_TITLE)), LONGEST_TITLE)


def roll_reply(shown: RollMessage, before: Mapping[str, Any] | None = None) -> DiscordReply:
    """A roll as a message; `before` is the one that a button was pressed on."""
    told = shown.told
    was: Mapping[str, Any] = ((before or {}).get("embeds") or ({},))[0]
    title = _heading(shown.title) or str(was.get("title", ""))
    who = was.get("author") or {"name": clip(shown.who, LONGEST_TITLE)}
    tone = "open" if told.offers or told.dice else told.tone
    embed: dict[str, Any] = {"color": COLOURS[tone], "description": _description(told)}
    embed |= {"author": who} if who["name"] else {}
    embed |= {"title": title} if title else {}
    data = {"embeds": [embed], "components": components(shown), **NOBODY_CALLED}
    data = _add_picture(data, shown.picture, f"{shown.title} {told.verdict} {told.told}")
    reply = DiscordReply(data, shown.picture, updates=before is not None)
    is_aside = (before or {}).get("flags", 0) & EPHEMERAL
    # A private message does not take the place of one that everybody sees.
    return reply._replace(updates=False).as_private() if shown.private and not is_aside else reply


def _description(told: RollNarration) -> str:
    waits = in_words("discord.waits", dice=", ".join(told.dice)) if told.dice else ""
    bold = [f"**{escape_markdown(text)}**" for text in (told.verdict, told.asked or waits) if text]
    lines = [*bold[: bool(told.verdict)], escape_markdown(told.told), *bold[bool(told.verdict) :]]
    lines.append(escape_markdown(told.why))
    lines += [] if told.told or bold else [escape_markdown(in_words("discord.hidden"))]
    if told.offers and told.options > len(told.offers):
        lines.append(
            escape_markdown(in_words("discord.best_of", n=len(told.offers), all=told.options))
        )
    return cut("\n".join(filter(None, lines)) or "–", LONGEST_DESCRIPTION)


def components(shown: RollMessage) -> list[dict[str, Any]]:
    """Return a button for each option, or a menu if there are too many for buttons."""
    told, waiting = shown.told, shown.waiting
    if told.dice:
        return [_row(_button(in_words("discord.throw"), _id(waiting, "throw"), MAIN))]
    if told.offers and told.options > MOST_OFFERED:
        options = [{"label": _label(one), "value": str(one.number)} for one in told.offers]
        holder = {"placeholder": clip(told.asked, LONGEST_HOLDER), "options": options}
        return [_row({"type": MENU, "custom_id": _id(waiting, "choose"), **holder})]
    buttons = [
        _button(_label(one), _id(waiting, one.number), MAIN if one.gains else PLAIN)
        for one in told.offers
    ]
    return [_row(*buttons[n : n + ROW]) for n in range(0, len(buttons), ROW)]


def _row(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": ACTIONS, "components": [*parts]}


def _button(label: str, custom_id: str, style: int) -> dict[str, Any]:
    return {"type": BUTTON, "style": style, "label": label, "custom_id": custom_id}


def _label(offer: OptionLine) -> str:
    """An option with what it is worth; where that is too long, the option is cut."""
    worth = f" · {offer.worth}" if offer.worth else ""
    said = offer.said[:1].upper() + offer.said[1:]
    return clip(said or "–", LONGEST_LABEL - len(worth)) + worth


def _id(waiting: RollMoment, what: int | str) -> str:
    return f"rw:{waiting.table}:{waiting.roll}:{waiting.moment}:{what}"


def parse_press(data: Mapping[str, Any]) -> tuple[RollMoment, int | None] | None:
    """The moment and the option that somebody pressed; None for what is not ours."""
    found = PRESSED.fullmatch(str(data.get("custom_id", "")))
    if found is None:
        return None
    table, roll, moment, what = found.groups()
    chosen = str((data.get("values") or [""])[0]) if what == "choose" else what
    if what != "throw" and not re.fullmatch(r"[0-9]{1,9}", chosen):
        return None
    return RollMoment(table, roll, int(moment)), None if what == "throw" else int(chosen)


def odds_reply(
    title: str, found: Mapping[str, Any], picture: bytes = b"", where: str = ""
) -> DiscordReply:
    """The odds of a roll that is not made: the chance with its price, and how it is spread."""
    chance = found.get("chance") or {}
    goal = (chance.get("goal") or {}).get("title", "") or where
    said = str(chance.get("said", ""))
    said = said if not chance or chance["chance"] else in_words("odds.mean", n=said)
    lines = (
        [f"**{escape_markdown(said)}**" + (f" – {escape_markdown(goal)}" if goal else "")]
        if chance
        else []
    )
    lines += [escape_markdown(one["words"]) for one in found.get("costs", ())]
    told = cut("\n".join(lines) or "–", LONGEST_DESCRIPTION)
    embed = {"title": _heading(title), "color": COLOURS["even"], "description": told}
    return DiscordReply(_add_picture({"embeds": [embed], **NOBODY_CALLED}, picture, title), picture)


def _add_picture(data: dict[str, Any], picture: bytes, alt: str) -> dict[str, Any]:
    """A message with what it says of its picture."""
    if not picture:
        return {**data, "attachments": []}
    data["embeds"][0]["image"] = {"url": f"attachment://{PICTURE}"}
    about = {"id": 0, "filename": PICTURE, "description": clip(alt, LONGEST_ALT) or PICTURE}
    return {**data, "attachments": [about]}
