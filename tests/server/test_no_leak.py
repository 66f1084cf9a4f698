"""Nobody learns a secret before its time: every byte on every path is searched for it."""

import re

import pytest

from rollwright.table.fairness import HEAD_DIGITS, commitment_of, slot_of
from rollwright.table.verify.log import verify_log
from tests.server.harness import Listener, found, nonce, two_apps, waits_for
from tests.server.harness_evening import OPPOSED, Evening, meddle
from tests.server.harness_secrets import (
    found_in,
    opened_digests,
    opened_seals,
    opened_slots,
    slots_of,
    values_in,
)

pytestmark = pytest.mark.storm

ATTACK = {
    "game": "twilight2000",
    "roll": "attack",
    "attribute": "A",
    "skill": "A",
    "rounds": 30,
}
TIME = re.compile(r"\b1[0-9]{12}\b|20[0-9]{2}-[0-9-]{5}(T[0-9:]+Z)?|\b[0-9]{2}:[0-9]{2}\b")
SECRET = [(how, announce) for how in ("private", "blind", "hidden") for announce in (True, False)]


def leaks(evening, kept, since):
    """Secrets in what people heard since then who should not hear them."""
    told = []
    public = told_to_everybody(evening.referee.log())
    for person in evening.everybody:
        secret = [secret for secret, hearers in kept if person not in hearers]
        before = " ".join(said for _, said in person.heard[: since[person]])
        texts = {text for one in secret for text in one.texts if text not in before}
        texts -= public
        numbers = {number for one in secret for number in one.numbers}
        assert all(one.event["salt"] in texts for one in secret)
        told += [(person.seat, *leak) for leak in found_in(person.heard, texts, numbers)]
    return told


def told_to_everybody(log):
    """Slots, and what calls say of the last event seen: everybody hears them with other events."""
    heads = {event["hash"][:HEAD_DIGITS] for event in log["events"]}
    slots = [event["open"].get("slots", {}) for event in log["events"]]
    return heads.union(*(said.values() for said in slots))


def opened_by_guessing(evening, kept):
    """Secrets that somebody could open who guessed their whole contents."""
    told = []
    slots = slots_of(evening.referee.log())
    for person in evening.everybody:
        values = values_in(person.heard)
        for secret, hearers in kept:
            if person not in hearers:
                told += opened_digests(secret.event, values) | opened_seals(secret.event, values)
                if secret.key:
                    mine = slot_of(bytes.fromhex(secret.key))
                    told += opened_slots(values, {mine}, 1 + slots.index(mine))
    return told


def test_no_byte_on_any_path_tells_a_secret():
    """Faces, outcome, request, note, key and salt of a secret reach its audience alone.

    Searched are all frames and answers of every other seat, spectator and stranger, refusals
    included, the bus and the logs; in the clear, as hex and as base64. Nothing that anybody
    heard opens a digest, a seal or a commitment. Revealed, everything verifies.
    """
    with two_apps(log_level="debug") as servers:
        evening = Evening(servers)
        try:
            play(evening)
        finally:
            evening.close()


def play(evening):
    """The evening from its first secret to the end."""
    evening.play_openly()
    for person in evening.everybody:
        evening.look_everywhere(person)
    since = {person: len(person.heard) for person in evening.everybody}
    sheet = sheet_of(evening.roller, evening.other)
    rolls = [evening.roll_in_secret(*how) for how in SECRET]
    rolls += evening.hurt_in_secret()
    assert sheet == sheet_of(evening.roller, evening.other)
    assert sheet == sheet_of(evening.roller, evening.referee)
    evening.whisper()
    unrevealed = [evening.hide_somebody(), evening.ask_in_secret()]
    opposed = evening.oppose()
    look_again(evening, [*rolls, *unrevealed, opposed])
    nothing_is_known(evening, evening.kept, since)
    evening.referee.do("roll.choose", roll=opposed, number=0, nonce=nonce())
    for roll in rolls:
        evening.referee.do("roll.reveal", roll=roll)
    look_again(evening, [])
    assert sheet != sheet_of(evening.roller, evening.other)
    nothing_is_known(evening, evening.lasting, since)
    everything_else_is_known(evening)


