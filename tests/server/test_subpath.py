"""A server below a path of its host: what it serves there, and what it refuses to be called."""

import json
import re

import pytest
from starlette.routing import Mount

from rollwright.client import Server
from rollwright.server.app import create_app
from rollwright.server.routes.site import PageFiles
from rollwright.server.settings import OWN_PATHS, BadSetting, Settings
from tests.server.guests import API, CLIENT, Founded, Line, Serving

PAGE = '<script src="/assets/page.js"></script><link href="/manifest.webmanifest">'


@pytest.fixture(scope="module")
def serving(tmp_path_factory):
    """A server that a proxy serves below /dice/table."""
    folder = tmp_path_factory.mktemp("below")
    with Serving(folder / "table.sqlite", root_path="/dice/table") as server:
        yield server


@pytest.mark.parametrize("prefix", ["", "/dice/table"])
def test_everything_is_reached_with_the_path_and_without_it(serving, prefix):
    """Proxies leave the path on or cut it off: API, sockets and health are there either way."""
    address = serving.address + prefix
    for path in ("/health", "/ready", f"{API}/games", f"{API}/openapi.json"):
        assert 200 == CLIENT.get(address + path).status_code
    with Server(address) as server:
        table = server.create_table("dust", name="Ana")
        assert f"{address}/t/{table.id}#" in str(table.links["player"])
        assert server.join(table.links["player"], name="Bo").roll("1d6")
    table = Founded(address)
    with Line(table.referee) as line:
        table.referee.rolls()
        assert line.until("events")


def test_addresses_that_the_server_tells_have_the_path(serving):
    """The document of the API, its links, and where one is sent who left out the last stroke."""
    told = CLIENT.get(f"{serving.address}{API}/openapi.json").json()
    assert [{"url": "/dice/table"}] == told["servers"]
    links = CLIENT.get(f"{serving.address}/dice/table{API}/").json()["links"]
    assert f"/dice/table{API}/games" == links["games"]
    moved = CLIENT.get(f"{serving.address}/dice/table")
    assert (308, "/dice/table/") == (moved.status_code, moved.headers["location"])
    assert "default-src 'none'" in moved.headers["content-security-policy"]


def test_the_page_names_its_files_below_the_path(tmp_path):
    """And a path that only begins alike is another one."""
    (tmp_path / "index.html").write_text(PAGE, "utf-8")
    plain, below = PageFiles(tmp_path), PageFiles(tmp_path, root_path="/dice")
    assert PAGE.encode() == plain.files["index.html"].body
    named = re.findall(r'="([^"]*)"', below.files["index.html"].body.decode())
    assert ["/dice/assets/page.js", "/dice/manifest.webmanifest"] == named
    assert plain.files["index.html"].tag != below.files["index.html"].tag


def test_a_path_that_begins_alike_is_another_one(serving):
    """Nothing of the API lies at /dice/tables."""
    assert 405 == CLIENT.post(f"{serving.address}/dice/tables{API}/roll").status_code


@pytest.mark.parametrize(
    "path", ["dice", "/dice/", "/", "/a b", "/dice?x", "//dice", "/../x", "/api", "/t/dice"]
)
def test_a_path_that_cannot_be_told_apart_is_refused(path):
    """With what would do instead."""
    with pytest.raises(BadSetting, match=r"/dice.* would do"):
        Settings(root_path=path)


def test_no_path_of_the_server_can_be_its_root_path():
    """The names that are refused are all that its routes and the files of its page begin with."""
    routes = [route for route in create_app(Settings()).routes if route.path != "/{path:path}"]
    begin = {route.path.split("/")[1] for route in routes}
    assert any(isinstance(route, Mount) for route in routes)
    folders = {name.split("/")[0] for name in PageFiles().files if "/" in name}
    screens = {"explore", "overlay", "roll", "t", "verify", "workbench"}
    assert begin | folders | screens == OWN_PATHS


def test_the_access_log_knows_routes_below_the_path(tmp_path):
    """A request is told by its route, as without a path, and not as something unknown."""
    log = tmp_path / "access.log"
    settings = {"root_path": "/dice", "access_log": str(log)}
    with Serving(tmp_path / "table.sqlite", **settings) as server:
        for path in (f"{API}/games", f"/dice{API}/games"):
            assert 200 == CLIENT.get(server.address + path).status_code
    told = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert [f"{API}/games"] * 2 == [line["route"] for line in told]
