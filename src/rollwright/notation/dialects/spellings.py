"""How Roll20, Foundry and Avrae spell what is done to dice, and why that differs from ours."""

from __future__ import annotations

from typing import NamedTuple

from rollwright.i18n.messages import Message, msg


class Spelling(NamedTuple):
    """How a tool spells something: the word, ours, and why it differs."""

    word: str
    ours: str
    why: Message | None = None
    takes: str = "faces"
    """The argument: "faces" (a comparison or a number), "number", or "nothing"."""
    bare: str = ""
    """The meaning of a number without a comparison here; "" leaves it as it is."""


COMMAND = msg("dialect.command")
EXPLODES_ON = msg("dialect.explodes_on")
AGAIN_ON = msg("dialect.again_on")
REROLL_UNTIL = msg("dialect.reroll_until")
REROLL_ONCE = msg("dialect.reroll_once")
KEEPS = msg("dialect.keeps")
DROPS = msg("dialect.drops")
COUNTS = msg("dialect.counts")
SPELLED = msg("dialect.spelled")
AT_LEAST = msg("dialect.at_least")

ROLL20 = (
    Spelling("!!", "!!", EXPLODES_ON, bare="="),
    Spelling("!p", "!p", EXPLODES_ON, bare="="),
    Spelling("!", "!", EXPLODES_ON, bare="="),
    Spelling("ro", "ro", AGAIN_ON, bare="="),
    Spelling("r", "rr", REROLL_UNTIL, bare="="),
    Spelling("kh", "kh", None, "number"),
    Spelling("kl", "kl", None, "number"),
    Spelling("dh", "dh", None, "number"),
    Spelling("dl", "dl", None, "number"),
    Spelling("k", "kh", KEEPS, "number"),
    Spelling("d", "dl", DROPS, "number"),
    Spelling("cs", "cs", bare="="),
    Spelling("cf", "cf", bare="="),
    Spelling("sa", "sa", None, "nothing"),
    Spelling("sd", "sd", None, "nothing"),
    Spelling("s", "sa", msg("dialect.sorts"), "nothing"),
    Spelling("f", "f", bare="="),
)
FOUNDRY = (
    Spelling("xo", "xo", EXPLODES_ON, bare="="),
    Spelling("x", "!", msg("dialect.explodes", word="x"), bare="="),
    Spelling("rr", "rr", bare="="),
    Spelling("r", "ro", REROLL_ONCE, bare="="),
    Spelling("min", "min", None, "number"),
    Spelling("max", "max", None, "number"),
    Spelling("kh", "kh", None, "number"),
    Spelling("kl", "kl", None, "number"),
    Spelling("k", "kh", KEEPS, "number"),
    Spelling("df", "f", msg("dialect.takes_away"), bare="="),
    Spelling("dh", "dh", None, "number"),
    Spelling("dl", "dl", None, "number"),
    Spelling("d", "dl", DROPS, "number"),
    Spelling("cs", "", COUNTS, bare="="),
    Spelling("cf", "", COUNTS, bare="="),
)
AVRAE = (
    Spelling("rr", "rr", bare="="),
    Spelling("ro", "ro", bare="="),
    Spelling("e", "!", msg("dialect.explodes", word="e"), bare="="),
    Spelling("mi", "min", None, "number"),
    Spelling("ma", "max", None, "number"),
    Spelling("adv", "adv", None, "nothing"),
    Spelling("dis", "dis", None, "nothing"),
)
TOOLS = {"roll20": ROLL20, "foundry": FOUNDRY, "avrae": AVRAE}
"""Each in the order in which its words are looked for, the longer before the shorter."""

BY_LETTER = {
    tool: {
        letter: tuple(one for one in spellings if one.word[0] == letter)
        for letter in {one.word[0] for one in spellings}
    }
    for tool, spellings in TOOLS.items()
}

COMMANDS = {
    "roll20": ("/roll", "/gmroll", "/gr", "/r"),
    "foundry": (
        *("/publicroll", "/selfroll", "/blindroll", "/gmroll", "/roll"),
        *("/gmr", "/br", "/sr", "/pr", "/r"),
    ),
    "avrae": ("!roll", "!r", "/roll", "/r"),
    "yearzero": ("!roll", "!r", "/roll", "/r"),
    "wod": ("!roll", "!r", "/roll", "/r"),
    "cofd": ("!roll", "!r", "/roll", "/r"),
}
"""First words of a chat line that is a roll."""

ALONE = {"cs": "highest", "cf": "lowest"}
"""Which face is counted in Foundry where none is named."""
