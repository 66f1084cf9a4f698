"""People at real servers, through the network: each keeps every byte that reached them."""

import asyncio
import contextlib
import json
import secrets
import threading
from dataclasses import dataclass, field

import httpx
from benchmarks.soak.clusters import Cluster
from benchmarks.soak.doors import new_token
from benchmarks.soak.servers import App, place
from benchmarks.soak.tables import ROLES
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests import nursery

PATIENCE = 60
App.start_process = nursery.Popen


@contextlib.contextmanager
def one_app(**settings):
    """An app on SQLite that runs."""
    with place() as folder, Cluster("sqlite", folder, **settings) as servers:
        yield servers.apps[0]


@contextlib.contextmanager
def two_apps(**settings):
    """Two apps on PostgreSQL and Redis that run: a cluster."""
    with place() as folder, Cluster("app", folder, **settings) as servers:
        yield servers


@dataclass
class Answer:
    """What a server answered."""

    status: int
    text: str

    @property
    def json(self):
        """The answer as data."""
        return json.loads(self.text)


class Person:
    """Somebody at a table, or somebody without any token; `heard` is all they ever got."""

    def __init__(self, address, table, token="", seat=""):
        self.address = address
        self.table = table
        self.token = token
        self.seat = seat
        self.heard = []
        self.http = httpx.Client(timeout=PATIENCE, verify=False)

    def ask(self, method, path, body=None, **more):
        """One request; what came back is kept, headers too."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        found = self.http.request(
            method, f"{self.address}{path}", json=body, headers=headers, **more
        )
        came = "\n".join(f"{name}: {value}" for name, value in found.headers.items())
        self.heard.append((f"{method} {path}", f"{came}\n{found.text}"))
        return Answer(found.status_code, found.text)

    def get(self, path):
        """One path of the table."""
        return self.ask("GET", f"/api/v1/tables/{self.table}{path}")

    def post(self, path, body):
        """One path of the table, with a body."""
        return self.ask("POST", f"/api/v1/tables/{self.table}{path}", body)

    def tries(self, do, **fields):
        """Send a command, whatever comes of it."""
        command = {"id": secrets.token_urlsafe(12), "do": do, **fields}
        return self.post("/commands", command).json

    def do(self, do, **fields):
        """Send a command that must be done; its events as this seat sees them."""
        answer = self.tries(do, **fields)
        assert answer["ok"], answer
        return answer["events"]

    def log(self):
        """The whole log as this seat sees it."""
        answer = self.get("/log.json")
        assert answer.status == 200, answer.text
        return answer.json

    def close(self):
        """Let go of the connections."""
        self.http.close()


class Listener:
    """A socket that is read all the time."""

    def __init__(self, person, after=0, address=""):
        self.person = person
        self.frames = []
        self.seqs = set()
        self._news = threading.Condition()
        address = address or person.address
        self._held = contextlib.ExitStack()
        path = f"ws{address[4:]}/api/v1/tables/{person.table}/socket"
        waits = {"open_timeout": PATIENCE, "ping_timeout": PATIENCE, "close_timeout": 1}
        line = connect(path, compression=None, max_size=None, **waits)
        self._socket = self._held.enter_context(line)
        self.send({"hello": {"protocol": 3, "token": person.token, "after": after, "recent": 100}})
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        self.until(lambda: any("welcome" in frame for frame in self.frames))

    def send(self, message):
        """One message to the server."""
        self._socket.send(json.dumps(message))

    def _read(self):
        with contextlib.suppress(ConnectionClosed):
            for text in self._socket:
                self._take(text)

    def _take(self, text):
        self.person.heard.append(("socket", text))
        frame = json.loads(text)
        with self._news:
            self.frames.append(frame)
            self.seqs |= {event["seq"] for event in frame.get("events", ())}
            if "snapshot" in frame.get("welcome", ()):
                self.seqs.add(frame["welcome"]["head"])
            self._news.notify_all()

    def until(self, condition):
        """Wait for something that frames bring."""
        with self._news:
            assert self._news.wait_for(condition, PATIENCE), self.frames[-3:]

    def acks(self, id):
        """The acknowledgements of a command that came."""
        return [frame["ack"] for frame in self.frames if frame.get("ack", {}).get("id") == id]

    def close(self):
        """Close the socket."""
        self._held.close()
        self._thread.join(PATIENCE)


@dataclass
class Table:
    """A table with people at it."""

    id: str
    links: dict
    referee: Person
    addresses: list
    people: list = field(default_factory=list)

    def join(self, name, role="player"):
        """Somebody new, at the next of the apps."""
        address = self.addresses[len(self.people) % len(self.addresses)]
        token, hashed = new_token()
        guest = Person(address, self.id, self.links[role])
        asked = {"id": secrets.token_urlsafe(12), "name": name, "token_hash": hashed}
        joined = guest.post("/join", asked).json
        guest.close()
        person = Person(address, self.id, token, joined["seat"])
        self.people.append(person)
        return person

    def watcher(self):
        """Somebody who only watches, by the spectators' link."""
        person = Person(self.addresses[-1], self.id, self.links["spectator"])
        self.people.append(person)
        return person

    def close(self):
        """Everybody goes home."""
        for person in (self.referee, *self.people):
            person.close()


def found(addresses, game="twilight2000", **fields):
    """A new table with its referee."""
    token, hashed = new_token()
    links = {role: new_token() for role in ROLES}
    hashes = {"seat": hashed, **{role: link[1] for role, link in links.items()}}
    founder = Person(addresses[0], "", token, "s1")
    asked = {"id": secrets.token_urlsafe(12), "game": game, "name": "Founder", "tokens": hashes}
    made = founder.ask("POST", "/api/v1/tables", {**asked, **fields})
    assert made.status < 300, made.text
    founder.table = made.json["table"]
    return Table(
        founder.table, {role: link[0] for role, link in links.items()}, founder, list(addresses)
    )


def nonce():
    """32 bytes that nobody knew before: the number of a roller, or what a witness might offer."""
    return secrets.token_hex(32)


def waits_for(events):
    """The roll that events tell of, and what it waits for."""
    told = [event for event in events if "after" in event.get("body", ())][-1]
    return told["body"]["roll"], {**told["body"]["after"], **told.get("offers", {})}


async def until(happened, seconds=60):
    """Wait for something."""
    async with asyncio.timeout(seconds):
        while not happened():
            await asyncio.sleep(0.01)
