"""Interactions: the request in each, and who answers it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from typing import Any, NamedTuple

from rollwright.client import Link, Server, ServerError, Table, Unreachable
from rollwright.client.devices import NonceSource, SigningDevice, random_nonce
from rollwright.client.roll_view import RollMessage, RollMoment
from rollwright.client.rolls import EventData
from rollwright.client.seat_stores import BotSeatStore
from rollwright.client.storage import Storage
from rollwright.client.venues import (
    NO_TABLE,
    BotRollSpec,
    ChatPerson,
    SoloVenue,
    TableVenue,
    distribution_picture,
)
from rollwright.discord import commands as options
from rollwright.discord.commands import completion_choices, kind_of, more_fields, roll_spec_of
from rollwright.discord.messages import (
    EPHEMERAL,
    DiscordReply,
    odds_reply,
    parse_press,
    private_reply,
    roll_reply,
)
from rollwright.errors import CodedError, RollwrightError
from rollwright.i18n.codes import language_code
from rollwright.i18n.locale import format_text, in_words, use_locale
from rollwright.i18n.messages import msg
from rollwright.kit.bodies import UNSEEN
from rollwright.workers.bots import BotWorker

PING, COMMAND, COMPONENT, AUTOCOMPLETE = 1, 2, 3, 4
GONE = ("unauthorized", "gone")
"""Why a server does not know a seat or a link any more."""
LONGEST_PERSON = 40
STORAGE_LIMITS = {"seen": 200_000, "channel": 20_000, "seat": 100_000, "roll": 20_000}
"""How many of each there are."""
PATIENCE = 10.0
"""Seconds that a table's server is waited for."""
HELD = "discord"
"""Who holds the keys of the people here, as the log of a table says it."""
AT_ONCE, MOST_DEVICES = 64, 2000


class ChannelTable(NamedTuple):
    """The table of a channel: the link by which people sit down, its game and its name."""

    link: Link
    game: str
    title: str
    watch: str = ""
    """The spectators' link, if the channel gets posts of what is rolled on phones."""
    language: str = "en"


class Interaction(NamedTuple):
    """Something that somebody did in a channel."""

    kind: int
    person: ChatPerson
    name: str
    roll: str
    given: Mapping[str, Any]
    focused: str
    data: Mapping[str, Any]
    message: Mapping[str, Any] | None
    language: str

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Interaction:
        """Read an interaction as Discord sends it."""
        data, member = plain.get("data") or {}, plain.get("member") or {}
        user = member.get("user") or plain["user"]
        names = (member.get("nick"), user.get("global_name"), user["username"])
        called = next(filter(None, map(_visible_name, names)), str(user["id"]))
        person = ChatPerson(str(user["id"]), called[:LONGEST_PERSON], str(plain["channel_id"]))
        given: Sequence[Mapping[str, Any]] = data.get("options") or ()
        roll = ""
        if given and given[0]["type"] == options.SUBCOMMAND:
            roll, given = str(given[0]["name"]), given[0].get("options") or ()
        return cls(
            kind=int(plain["type"]),
            person=person,
            name=str(data.get("name", "")),
            roll=roll,
            given={str(one["name"]): one.get("value") for one in given},
            focused=next((str(one["name"]) for one in given if one.get("focused")), ""),
            data=data,
            message=plain.get("message"),
            language=language_code(str(plain.get("locale") or "")) or "en",
        )

    def text(self, option: str) -> str:
        """Return the text typed into an option."""
        return str(self.given.get(option) or "").strip()

    @property
    def is_private(self) -> bool:
        """Whether the answer is for the one who asked alone, as far as that is known before it."""
        aside = self.name in ("table", "seat", "push")
        weighs = self.name == "odds" and not self.text(options.DICE)
        return aside or weighs or bool(self.given.get(options.PRIVATE))


