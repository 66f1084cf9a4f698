"""A game's folder from outside is the same game over HTTP, with its answers counted by workers."""

import sys

import pytest

from rollwright.client import Server
from tests.archive.make import SHEETS
from tests.drafts import drafted
from tests.server.guests import API, CLIENT, Serving
from tests.twins.packages import GAMES, TWINS, alike
from tests.twins.test_twins import LANGUAGES, called, requests


@pytest.fixture(scope="module")
def serving(site, tmp_path_factory):
    """A server that has the twins installed."""
    with Serving(tmp_path_factory.mktemp("served") / "table.sqlite") as server:
        yield server


def asked(serving, method, path, body=None):
    """What came back: how it ended, and the answer."""
    found = CLIENT.request(method, f"{serving.address}{API}{path}", json=body)
    return [found.status_code, found.json()]


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_http_answers_alike(serving, game):
    """The description with card and words, forms, rolls, odds, advice and refusals."""

    def answered(name):
        found = [
            asked(serving, "GET", f"/games/{name}?language={language}") for language in LANGUAGES
        ]
        for roll, request in requests(game).items():
            about = {"request": called(name, request)}
            seeded = {"seed": "twin", "policy": "best"}
            told = [{**about, **seeded, "language": language} for language in LANGUAGES]
            found += [asked(serving, "POST", "/roll", body) for body in told]
            found += [
                asked(serving, "POST", "/form", {"game": name, "draft": {"roll": roll}}),
                asked(serving, "POST", "/odds", {**about, "where": "nothing_like_it"}),
                asked(serving, "POST", "/preview", {**about, "parts": ["odds"]}),
            ]
        first = {"request": called(name, next(iter(requests(game).values())))}
        found += [asked(serving, "POST", path, first) for path in ("/odds", "/advise")]
        return found

    alike(game, answered)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_answers_alike(serving, game):
    """A sheet, its card, a form and a preview of it, and a true log."""
    values, draft = SHEETS[game]

    def answered(name):
        with Server(serving.address) as server:
            table = server.create_table(name, name="Ana")
            bo = server.join(table.links["player"], name="Bo")
            bo.do("sheet.create", values=values)
            bo.roll(draft=drafted(draft), sheet=bo.seat, physical=True)
            sheet = bo.snapshot()["sheets"]
            preview = bo.preview(draft=drafted(draft), parts=["odds"])
            report = server.verify(log=table.log())
            assert report["true"], report
            return [sheet, preview, [one["kind"] for one in bo.events()]]

    alike(game, answered)


@pytest.mark.long
def test_a_server_knows_the_games_of_its_own_start(site, tmp_path, monkeypatch):
    """One that was asked before a package was installed keeps nothing from one started after."""
    name = TWINS[GAMES[0]]
    before = [folder for folder in sys.path if folder != str(site)]
    with monkeypatch.context() as without:
        without.setattr(sys, "path", before)
        with Serving(tmp_path / "before.sqlite") as early:
            assert 404 == asked(early, "GET", f"/games/{name}")[0]
    with Serving(tmp_path / "after.sqlite") as late:
        assert 200 == asked(late, "GET", f"/games/{name}")[0]
