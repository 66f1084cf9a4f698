"""The requests to a server and from a seat, described once for blocking and async clients.

A question gives `Found`, a roll `Rolled`, and so on: for `Server` and `Table` these are the things
themselves, for `AsyncServer` and `AsyncTable` something to be awaited.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from rollwright.client.devices import SIGNED, SigningDevice
from rollwright.client.http import (
    AsyncHttpClient,
    HttpClient,
    HttpRequest,
    Link,
    ServerError,
    hash_of,
    new_id,
    new_nonce,
    new_token,
)
from rollwright.client.rolls import EventData, RollView
from rollwright.client.seat_stores import SeatStore, SeatStoreLike, seat_store
from rollwright.errors import BadField
from rollwright.i18n.messages import msg

if TYPE_CHECKING:
    from rollwright.client.narration import TableFormatter
    from rollwright.client.sockets import LogFollower

RollSpecLike = str | Mapping[str, object]
"""An expression such as "4d6kh3", or a request as data."""
ROLES = ("referee", "player", "spectator")
MOST_OFFERED = 8
MOST_NAMESAKES = 10
"""People of one name at a table who are told apart by numbers."""

Asks = TypeVar("Asks", HttpClient, AsyncHttpClient)
Found = TypeVar("Found")
Acked = TypeVar("Acked")
Rolled = TypeVar("Rolled")
Written = TypeVar("Written")
Nothing = TypeVar("Nothing")


class QueryClient(ABC, Generic[Found]):
    """The questions that a server answers without a table."""

    def game(self, name: str) -> Found:
        """Everything about one game."""
        return self._object("GET", f"/games/{name}")

    def roll(self, what: RollSpecLike, **more: object) -> Found:
        """Roll something without a table; `seed`, `faces` and `policy` as in the API."""
        return self._object("POST", "/roll", spec_fields(what) | more)

    def continue_roll(self, transcript: Mapping[str, object], **more: object) -> Found:
        """Go on with such a roll, with `option` or `faces`."""
        return self._object("POST", "/roll", {"transcript": transcript, **more})

    def odds(self, what: RollSpecLike, **more: object) -> Found:
        """The exact odds; `policy`, `of` and `where` as in the API."""
        return self._object("POST", "/odds", spec_fields(what) | more)

    def advise(self, what: RollSpecLike, **more: object) -> Found:
        """The best call for a `goal`."""
        return self._object("POST", "/advise", spec_fields(what) | more)

    def preview(self, what: RollSpecLike, **more: object) -> Found:
        """A roll not made yet: its chance, costs, best calls, what one more is worth."""
        return self._object("POST", "/preview", spec_fields(what) | more)

    def compare(self, *rolls: RollSpecLike, **more: object) -> Found:
        """Several rolls side by side."""
        return self._object(
            "POST", "/compare", {"rolls": [spec_fields(roll) for roll in rolls], **more}
        )

    def verify(
        self,
        *,
        transcript: Mapping[str, object] | None = None,
        log: Mapping[str, object] | None = None,
        link: str = "",
    ) -> Found:
        """Whether a saved roll, a log, or the roll in a link is true."""
        if link:
            return self._object("POST", "/verify", {"link": link})
        body = {"transcript": transcript} if log is None else {"log": log}
        return self._object("POST", "/verify", body)

    def share(self, transcript: Mapping[str, object], **more: object) -> Found:
        """A roll as a picture, a text to paste and a link; `who`, `address`, `light`…"""
        return self._object("POST", "/share", {"transcript": transcript, **more})

    @abstractmethod
    def _object(self, method: str, path: str, body: Mapping[str, object] | None = None) -> Found:
        """The answer to a request, as data."""


class TableClient(ABC, Generic[Asks, Found, Acked, Rolled, Written, Nothing]):
    """A table as one seat sees it; everything it does is done once, however often it is sent."""

    def __init__(
        self,
        asking: Asks,
        table: str,
        token: str,
        *,
        seat: str = "",
        links: Mapping[str, Link] | None = None,
        device: SigningDevice | None = None,
    ) -> None:
        self.asking: Asks = asking
        self.id = table
        self.token = token
        self.seat: str = seat
        """Our seat; empty for somebody who came by a seat's link and has not looked yet."""
        self.links = dict(links or {})
        """The links of a table that we made, by role."""
        self.device = device
        """The key that signs for us, and finds its calls in the log; None relies on the host."""
        self._voice: TableFormatter | None = None

    @property
    def link(self) -> Link:
        """Our own seat's link, without its key: who has it sees what we see. See `move`."""
        return Link(self.asking.address, self.id, self.token)

    @property
    def protests(self) -> list[str]:
        """List our complaints about the host: calls that are not ours, being passed over."""
        return [] if self.device is None else self.device.protests

    def do(self, do: str, **fields: object) -> Acked:
        """Send a command: `table.do("chat.send", text="Ready?")`.

        It has an `id` of its own, so that it is done once however often it is sent; give one to
        send the same command again later. Where dice wait for a witness, so does this. Raises
        Unfair if the log does not hold what we signed.
        """
        return self._command({"id": new_id(), "do": do, **fields})

    def roll(
        self,
        what: RollSpecLike | None = None,
        *,
        draft: Mapping[str, object] | None = None,
        **fields: object,
    ) -> Rolled:
        """Start a roll of an expression, a request or a draft; `visibility`, `physical`, `goal`…"""
        return self._command_roll(
            "", "roll.start", **(self._nonce_field() | start_fields(what, draft, fields))
        )

    def choose(self, roll: RollView | str, option: object) -> Rolled:
        """Choose an option of an open roll."""
        return self._command_roll(roll, "roll.choose", option=option, **self._nonce_field())

    def enter(self, roll: RollView | str, faces: Sequence[object]) -> Rolled:
        """Enter the faces of real dice."""
        return self._command_roll(roll, "roll.enter", faces=faces)

    def throw(self, roll: RollView | str) -> Rolled:
        """Let the table throw the dice that a roll waits for."""
        return self._command_roll(roll, "roll.throw", **self._nonce_field())

    def take_back(self, roll: RollView | str) -> Rolled:
        """Take the last faces or choice of an open roll back."""
        return self._command_roll(roll, "roll.take_back")

    def reveal(self, roll: RollView | str) -> Rolled:
        """Show a secret roll to everybody."""
        return self._command_roll(roll, "roll.reveal")

    def apply(self, roll: RollView | str, sheet: str = "") -> Rolled:
        """Let happen what waits of a roll, on one sheet or on all that are ours to decide."""
        return self._command_roll(roll, "roll.apply", **({"sheet": sheet} if sheet else {}))

    def decline(self, roll: RollView | str, sheet: str = "") -> Rolled:
        """Do not let it happen."""
        return self._command_roll(roll, "roll.decline", **({"sheet": sheet} if sheet else {}))

    def advise(self, roll: RollView | str, goal: str = "") -> Found:
        """Ask for the value of each option of an open roll, from what this seat can know."""
        body = {"goal": goal} if goal else {}
        return self._object("POST", f"/rolls/{id_of(roll)}/advice", body)

    def preview(self, **fields: object) -> Found:
        """A roll not made yet; takes what `roll` takes, and `policy`, `goal`, `parts`, `vary`."""
        return self._object("POST", "/preview", fields)

    def form(self, **fields: object) -> Found:
        """The form of a roll that is being made up: `draft`, and `sheet` for whose it is."""
        return self._object("POST", "/form", fields)

    def commit_witness(self, count: int = MOST_OFFERED) -> Acked:
        """Have numbers ready for throws of others, so that no throw is settled by two alone.

        They are opened when dice wait for them, by anything that listens: see `listen` and `watch`.
        """
        if self.device is None:
            raise BadField("witness", msg("client.no_device"))
        return self.do("witness.commit", commitments=self.device.new_commitments(count))

    def _nonce_field(self) -> dict[str, object]:
        """Our part in the dice where no device signs for us; one that signs brings its own."""
        return {"nonce": new_nonce()} if self.device is None else {}

    def _signs(self, command: Mapping[str, object]) -> bool:
        return self.device is not None and command["do"] in SIGNED

    def check(self, events: Sequence[EventData]) -> None:
        """Check events of our log for what we signed; raises Unfair."""
        if self.device is not None:
            self.device.check(events)

    def check_log(self, events: Sequence[EventData]) -> None:
        """Check our whole log for what we saw and what we signed; raises Unfair."""
        if self.device is not None:
            self.device.check_log(events)

    def statistics(self, *, own: bool = False) -> Found:
        """Observed against expected, for each seat, of what everybody may see; `own` as we may."""
        return self._object("GET", "/statistics", query=copy_query(own))

    def recap(self, session: int = 0) -> Found:
        """A session looked back on: the last that ended, or the one that is asked for.

        It is the same for everybody, and holds no secret.
        """
        return self._object("GET", "/recap", query={"session": session})

    def history(self, form: str = "md", *, own: bool = False) -> Written:
        """The history as Markdown (`md`) or CSV (`csv`), of what everybody may see.

        With `own` it is our own copy, with the secrets that we may see.
        """
        return self._text(f"/history.{form}", query=copy_query(own))

    def text(self, roll: RollView | str, *, own: bool = False) -> Written:
        """A roll as lines to paste into a chat, with its odds and a link that verifies.

        Of a secret roll there is only a copy of our `own`.
        """
        return self._text(f"/rolls/{id_of(roll)}/text", query=copy_query(own))

    def delete(self) -> Nothing:
        """Delete the table with everything of it."""
        return self._send_only("DELETE", "")

    def listen(self, after: int | None = None) -> AsyncGenerator[EventData, None]:
        """Events as they happen, from now on or behind a seq, through every lost connection.

        async for event in table.listen():
            print(event["kind"])

        Is a witness of the throws of others where the table has those, if a device signs for us.
        """
        from rollwright.client.sockets import listen

        return listen(self.socket, self.follower(after))

    @property
    def socket(self) -> str:
        """Return the address of the table's socket."""
        from rollwright.client.sockets import socket_address

        return socket_address(self.asking.address, self.id)

    def follower(self, after: int | None = None, hash: str = "") -> LogFollower:
        """Somebody who follows the log from now on, or behind an event."""
        from rollwright.client.sockets import LogFollower

        return LogFollower(self.token, after, hash, check=self.check, attend=self.attend)

    @abstractmethod
    async def attend(self, want: int) -> None:
        """Offer so many numbers, and open those that dice wait for."""

    def picture_request(
        self, roll: RollView | str, form: str, light: str, own: bool
    ) -> HttpRequest:
        """Return the request for a picture."""
        path = f"/tables/{self.id}/rolls/{id_of(roll)}/picture.{form}"
        query = {**copy_query(own), **({"light": light} if light else {})}
        return HttpRequest("GET", path, None, self.token, query or None)

    def _remember(self, found: Mapping[str, Any]) -> None:
        """Take note of our seat and of what people are called; at a door nobody is named."""
        from rollwright.client.narration import TableFormatter

        self.seat = (found.get("you") or {}).get("seat", self.seat)
        if "table" in found:  # somebody at the door gets less
            self._voice = TableFormatter(found, self.asking.language)

    def _needs_snapshot(self, roll: RollView) -> bool:
        """Check whether a look at the table is needed to narrate a roll.

        The game stays the same; the names of people do not.
        """
        text = roll.after.get("told") or ""
        return not isinstance(text, str) and (self._voice is None or roll.mentions)

    def _narrate(self, roll: RollView) -> RollView:
        """A roll in words, as far as they are known."""
        return roll if self._voice is None else roll.narrate(self._voice.format_text)

    @abstractmethod
    def _command(self, command: dict[str, object]) -> Acked:
        """Return the result of a command."""

    @abstractmethod
    def _command_roll(self, roll: RollView | str, do: str, **fields: object) -> Rolled:
        """A roll after a command about it."""

    @abstractmethod
    def _object(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        query: Mapping[str, int | str] | None = None,
    ) -> Found:
        """The answer to a request about the table, as data."""

    @abstractmethod
    def _text(self, path: str, query: Mapping[str, str]) -> Written:
        """The answer to a request that is a text."""

    @abstractmethod
    def _send_only(self, method: str, path: str) -> Nothing:
        """A request to which nothing is answered."""

    def __repr__(self) -> str:
        return f"<table {self.id}, seat {self.seat or 'unknown'}>"


