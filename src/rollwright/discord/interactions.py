"""Interactions: the request in each, and who answers it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from typing import Any, NamedTuple

from rollwright.client import Link, Refused, Server, Table, Unreachable
from rollwright.client.devices import Device, Numbers, new_number
from rollwright.client.keeping import StoredSeat
from rollwright.client.places import ALONE, Alone, Asked, AtTable, Person, spread
from rollwright.client.rolls import Event
from rollwright.client.showing import Shown, Waiting
from rollwright.client.storage import Storage
from rollwright.counting.bots import BotCounting
from rollwright.discord import commands as options
from rollwright.discord.commands import asked_of, completed, kind_of, more_offered
from rollwright.discord.messages import EPHEMERAL, Reply, chances, pressed, rolled, said_aside
from rollwright.errors import Refusal, RollwrightError
from rollwright.kit.bodies import UNSEEN
from rollwright.words.codes import language_code
from rollwright.words.messages import said
from rollwright.words.reader import in_words, reading, spoken

PING, COMMAND, COMPONENT, AUTOCOMPLETE = 1, 2, 3, 4
GONE = ("unauthorized", "gone")
"""Why a server does not know a seat or a link any more."""
LONGEST_PERSON = 40
KEPT = {"seen": 200_000, "channel": 20_000, "seat": 100_000, "roll": 20_000}
"""How many of each there are."""
PATIENCE = 10.0
"""Seconds that a table's server is waited for."""
HELD = "discord"
"""Who holds the keys of the people here, as the log of a table says it."""
AT_ONCE, MOST_DEVICES = 64, 2000


class Bound(NamedTuple):
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
    person: Person
    name: str
    roll: str
    given: Mapping[str, Any]
    focused: str
    data: Mapping[str, Any]
    message: Mapping[str, Any] | None
    language: str

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> Interaction:
        """Read an interaction as Discord sends it."""
        data, member = plain.get("data") or {}, plain.get("member") or {}
        user = member.get("user") or plain["user"]
        names = (member.get("nick"), user.get("global_name"), user["username"])
        called = next(filter(None, map(_seen, names)), str(user["id"]))
        person = Person(str(user["id"]), called[:LONGEST_PERSON], str(plain["channel_id"]))
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


