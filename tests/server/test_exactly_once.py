"""Commands that come twice, late, or over two connections at once happen once: held to a model."""

import secrets

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from rollwright.table.verify.log import verify_log
from tests.gates import first
from tests.server.harness import Listener, found, nonce, two_apps

pytestmark = pytest.mark.storm

PUSHED = {"game": "twilight2000", "roll": "skill", "attribute": "A", "skill": "A"}
"""D12 and D12: seldom without a die that can be pushed."""

LINES = st.integers(0, 3)
"""Two sockets and two ways by REST, at two processes."""
KINDS = st.sampled_from(["say", "tend", "roll"])


class Once(RuleBasedStateMachine):
    """One seat with four lines to two processes, and a model of the log beside it.

    The model: every command that was done has its own stretch of the log, the stretches cover
    it, and whatever is sent again is answered with the stretch it has.
    """

    addresses = ()

    @initialize()
    def sit_down(self):
        """A referee at a new table, with two sockets."""
        self.table = found(self.addresses)
        self.person = self.table.referee
        self.person.do("sheet.create", sheet="s1", values={})
        self.begun = self.head = 3
        self.commands = {}
        self.acks = {}
        self.sockets = [Listener(self.person, 0, address) for address in self.addresses]

    def command(self, kind):
        """A new command; nothing but its id makes it the same as another one."""
        fields = {
            "say": lambda: {"do": "chat.send", "text": f"well {secrets.token_hex(6)}", "to": "all"},
            "tend": lambda: {
                "do": "sheet.change",
                "sheet": "s1",
                "values": {"name": secrets.token_hex(6)},
            },
            "roll": lambda: {"do": "roll.start", "expression": "3d6", "nonce": nonce()},
            "push": lambda: {"do": "roll.start", "request": PUSHED, "nonce": nonce()},
        }[kind]()
        command = {"id": secrets.token_urlsafe(9), **fields}
        self.commands[command["id"]] = command
        return command

    def send(self, command, line):
        """Send over one of the lines; what comes back at once, or None over a socket."""
        if line < 2:
            self.sockets[line].send({"command": command})
            return None
        person = self.person
        person.address = self.addresses[line - 2]
        answer = person.post("/commands", command).json
        answer.pop("events", None)
        return answer

    def answers(self, deliveries):
        """Send everything before the first answer is awaited; the answers in the same order."""
        before = [
            [len(socket.acks(command["id"])) for socket in self.sockets]
            for command, _ in deliveries
        ]
        came = [self.send(command, line) for command, line in deliveries]
        nth = {}
        for place, (command, line) in enumerate(deliveries):
            if came[place] is None:
                key = (command["id"], line)
                nth[key] = nth.get(key, before[place][line]) + 1
                came[place] = self.acknowledged(command["id"], line, nth[key])
        return came

    def acknowledged(self, id, line, nth):
        """The nth answer to a command on a socket."""
        socket = self.sockets[line]
        socket.until(lambda: len(socket.acks(id)) >= nth)
        return socket.acks(id)[nth - 1]

    def note(self, answers):
        """The answers agree with each other and with the model, which grows by what is new."""
        for answer in answers:
            assert answer["ok"], answer
            known = self.acks.setdefault(answer["id"], answer)
            assert known == answer
        self.head = max([self.head, *(ack["last"] or 0 for ack in self.acks.values())])

    @rule(kind=KINDS, line=LINES)
    def one(self, kind, line):
        """A new command, sent once."""
        self.note(self.answers([(self.command(kind), line)]))

    @precondition(lambda self: self.acks)
    @rule(which=st.integers(0, 1000), line=LINES, altered=st.booleans())
    def again(self, which, line, altered):
        """An old command again, perhaps with other words: answered as before, and not done."""
        old = self.commands[list(self.acks)[which % len(self.acks)]]
        if altered:
            old = {"id": old["id"], "do": "chat.send", "text": "something else", "to": "all"}
        self.note(self.answers([(old, line)]))

    @rule(
        kinds=st.lists(KINDS, min_size=1, max_size=3),
        places=st.lists(st.tuples(st.integers(0, 2), LINES), min_size=2, max_size=8),
    )
    def burst(self, kinds, places):
        """New commands, each several times over all lines and in any order, all at once."""
        commands = [self.command(kind) for kind in kinds]
        self.note(self.answers([(commands[n % len(commands)], line) for n, line in places]))

    @rule(lines=st.lists(LINES, min_size=3, max_size=5))
    def choose_too_early(self, lines):
        """A choice that overtakes its roll is refused without a trace; sent again, it is made."""
        roll = f"r{1 + sum(event['kind'] == 'roll.started' for event in self.log())}"
        choice = {"id": secrets.token_urlsafe(9), "do": "roll.choose", "roll": roll, "number": 0}
        (early,) = self.answers([(choice, lines[0])])
        assert not early["ok"]
        self.note(self.answers([(self.command("push"), lines[1])]))
        if self.log()[-1]["body"]["after"]["step"] == "choice":
            self.commands[choice["id"]] = choice
            self.note(self.answers([(choice, line) for line in lines[2:]]))

    @rule(line=st.integers(0, 1))
    def reconnect(self, line):
        """A socket breaks; the new one goes on from the model's head, at the other process."""
        self.sockets[line].close()
        address = self.addresses[secrets.randbelow(2)]
        self.sockets[line] = Listener(self.person, self.head, address)

    def log(self):
        """The whole log."""
        return self.person.log()["events"]

    @invariant()
    def the_stretches_cover_the_log(self):
        """Every event belongs to exactly one command."""
        seqs = sorted(
            seq
            for ack in self.acks.values()
            if ack["first"] is not None
            for seq in range(ack["first"], ack["last"] + 1)
        )
        assert list(range(self.begun + 1, self.head + 1)) == seqs

    def teardown(self):
        """The log is the model, its chain holds, and a sheet went from value to value."""
        for socket in self.sockets:
            socket.close()
        log = self.person.log()
        self.table.close()
        events = log["events"]
        assert list(range(1, self.head + 1)) == [event["seq"] for event in events]
        assert verify_log(log).ok
        for id, ack in self.acks.items():
            self.is_told(self.commands[id], events[(ack["first"] or 1) - 1 : ack["last"]])
        name = ""
        for event in events:
            if event["kind"] == "sheet.changed" and "name" in event["body"]["changes"]:
                change = event["body"]["changes"]["name"]
                assert name == change["before"]
                name = change["after"]

    def is_told(self, command, events):
        """The stretch of a command tells of it and of nothing else."""
        kinds = [event["kind"] for event in events]
        if command["do"] == "chat.send":
            assert ["chat.sent"] == kinds
            assert [command["text"]] == [text["text"] for text in events[0]["texts"].values()]
        elif command["do"] == "sheet.change":
            assert ["sheet.changed"] == kinds
            assert command["values"]["name"] == events[0]["body"]["changes"]["name"]["after"]
        elif command["do"] == "roll.start":
            assert ["roll.started", "roll.thrown"] == kinds
            assert command["nonce"] == events[0]["body"]["call"]["number"]
            assert events[0]["seq"] == events[1]["body"]["fair"]["call"]
        else:
            assert "roll.chosen" == kinds[0]
            assert command["roll"] == events[0]["body"]["roll"]