def copy_query(own: bool) -> dict[str, str]:
    """Return the query for a copy of one's own; without it a share shows what everybody sees."""
    return {"for": "me"} if own else {}


def spec_fields(what: RollSpecLike) -> dict[str, object]:
    """Return the subject of a question: a text is an expression, data a request."""
    return {"expression": what} if isinstance(what, str) else {"request": what}


def id_of(roll: RollView | str) -> str:
    """The id of a roll."""
    return roll.id if isinstance(roll, RollView) else roll


def roll_fields(roll: RollView | str, fields: Mapping[str, object]) -> dict[str, object]:
    """The fields of a command about a roll; of one that starts, nothing is added."""
    return {**({"roll": id_of(roll)} if roll else {}), **fields}


def start_fields(
    what: RollSpecLike | None, draft: Mapping[str, object] | None, fields: Mapping[str, object]
) -> dict[str, object]:
    """The fields of a command that starts a roll."""
    asked: dict[str, object] = {} if draft is None else {"draft": draft}
    return {**(spec_fields(what) if what is not None else asked), **fields}


class KeySetup:
    """How a new seat signs: with a key of its own, one that a bot holds for somebody, or not."""

    def __init__(self, signs: bool, held: str = "") -> None:
        self.seed = new_nonce() if signs else ""
        self.held = held

    @property
    def fields(self) -> dict[str, str]:
        """Return the fields that are sent to the server."""
        if not self.seed:
            return {}
        held = {"held": self.held} if self.held else {}
        return {"key": SigningDevice(self.seed).key, **held}


