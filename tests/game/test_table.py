"""A game in one file at a table: sheets fill it in, parts are played, effects reach sheets."""

from rollwright.table.verify.log import verify_log
from tests.table.tables import Host

HERO = {"agility": 1, "hope": 2, "experiences": ["sailor"]}


def party(**fields):
    """A table with two heroes: Ash (s2) and Bo (s3)."""
    host = Host("duality", players=2, **fields)
    host.do("s2", "sheet.create", values={**HERO, "name": "Ash"})
    host.do("s3", "sheet.create", values={**HERO, "name": "Bo", "stress": 5})
    return host


def values(host, seat, *names):
    """Some fields of a sheet."""
    return [host.state.sheets[seat].values[name] for name in names]


def test_a_roll_takes_what_it_may_read_when_it_begins(duality):
    """The sheets of all who take part are written into the request, and no more of them."""
    host = party()
    draft = {"roll": "action", "set": {"trait": "agility"}, "roles": {"helper": "s3"}}
    host.do("s2", "roll.start", draft=draft, physical=True)
    request = host.state.rolls["r1"].what["request"]
    assert ("Ash", 1, 2, 0) == tuple(request[n] for n in ("name", "agility", "hope", "fear"))
    assert {"name": "@s3", "hope": 2} == request["helper"]
    assert "experiences" not in request


def test_assignments_are_effects(duality):
    """Whoever chose has agreed; all of it happens when the roll ends, and the log is true."""
    host = party()
    draft = {
        "roll": "action",
        "set": {"trait": "agility", "using": ["sailor"]},
        "roles": {"helper": "s3"},
    }
    host.do("s2", "roll.start", draft=draft, physical=True)
    host.do("s3", "roll.choose", roll="r1", option="help")
    host.do("s2", "roll.enter", roll="r1", faces=[4])
    host.do("s2", "roll.enter", roll="r1", faces=[8, 3])
    host.do("s2", "roll.choose", roll="r1", option="keep")
    assert [1] == values(host, "s2", "hope")  # paid for the experience; the roll was with fear
    assert [1] == values(host, "s3", "hope")
    assert [1] == values(host, "table", "fear")
    assert verify_log(host.log("s2")).ok
    host.do("s1", "roll.undo", roll="r1")
    assert [2] == values(host, "s2", "hope")
    assert [0] == values(host, "table", "fear")


def test_what_hits_somebody_else_waits_for_them(duality):
    """A target's marks wait until their player lets it happen."""
    host = party()
    draft = {"roll": "action", "set": {"trait": "agility"}, "roles": {"target": "s3"}}
    host.do("s2", "roll.start", draft=draft, physical=True)
    host.do("s2", "roll.enter", roll="r1", faces=[9, 7])
    host.do("s2", "roll.choose", roll="r1", option="keep")
    host.do("s2", "roll.enter", roll="r1", faces=[8])
    assert ("s3",) == host.state.rolls["r1"].waits
    host.do("s3", "roll.apply", roll="r1")
    assert [2] == values(host, "s3", "marks")
    assert verify_log(host.log("s3")).ok


def test_two_rolls_open_at_once_do_what_both_said(duality):
    """Both add to the Fear of the table."""
    host = party()
    for seat in ("s2", "s3"):
        host.do(seat, "roll.start", draft={"roll": "action", "set": {"trait": "agility"}},
                physical=True)  # fmt: skip
    for seat, roll in (("s2", "r1"), ("s3", "r2")):
        host.do(seat, "roll.enter", roll=roll, faces=[8, 3])
        host.do(seat, "roll.choose", roll=roll, option="keep")
    assert [2] == values(host, "table", "fear")


def test_a_hidden_sheet_gives_nothing_away(duality):
    """A character that the referee keeps hidden plays no part for a player."""
    host = party()
    host.do("s1", "sheet.create", values={"name": "Lurker", "major": 3}, sheet="npc", shown=False)
    (hidden,) = {*host.state.sheets} - {"s2", "s3", "table"}
    draft = {"roll": "action", "set": {"trait": "agility"}, "roles": {"target": hidden}}
    host.refused("s2", "roll.start", draft=draft, physical=True)
    host.do("s1", "roll.start", draft=draft, physical=True)


def test_whoever_takes_a_choice_back_has_not_agreed(duality):
    """The next one who decides in that part is asked for."""
    host = party()
    draft = {"roll": "action", "set": {"trait": "agility"}, "roles": {"helper": "s3"}}
    host.do("s2", "roll.start", draft=draft, physical=True)
    host.do("s3", "roll.choose", roll="r1", option="help")
    assert ("s3",) == host.state.rolls["r1"].chose
    host.do("s3", "roll.take_back", roll="r1")
    assert () == host.state.rolls["r1"].chose


def test_logs_with_hidden_and_changed_sheets_are_true(duality):
    """For the referee, who saw the sheet, and for a player, who did not."""
    host = party()
    host.do("s1", "sheet.create", values={"name": "Lurker", "major": 3}, sheet="npc", shown=False)
    (hidden,) = {*host.state.sheets} - {"s2", "s3", "table"}
    host.do("s1", "sheet.create", values={"name": "Watch", "agility": 2}, sheet="npc", shown=True)
    draft = {"roll": "action", "set": {"trait": "agility"}, "roles": {"target": hidden}}
    host.do("s1", "roll.start", draft=draft, sheet="n1", physical=True)
    assert 3 == host.state.rolls["r1"].what["request"]["target"]["major"]
    host.do("s1", "roll.enter", roll="r1", faces=[9, 9])
    host.do("s1", "roll.choose", roll="r1", option="keep")
    host.do("s1", "roll.enter", roll="r1", faces=[8])
    assert [3] == values(host, hidden, "marks")
    for seat in ("s1", "s2"):
        report = verify_log(host.log(seat))
        assert report.ok, report.problems
    host.do("s2", "sheet.change", sheet="s2", values={"agility": 4})
    host.do("s2", "roll.start", draft={**draft, "roles": {"helper": "s3"}}, physical=True)
    host.do("s3", "roll.choose", roll="r2", option="stay out")
    assert verify_log(host.log("s3")).ok