@pytest.fixture(scope="module")
def servers():
    """Two processes on PostgreSQL and Redis."""
    with two_apps() as servers:
        yield servers


@pytest.mark.parametrize("tries", first([6, 20]))
def test_commands_happen_exactly_once(servers, tries):
    """Duplicated, reordered and retried commands of one seat over four lines to two processes."""

    class AtOurServers(Once):
        addresses = tuple(app.address for app in servers.apps)

    run_state_machine_as_test(
        AtOurServers,
        settings=settings(
            max_examples=tries,
            stateful_step_count=14,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_what_one_process_acknowledged_the_other_knows(servers):
    """A command that builds on an acknowledged one is never refused by a process that lags behind.

    Redis is gone, so that no news reaches the other process by itself.
    """
    one, other = [app.address for app in servers.apps]
    servers.redis.kill9()
    table = found([one])
    socket = Listener(table.referee, 0, other)
    for number in range(5):
        values = {"name": f"Somebody {number}"}
        (made,) = table.referee.do("sheet.create", sheet="npc", values=values)
        sheet = made["body"]["sheet"]
        command = {"id": f"change-{number}", "do": "sheet.change", "sheet": sheet}
        socket.send({"command": {**command, "values": {"name": "Somebody else"}}})
        socket.until(lambda id=command["id"]: socket.acks(id))
        assert socket.acks(command["id"])[0]["ok"]
    socket.close()
    table.close()
    servers.redis.start()