class TableCreation:
    """A table that is being made: tokens of our own, of which the server gets the hashes."""

    def __init__(self, game: str, name: str, more: Mapping[str, object], signing: KeySetup) -> None:
        self.tokens = {role: new_token() for role in ("seat", *ROLES)}
        self._seed = signing.seed
        hashes = {role: hash_of(token) for role, token in self.tokens.items()}
        about = {"id": new_id(), "game": game, "name": name, "tokens": hashes}
        self.body = {**about, **signing.fields, **more}

    def links(self, address: str, table: str) -> dict[str, Link]:
        """The links to give away, by role."""
        return {role: Link(address, table, self.tokens[role]) for role in ROLES}

    def device(self, made: Mapping[str, Any], keep: SeatStoreLike) -> SigningDevice | None:
        """The device of the seat that was made, kept with its token."""
        place = seat_store(keep)
        place.write({"table": made["table"], "token": self.tokens["seat"], "seat": made["seat"]})
        return create_device(place, self._seed)


class JoinRequest:
    """Somebody who sits down by a link, with a token and a key of their own.

    Both are kept before the server is asked: who asks again after a crash has the same seat.
    """

    def __init__(
        self,
        link: Link,
        name: str,
        signing: KeySetup,
        keep: SeatStoreLike,
        *,
        numbered: bool = False,
    ) -> None:
        self.link = link
        self._name, self._namesakes = name, int(numbered)
        self._place = seat_store(keep)
        held = self._place.read()
        if held.get("table") != link.table:
            held = {
                **{"table": link.table, "token": new_token(), "id": new_id(), "seat": ""},
                **({"seed": signing.seed} if signing.seed else {}),
            }
            self._place.write(held)
        signing.seed = str(held.get("seed", ""))
        self.token = str(held["token"])
        self.is_seated = "id" not in held
        """Whether somebody sits there already: nobody needs to be asked."""
        self.seat = str(held["seat"])
        self.path = f"/tables/{link.table}/join"
        about = {"id": held.get("id", ""), "name": name, "token_hash": hash_of(self.token)}
        self.body = {**about, **signing.fields}

    def try_next_name(self, problem: ServerError) -> bool:
        """Whether the name was refused, and there is one with a number behind it to ask with."""
        if problem.field != "name" or not 0 < self._namesakes < MOST_NAMESAKES:
            return False
        self._namesakes += 1
        self.body["name"] = f"{self._name} {self._namesakes}"
        return True

    def device(self, seat: str) -> SigningDevice | None:
        """The device of the seat, once it is there."""
        held = self._place.read()
        if self.is_seated:
            return SigningDevice.load(self._place)
        waiting = {"id", "seed"}
        known = {name: value for name, value in held.items() if name not in waiting}
        self._place.write({**known, "seat": seat})
        return create_device(self._place, str(held.get("seed", "")))