class InteractionHandler:
    """Answers interactions: at tables of the servers that it may talk to, and alone."""

    def __init__(
        self,
        storage: Storage,
        counting: BotWorker,
        servers: Sequence[str] = (),
        numbers: NonceSource = random_nonce,
    ) -> None:
        self.storage = storage
        self.counting = counting
        self.numbers = numbers
        self.addresses = tuple(address.rstrip("/") for address in servers)
        self._servers: dict[tuple[str, str], Server] = {}
        self._lock = Lock()
        self._sitting = [Lock() for _ in range(AT_ONCE)]
        self._devices: dict[str, SigningDevice] = {}
        self._rolling: Counter[str] = Counter()
        does = (self._roll, self._push, self._odds, self._table, self._seat)
        self._does = dict(zip(options.BASE, does, strict=True))

    def close(self) -> None:
        """Let go of all connections."""
        for server in self._servers.values():
            server.close()

    def answer(self, asked: Interaction) -> DiscordReply:
        """Return the answer to a command or a press, in the language of the one who asked."""
        with use_locale(asked.language):
            try:
                if asked.kind == COMPONENT:
                    return self._press(asked)
                return self._does.get(asked.name, self._of_game)(asked)
            except RollwrightError as problem:
                return private_reply(self._error_text(asked, problem))

    def complete(self, asked: Interaction) -> list[dict[str, str]]:
        """Return the completions of an option that is being typed."""
        with use_locale(asked.language):
            try:
                about, kind = kind_of(asked.name, asked.roll)
                if asked.focused == options.MORE:
                    return completion_choices(asked.text(options.MORE), more_fields(kind))
                picks = self._venue(asked, sits_down=False).picks(about["name"], kind["roll"])
                return completion_choices(asked.text(asked.focused), [*picks])
            except RollwrightError:
                return []

    def _roll(self, asked: Interaction) -> DiscordReply:
        private = bool(asked.given.get(options.PRIVATE))
        what = BotRollSpec(expression=asked.text(options.DICE), private=private)
        return self._roll_and_note(asked, lambda: self._venue(asked).start(what))

    def _of_game(self, asked: Interaction) -> DiscordReply:
        what, place = roll_spec_of(asked.name, asked.roll, asked.given), self._venue(asked)
        if asked.given.get(options.ODDS):
            found = place.chance(what)
            return odds_reply(str(found["title"]), found)
        return self._roll_and_note(asked, lambda: place.start(what))

    def _push(self, asked: Interaction) -> DiscordReply:
        """Show the open roll to the person who asked alone: it may be secret."""
        return roll_reply(self._venue(asked).pending()).as_private()

    def _odds(self, asked: Interaction) -> DiscordReply:
        dice, where = asked.text(options.DICE), asked.text(options.WHERE)
        if not dice:
            return self._push(asked)
        found = self._venue(asked, sits_down=False).chance(
            BotRollSpec(expression=dice, where=where)
        )
        picture = distribution_picture(dice, self.counting, asked.person)
        return odds_reply(dice, found, picture, where)

    def _press(self, asked: Interaction) -> DiscordReply:
        found = parse_press(asked.data)
        if found is None:
            raise CodedError("bad_request", msg("discord.unknown"))
        waiting, number = found
        alone = self._solo_venue(asked)
        place = alone if waiting.table == NO_TABLE else self._venue(asked, sits_down=False)
        if isinstance(place, SoloVenue) and waiting.table != NO_TABLE:
            raise CodedError("forbidden", msg("bot.not_yours"))
        return self._roll_and_note(asked, lambda: place.continue_roll(waiting, number))

    def _roll_and_note(self, asked: Interaction, roll: Callable[[], RollMessage]) -> DiscordReply:
        """Roll, and note what the channel sees of it, so that no feed posts it again."""
        channel, before = asked.person.channel, asked.message
        with self.rolling(channel):
            shown = roll()
            reply = roll_reply(shown, before)
            if not (reply.data.get("flags") or (before or {}).get("flags", 0)) & EPHEMERAL:
                self.storage.put("shown", _channel_key(channel, shown.waiting), shown.last)
        return reply

    @contextmanager
    def rolling(self, channel: str) -> Iterator[None]:
        """While a channel rolls, what it will have seen is not known."""
        with self._lock:
            self._rolling[channel] += 1
        try:
            yield
        finally:
            with self._lock:
                self._rolling[channel] -= 1

    def is_rolling(self, channel: str) -> bool:
        """Whether somebody's roll in a channel is under way."""
        return self._rolling[channel] > 0

    def end_message(
        self, channel: str, bound: ChannelTable, begun: EventData | None, ended: EventData
    ) -> DiscordReply | None:
        """Return the message about the end of a roll; nothing if the channel has seen it."""
        with use_locale(bound.language):
            link = Link.parse(bound.watch)
            table = self._server(link, bound.language).table(link)
            events = [begun, ended] if begun and begun is not ended else [ended]
            shown = TableVenue(ChatPerson("", "", channel), table, bound.game).roll_message(events)
            seen = self.storage.find("shown", _channel_key(channel, shown.waiting)) or 0
            # Whatever it was once, spectators see it by now.
            return None if seen >= shown.last else roll_reply(replace(shown, private=False))

    def _table(self, asked: Interaction) -> DiscordReply:
        """Bind the channel to a table, say to which it is bound, or let it go."""
        text, channel = asked.text(options.LINK), asked.person.channel
        if text == "-":
            self.storage.remove("channel", channel)
        elif text:
            link, looked = self._open_link(text, asked)
            door = looked.get("door") or {}
            if door.get("role") != "player":
                raise CodedError("forbidden", msg("discord.players_link"))
            title, game = str(door.get("title") or link.table), str(door.get("game") or "")
            self._bind(asked, ChannelTable(link, game, title))
        bound = self._table_of(asked)
        if bound and asked.text(options.WATCH):
            bound = bound._replace(watch=self._spectator_link(bound, asked))
            self._bind(asked, bound)
        told = "discord.bound_watched" if bound and bound.watch else "discord.bound"
        where = in_words(told, table=bound.title) if bound else ""
        return private_reply(where or in_words("discord.unbound"))

    def _bind(self, asked: Interaction, bound: ChannelTable) -> None:
        plain = [str(bound.link), bound.game, bound.title, bound.watch, asked.language]
        self.storage.put("channel", asked.person.channel, plain)

    def _spectator_link(self, bound: ChannelTable, asked: Interaction) -> str:
        """Return the link for the channel's posts: of spectators, at its table."""
        text = asked.text(options.WATCH)
        if text == "-":
            return ""
        link, looked = self._open_link(text, asked)
        if link.table != bound.link.table or looked.get("you") or looked.get("door"):
            raise CodedError("forbidden", msg("discord.spectators_link"))
        return str(link)

    def _open_link(self, text: str, asked: Interaction) -> tuple[Link, dict[str, Any]]:
        """The table of a link that somebody gives: a bad one says nothing of their own seat."""
        link = self._link(text)
        try:
            return link, self._server(link, asked.language).table(link).snapshot(recent=0)
        except ServerError as problem:
            if problem.code in GONE:
                raise CodedError("forbidden", msg("discord.dead_link")) from None
            raise

    def _seat(self, asked: Interaction) -> DiscordReply:
        """Somebody's own link, for their phone; or the seat that they have there already."""
        bound, text = self._table_of(asked), asked.text(options.LINK)
        if bound is None:
            raise CodedError("conflict", msg("discord.unbound"))
        if text:
            link, looked = self._open_link(text, asked)
            you = looked.get("you")
            if link.table != bound.link.table or not you:
                raise CodedError("forbidden", msg("discord.seat_link"))
            if not link.seed and _signs(looked, you["seat"]):
                raise CodedError("forbidden", msg("discord.seat_key"))
            self._take_seat(asked, link, you["seat"])
            return private_reply(in_words("discord.seated"))
        place = self._venue(asked)
        assert isinstance(place, TableVenue)
        return private_reply(in_words("discord.own_link"), str(place.table.move()))

    def _take_seat(self, asked: Interaction, link: Link, seat: str) -> None:
        """Act for somebody's seat from now on, with a key of ours that the log says we hold."""
        server, name = self._server(link, asked.language), _seat_key(asked, link)
        own = server.table(link).move(signs=True, held=HELD)
        keep = BotSeatStore(self.storage, name)
        with self._join_lock(name):
            server.table(own, keep=keep)
            keep.write({**keep.read(), "seat": seat})
            self._devices.pop(name, None)

    def _venue(self, asked: Interaction, *, sits_down: bool = True) -> SoloVenue | TableVenue:
        """Return where somebody rolls; give them a seat at the channel's table if needed."""
        bound = self._table_of(asked)
        if bound is None:
            return self._solo_venue(asked)
        name = _seat_key(asked, bound.link)
        if not sits_down and not BotSeatStore(self.storage, name).read():
            return self._solo_venue(asked)
        with self._join_lock(name):
            table = self._join_or_load(asked, bound.link, name)
        return TableVenue(asked.person, table, bound.game)

    def _join_or_load(self, asked: Interaction, link: Link, name: str) -> Table:
        """Return somebody's seat, old or new; each has one device, no matter who asks for it."""
        server, keep = self._server(link, asked.language), BotSeatStore(self.storage, name)
        table = server.join(link, name=asked.person.name, numbered=True, held=HELD, keep=keep)
        if table.device is not None:
            table.device.numbers = self.numbers
            with self._lock:
                table.device = self._devices.setdefault(name, table.device)
                while len(self._devices) > MOST_DEVICES:
                    del self._devices[next(iter(self._devices))]
        return table

    def _join_lock(self, name: str) -> Lock:
        """Return the lock held while somebody sits down, so that they do it once."""
        return self._sitting[hash(name) % AT_ONCE]

    def _solo_venue(self, asked: Interaction) -> SoloVenue:
        return SoloVenue(asked.person, self.storage, self.counting, self.numbers)

    def _table_of(self, asked: Interaction) -> ChannelTable | None:
        """The table of a channel, if it has one."""
        return self.channel_table(asked.person.channel)

    def channel_table(self, channel: str) -> ChannelTable | None:
        """The same by the channel."""
        found = self.storage.find("channel", channel)
        return ChannelTable(Link.parse(found[0]), *found[1:]) if found else None

    def _link(self, text: str) -> Link:
        link = Link.parse(text)
        if link.server not in self.addresses:
            known = ", ".join(self.addresses) or "–"
            raise CodedError("forbidden", msg("discord.other_server", servers=known))
        return link

    def _server(self, link: Link, language: str) -> Server:
        """The server of a link, answering in somebody's language."""
        key = (link.server, language)
        with self._lock:
            if key not in self._servers:
                self._servers[key] = Server(link.server, patience=PATIENCE, language=language)
            return self._servers[key]

    def _error_text(self, asked: Interaction, problem: RollwrightError) -> str:
        """Why not, in words; a seat that its table does not know is let go."""
        if isinstance(problem, Unreachable):
            return in_words("discord.away")
        if not isinstance(problem, ServerError):
            return format_text(problem.wording)
        if asked.kind == COMPONENT and problem.code == "forbidden":
            return in_words("bot.not_yours")
        bound = self._table_of(asked)
        if problem.code in GONE and bound is not None:
            self.storage.remove("seat", name := _seat_key(asked, bound.link))
            self._devices.pop(name, None)
            return in_words("discord.gone", why=problem.message)
        return problem.message


def _visible_name(name: object) -> str:
    """Return a name's visible characters in one line: a table takes no others."""
    return " ".join(UNSEEN.sub(" ", str(name or "")).split())


def _signs(looked: Mapping[str, Any], seat: str) -> bool:
    """Whether a seat has a device that signs for it."""
    devices = looked["table"].get("devices", ())
    return any(one["seat"] == seat and not one.get("gone") for one in devices)


def _seat_key(asked: Interaction, link: Link) -> str:
    """By what somebody's seat at a table is kept."""
    return f"{link.server} {link.table} {asked.person.id}"


def _channel_key(channel: str, waiting: RollMoment) -> str:
    """By what it is kept how far a channel has seen a roll."""
    return f"{channel} {waiting.table} {waiting.roll}"