def sheet_of(owner, viewer):
    """Somebody's sheet as somebody sees it."""
    return [sheet for sheet in viewer.get("").json["sheets"] if sheet["sheet"] == owner.seat]


def look_again(evening, rolls):
    """Everybody looks everywhere, by new sockets too."""
    people = [evening.referee, evening.roller, evening.other, evening.guest, evening.watcher]
    for after in (None, 0):
        evening.listen(people, after)
    for person in evening.everybody:
        evening.look_everywhere(person, rolls)
    evening.settle()


def nothing_is_known(evening, kept, since):
    """No secret stands anywhere, and none can be opened."""
    assert [] == leaks(evening, kept, since)
    assert [] == opened_by_guessing(evening, kept)
    texts = {text for secret, _ in kept for text in secret.texts if " " in text or len(text) > 40}
    texts |= {person.token for person in evening.everybody} - {""}
    numbers = {number for secret, _ in kept for number in secret.numbers}
    assert [] == found_in([*evening.bus.heard, *evening.told_by_servers()], texts, numbers)
    assert len(evening.bus.heard) > len(kept)


def everything_else_is_known(evening):
    """What was revealed is the same for everybody at the table, and their logs verify."""
    whole = evening.referee.log()["events"]
    lasting = {secret.event["seq"] for secret, _ in evening.lasting}
    for person in (evening.roller, evening.other, evening.guest, evening.watcher):
        log = person.log()
        report = verify_log(log)
        assert report.ok, report.sentences()
        hearing = {secret.event["seq"] for secret, hearers in evening.lasting if person in hearers}
        withheld = {event["seq"] for event in log["events"] if "body" not in event}
        assert lasting - hearing == withheld
        assert [event for event in log["events"] if event["seq"] not in withheld] == [
            event for event in whole if event["seq"] not in withheld
        ]


def masked(heard, table):
    """What somebody heard, in order by path, without what differs between any two evenings."""
    told = []
    for path, said in heard:
        said = re.sub(r"(?m)^date: .*$", "", said)
        said = re.sub(r"[0-9a-f]{64}", "H", said)
        said = TIME.sub("T", said)
        said = re.sub(r'"id":"[^"]+"', '"id":', said)
        told.append((path.replace(table, ""), said.replace(table, "")))
    return sorted(told)


def outsider_hears(address, act):
    """Everything that a player hears of what happens at a table, without what always differs."""
    table = found([address])
    roller, other = table.join("Roller"), table.join("Other")
    other.do("witness.commit", commitments=[nonce() for _ in range(8)])
    listener = Listener(other, 0)
    listener.until(lambda: any("present" in frame for frame in listener.frames))
    act(table, roller)
    events = table.referee.log()["events"]
    last = events[-1]["seq"]
    listener.until(lambda: last in listener.seqs)
    silent = [f"r0{event['seq']}" for event in events if event["kind"] == "sealed"]
    roll = silent[0] if silent else "r1"
    for path in ("", "/events?after=0", "/log.json", "/history.md", "/history.csv", "/statistics"):
        other.get(path)
    for path in (
        "/recap",
        "/history.md?for=me",
        f"/rolls/{roll}/text",
        f"/rolls/{roll}/text?for=me",
    ):
        other.get(path)
    other.post(f"/rolls/{roll}/advice", {})
    meddle(other, roll)
    listener.close()
    table.close()
    return masked(other.heard, table.id)


@pytest.mark.parametrize(("visibility", "announce"), SECRET)
def test_two_secret_rolls_look_the_same_from_outside(address, visibility, announce):
    """Nothing that others get depends on a secret roll: not its dice, its note, its options.

    Of an unannounced one not even whether it is over or waits at a choice.
    """
    how = {"visibility": visibility, "announce": announce}

    def rolled(**fields):
        def act(table, roller):
            assert roller.tries("roll.start", nonce=nonce(), **fields, **how)["ok"]

        return outsider_hears(address, act)

    def waiting(ammo_dice):
        request = {**ATTACK, "ammo_dice": ammo_dice}
        steps = []

        def act(table, roller):
            answer = roller.tries("roll.start", nonce=nonce(), request=request, **how)
            knows = table.referee if visibility == "blind" else roller
            steps.append(waits_for(knows.log()["events"][answer["first"] - 1 :])[1]["step"])

        while "choice" not in steps[-1:]:  # seldom no die is left that can be pushed
            heard = outsider_hears(address, act)
        return heard

    small = rolled(expression="1d6")
    assert small == rolled(expression="40d100 [a whole barrage] + 7", note="x" * 300)
    assert waiting(4) == (waiting(6) if announce else small)