def create_device(place: SeatStore, seed: str) -> SigningDevice | None:
    """A device with this seed, kept from now on; None without one."""
    if not seed:
        return None
    device = SigningDevice(seed, place)
    device.save()
    return device


class MoveRequest:
    """A seat that goes on from another device: with a token, and a key if this one has one."""

    def __init__(self, link: Link, signing: KeySetup) -> None:
        self.link = link._replace(token=new_token(), seed=signing.seed)
        self.fields = {"token_hash": hash_of(self.link.token), **signing.fields}


def load_device(link: Link, keep: SeatStoreLike) -> SigningDevice | None:
    """The device of a seat that we have a link of: one that is kept, or the one in the link."""
    place = seat_store(keep)
    held = place.read()
    if held.get("table") == link.table and held.get("token") == link.token:
        return SigningDevice.load(place)
    if not link.seed:
        return None
    place.write({"table": link.table, "token": link.token, "seat": ""})
    return create_device(place, link.seed)


class ClaimRequest:
    """A seat that is kept: as it is, or to be taken again where its table has gone."""

    def __init__(self, keep: SeatStoreLike) -> None:
        self._place = seat_store(keep)
        held = self._place.read()
        if not held.get("token"):
            raise BadField("keep", msg("client.no_seat"))
        self.table, self.token, self.seat = map(str, (held["table"], held["token"], held["seat"]))
        self.device = SigningDevice.load(self._place)
        self.path = f"/tables/{self.table}/claim"

    @property
    def seat_data(self) -> tuple[str, str, str, SigningDevice | None]:
        """The table, the token, the seat, and what signs for it."""
        return self.table, self.token, self.seat, self.device

    def body(self, epoch: str) -> dict[str, object]:
        """Return the proof that the seat is ours, with a token that the host before never saw."""
        if self.device is None:
            raise BadField("keep", msg("client.no_device"))
        self.token = new_token()
        return self.device.claim(self.table, epoch, hash_of(self.token))

    def keep(self, seat: str) -> None:
        """The seat was taken."""
        held = self._place.read()
        self._place.write({**held, "token": self.token, "seat": seat})