class Desk:
    """Answers interactions: at tables of the servers that it may talk to, and alone."""

    def __init__(
        self,
        storage: Storage,
        counting: BotCounting,
        servers: Sequence[str] = (),
        numbers: Numbers = new_number,
    ) -> None:
        self.storage = storage
        self.counting = counting
        self.numbers = numbers
        self.addresses = tuple(address.rstrip("/") for address in servers)
        self._servers: dict[tuple[str, str], Server] = {}
        self._lock = Lock()
        self._sitting = [Lock() for _ in range(AT_ONCE)]
        self._devices: dict[str, Device] = {}
        self._rolling: Counter[str] = Counter()
        does = (self._roll, self._push, self._odds, self._table, self._seat)
        self._does = dict(zip(options.BASE, does, strict=True))

    def close(self) -> None:
        """Let go of all connections."""
        for server in self._servers.values():
            server.close()

    def answer(self, asked: Interaction) -> Reply:
        """Return the answer to a command or a press, in the language of the one who asked."""
        with reading(asked.language):
            try:
                if asked.kind == COMPONENT:
                    return self._pressed(asked)
                return self._does.get(asked.name, self._of_game)(asked)
            except RollwrightError as problem:
                return said_aside(self._refused(asked, problem))

    def complete(self, asked: Interaction) -> list[dict[str, str]]:
        """Return the completions of an option that is being typed."""
        with reading(asked.language):
            try:
                about, kind = kind_of(asked.name, asked.roll)
                if asked.focused == options.MORE:
                    return completed(asked.text(options.MORE), more_offered(kind))
                picks = self._place(asked, sits_down=False).picks(about["name"], kind["roll"])
                return completed(asked.text(asked.focused), [*picks])
            except RollwrightError:
                return []

    def _roll(self, asked: Interaction) -> Reply:
        private = bool(asked.given.get(options.PRIVATE))
        what = Asked(expression=asked.text(options.DICE), private=private)
        return self._rolled(asked, lambda: self._place(asked).start(what))

    def _of_game(self, asked: Interaction) -> Reply:
        what, place = asked_of(asked.name, asked.roll, asked.given), self._place(asked)
        if asked.given.get(options.ODDS):
            found = place.chance(what)
            return chances(str(found["title"]), found)
        return self._rolled(asked, lambda: place.start(what))

    def _push(self, asked: Interaction) -> Reply:
        """Show the open roll to the person who asked alone: it may be secret."""
        return rolled(self._place(asked).pending()).aside()

    def _odds(self, asked: Interaction) -> Reply:
        dice, where = asked.text(options.DICE), asked.text(options.WHERE)
        if not dice:
            return self._push(asked)
        found = self._place(asked, sits_down=False).chance(Asked(expression=dice, where=where))
        picture = spread(dice, self.counting, asked.person)
        return chances(dice, found, picture, where)

    def _pressed(self, asked: Interaction) -> Reply:
        found = pressed(asked.data)
        if found is None:
            raise Refusal("bad_request", said("discord.unknown"))
        waiting, number = found
        alone = self._alone(asked)
        place = alone if waiting.table == ALONE else self._place(asked, sits_down=False)
        if isinstance(place, Alone) and waiting.table != ALONE:
            raise Refusal("forbidden", said("bot.not_yours"))
        return self._rolled(asked, lambda: place.go_on(waiting, number))

    def _rolled(self, asked: Interaction, roll: Callable[[], Shown]) -> Reply:
        """Roll, and note what the channel sees of it, so that no feed posts it again."""
        channel, before = asked.person.channel, asked.message
        with self.rolling(channel):
            shown = roll()
            reply = rolled(shown, before)
            if not (reply.data.get("flags") or (before or {}).get("flags", 0)) & EPHEMERAL:
                self.storage.keep("shown", _seen_in(channel, shown.waiting), shown.last)
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

    def news(self, channel: str, bound: Bound, begun: Event | None, ended: Event) -> Reply | None:
        """Return the message about the end of a roll; nothing if the channel has seen it."""
        with reading(bound.language):
            link = Link.read(bound.watch)
            table = self._server(link, bound.language).table(link)
            events = [begun, ended] if begun and begun is not ended else [ended]
            shown = AtTable(Person("", "", channel), table, bound.game).shown(events)
            seen = self.storage.held("shown", _seen_in(channel, shown.waiting)) or 0
            # Whatever it was once, spectators see it by now.
            return None if seen >= shown.last else rolled(replace(shown, private=False))

    def _table(self, asked: Interaction) -> Reply:
        """Bind the channel to a table, say to which it is bound, or let it go."""
        text, channel = asked.text(options.LINK), asked.person.channel
        if text == "-":
            self.storage.drop("channel", channel)
        elif text:
            link, looked = self._looked_at(text, asked)
            door = looked.get("door") or {}
            if door.get("role") != "player":
                raise Refusal("forbidden", said("discord.players_link"))
            title, game = str(door.get("title") or link.table), str(door.get("game") or "")
            self._bind(asked, Bound(link, game, title))
        bound = self._bound(asked)
        if bound and asked.text(options.WATCH):
            bound = bound._replace(watch=self._watched(bound, asked))
            self._bind(asked, bound)
        told = "discord.bound_watched" if bound and bound.watch else "discord.bound"
        where = in_words(told, table=bound.title) if bound else ""
        return said_aside(where or in_words("discord.unbound"))

    def _bind(self, asked: Interaction, bound: Bound) -> None:
        plain = [str(bound.link), bound.game, bound.title, bound.watch, asked.language]
        self.storage.keep("channel", asked.person.channel, plain)

    def _watched(self, bound: Bound, asked: Interaction) -> str:
        """Return the link for the channel's posts: of spectators, at its table."""
        text = asked.text(options.WATCH)
        if text == "-":
            return ""
        link, looked = self._looked_at(text, asked)
        if link.table != bound.link.table or looked.get("you") or looked.get("door"):
            raise Refusal("forbidden", said("discord.spectators_link"))
        return str(link)

    def _looked_at(self, text: str, asked: Interaction) -> tuple[Link, dict[str, Any]]:
        """The table of a link that somebody gives: a bad one says nothing of their own seat."""
        link = self._link(text)
        try:
            return link, self._server(link, asked.language).table(link).look(recent=0)
        except Refused as problem:
            if problem.code in GONE:
                raise Refusal("forbidden", said("discord.dead_link")) from None
            raise

    def _seat(self, asked: Interaction) -> Reply:
        """Somebody's own link, for their phone; or the seat that they have there already."""
        bound, text = self._bound(asked), asked.text(options.LINK)
        if bound is None:
            raise Refusal("conflict", said("discord.unbound"))
        if text:
            link, looked = self._looked_at(text, asked)
            you = looked.get("you")
            if link.table != bound.link.table or not you:
                raise Refusal("forbidden", said("discord.seat_link"))
            if not link.seed and _signs(looked, you["seat"]):
                raise Refusal("forbidden", said("discord.seat_key"))
            self._take_seat(asked, link, you["seat"])
            return said_aside(in_words("discord.seated"))
        place = self._place(asked)
        assert isinstance(place, AtTable)
        return said_aside(in_words("discord.own_link"), str(place.table.move()))

    def _take_seat(self, asked: Interaction, link: Link, seat: str) -> None:
        """Act for somebody's seat from now on, with a key of ours that the log says we hold."""
        server, name = self._server(link, asked.language), _seat_at(asked, link)
        own = server.table(link).move(signs=True, held=HELD)
        keep = StoredSeat(self.storage, name)
        with self._sitting_down(name):
            server.table(own, keep=keep)
            keep.write({**keep.read(), "seat": seat})
            self._devices.pop(name, None)

    def _place(self, asked: Interaction, *, sits_down: bool = True) -> Alone | AtTable:
        """Return where somebody rolls; give them a seat at the channel's table if needed."""
        bound = self._bound(asked)
        if bound is None:
            return self._alone(asked)
        name = _seat_at(asked, bound.link)
        if not sits_down and not StoredSeat(self.storage, name).read():
            return self._alone(asked)
        with self._sitting_down(name):
            table = self._seated(asked, bound.link, name)
        return AtTable(asked.person, table, bound.game)

    def _seated(self, asked: Interaction, link: Link, name: str) -> Table:
        """Return somebody's seat, old or new; each has one device, no matter who asks for it."""
        server, keep = self._server(link, asked.language), StoredSeat(self.storage, name)
        table = server.join(link, name=asked.person.name, numbered=True, held=HELD, keep=keep)
        if table.device is not None:
            table.device.numbers = self.numbers
            with self._lock:
                table.device = self._devices.setdefault(name, table.device)
                while len(self._devices) > MOST_DEVICES:
                    del self._devices[next(iter(self._devices))]
        return table

    def _sitting_down(self, name: str) -> Lock:
        """Return the lock held while somebody sits down, so that they do it once."""
        return self._sitting[hash(name) % AT_ONCE]

    def _alone(self, asked: Interaction) -> Alone:
        return Alone(asked.person, self.storage, self.counting, self.numbers)

    def _bound(self, asked: Interaction) -> Bound | None:
        """The table of a channel, if it has one."""
        return self.bound(asked.person.channel)

    def bound(self, channel: str) -> Bound | None:
        """The same by the channel."""
        found = self.storage.held("channel", channel)
        return Bound(Link.read(found[0]), *found[1:]) if found else None

    def _link(self, text: str) -> Link:
        link = Link.read(text)
        if link.server not in self.addresses:
            known = ", ".join(self.addresses) or "–"
            raise Refusal("forbidden", said("discord.other_server", servers=known))
        return link

    def _server(self, link: Link, language: str) -> Server:
        """The server of a link, answering in somebody's language."""
        key = (link.server, language)
        with self._lock:
            if key not in self._servers:
                self._servers[key] = Server(link.server, patience=PATIENCE, language=language)
            return self._servers[key]

    def _refused(self, asked: Interaction, problem: RollwrightError) -> str:
        """Why not, in words; a seat that its table does not know is let go."""
        if isinstance(problem, Unreachable):
            return in_words("discord.away")
        if not isinstance(problem, Refused):
            return spoken(problem.wording)
        if asked.kind == COMPONENT and problem.code == "forbidden":
            return in_words("bot.not_yours")
        bound = self._bound(asked)
        if problem.code in GONE and bound is not None:
            self.storage.drop("seat", name := _seat_at(asked, bound.link))
            self._devices.pop(name, None)
            return in_words("discord.gone", why=problem.message)
        return problem.message


def _seen(name: object) -> str:
    """Return a name's visible characters in one line: a table takes no others."""
    return " ".join(UNSEEN.sub(" ", str(name or "")).split())


def _signs(looked: Mapping[str, Any], seat: str) -> bool:
    """Whether a seat has a device that signs for it."""
    devices = looked["table"].get("devices", ())
    return any(one["seat"] == seat and not one.get("gone") for one in devices)


def _seat_at(asked: Interaction, link: Link) -> str:
    """By what somebody's seat at a table is kept."""
    return f"{link.server} {link.table} {asked.person.id}"


def _seen_in(channel: str, waiting: Waiting) -> str:
    """By what it is kept how far a channel has seen a roll."""
    return f"{channel} {waiting.table} {waiting.roll}"