def test_the_metrics_do_not_tell_what_a_silent_roll_is(address):
    """Who may read the metrics learns of an unannounced roll only that something was sealed."""
    table = found([address])

    def counted():
        page = table.referee.ask("GET", "/metrics").text
        return dict(re.findall(r"(?m)^(rollwright_(?:events|rolls)_total\S*) (\S+)$", page))

    before = counted()
    how = {"visibility": "private", "announce": False}
    table.referee.do("roll.start", expression="1d6", nonce=nonce(), **how)
    grown = {name for name, number in counted().items() if before.get(name) != number}
    assert {'rollwright_events_total{kind="sealed"}'} == grown
    table.close()


def test_a_throw_that_the_rule_hides_changes_nothing_outside(address):
    """While an opposed roll waits, everybody but the referee gets the same whatever lies hidden.

    The faces are typed in, so that only the hidden one differs.
    """

    def rolled(hidden):
        def act(table, roller):
            events = roller.do("roll.start", request=OPPOSED, physical=True)
            roll, _ = waits_for(events)
            table.referee.do("roll.enter", roll=roll, faces=[6, 4])
            _, after = waits_for(table.referee.do("roll.enter", roll=roll, faces=[hidden]))
            assert "choice" == after["step"]

        return act

    assert outsider_hears(address, rolled(1)) == outsider_hears(address, rolled(7))


def test_a_push_cannot_be_computed_before_its_choice(address):
    """Before the choice nothing that anybody has heard opens the slot that the push will spend.

    Afterwards its key does, and neither it nor the witness's number had been sent before.
    """
    table = found([address], witnesses=True)
    roller, witness = table.join("Roller"), table.join("Witness")
    people = [table.referee, roller, witness, table.watcher()]
    listeners = [Listener(person) for person in people]
    request = {"game": "twilight2000", "roll": "skill", "attribute": "A", "skill": "A"}
    numbers = {}

    def witnessed(events):
        """The events of dice that waited for the witness, and the number that they waited for."""
        asked, offer = events[0]["seq"], events[0]["open"]["witness"]["offer"]
        return witness.do("witness.reveal", asked=asked, number=numbers[offer]), numbers[offer]

    for _ in range(5):
        fresh = {commitment_of(bytes.fromhex(number)): number for number in (nonce(), nonce())}
        numbers |= fresh
        witness.do("witness.commit", commitments=[*fresh])
        events, _ = witnessed(roller.do("roll.start", request=request, nonce=nonce()))
        roll, after = waits_for(events)
        if after["step"] != "choice":
            continue
        roller.post(f"/rolls/{roll}/advice", {})
        for person in people:
            person.get("")
            last = person.log()["events"][-1]
        for listener in listeners:
            listener.until(lambda heard=listener, seq=last["seq"]: seq in heard.seqs)
        slots = slots_of(person.log())
        committed, number = slots[-1], len(slots)
        heard = [said for person in people for said in person.heard]
        values = values_in(heard)
        assert committed in values
        assert set() == opened_slots(values, {committed}, number)
        push = after["count"] - 1
        chosen = roller.do("roll.choose", roll=roll, number=push, nonce=nonce())
        assert committed == chosen[0]["body"]["call"]["slot"]
        assert witness.seat == chosen[0]["open"]["witness"]["seat"]
        events, told = witnessed(chosen)
        fair = next(event["body"]["fair"] for event in events if event["kind"] == "roll.thrown")
        assert committed == slot_of(bytes.fromhex(fair["key"]))
        assert commitment_of(bytes.fromhex(told)) in values
        assert [] == found_in(heard, {fair["key"], told}, ())
    for listener in listeners:
        listener.close()
    table.close()
