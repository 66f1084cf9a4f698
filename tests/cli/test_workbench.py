"""`rollwright workbench`: from this machine alone, or as a folder for any host of files."""

import subprocess
import sys
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner

from rollwright.cli.commands import workbench as module
from rollwright.cli.commands.workbench import workbench


@pytest.fixture
def page(monkeypatch, tmp_path):
    """A page that has been built."""
    folder = tmp_path / "page"
    for name in ("index.html", "workbench/index.html", "assets/page.js"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, "utf-8")
    monkeypatch.setattr(module, "PAGE", folder)
    return folder


def test_a_folder_leads_to_the_workbench(page, tmp_path):
    """Every file of the page, and a beginning that needs no server."""
    done = CliRunner().invoke(workbench, ["--to", str(tmp_path / "site")], standalone_mode=False)
    assert done.exception is None
    assert 'url=workbench/"' in (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "assets/page.js" == (tmp_path / "site" / "assets" / "page.js").read_text("utf-8")


def test_screens_below_a_page_of_somebody_lead_back_there(page, tmp_path):
    """Each says where that lies, seen from the folder; without one none does."""
    screen = page / "workbench" / "index.html"
    screen.write_text('<!doctype html>\n<html data-static lang="en">', "utf-8")
    module.export_page(tmp_path / "one")
    module.export_page(tmp_path / "other", home="../index.html")
    texts = [(tmp_path / name / "workbench/index.html").read_text() for name in ("one", "other")]
    assert ["data-home" in text for text in texts] == [False, True]
    assert '<html data-static data-home="../index.html" lang="en">' in texts[1]


def test_a_folder_that_holds_something_is_left_alone(page, tmp_path):
    """Nobody's files are overwritten."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "mine.txt").write_text("mine", "utf-8")
    done = CliRunner().invoke(workbench, ["--to", str(tmp_path / "site")])
    assert "is not empty" in done.output
    assert ["mine.txt"] == [one.name for one in (tmp_path / "site").iterdir()]


def test_a_page_that_was_not_built_is_missed(monkeypatch, tmp_path):
    """One sentence, and no server."""
    monkeypatch.setattr(module, "PAGE", tmp_path)
    done = CliRunner().invoke(workbench, [])
    assert "has not been built" in done.output
    assert done.exit_code == 2


def test_it_is_served_to_this_machine(page):
    """The address that is told answers with the screen, and the beginning leads there."""
    start = (
        "import sys; from pathlib import Path; from rollwright.cli.commands import workbench as w"
    )
    start += "; w.PAGE = Path(sys.argv[1]); w.serve(0, opens=False)"
    command = [sys.executable, "-u", "-c", start, str(page)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as served:
        try:
            address = served.stdout.readline().split()[4]
            place = urlsplit(address)
            assert place.hostname == "127.0.0.1"
            line = HTTPConnection(place.hostname, place.port, timeout=60)
            line.request("GET", "/")
            answer = line.getresponse()
            assert (302, "/workbench/") == (answer.status, answer.headers["location"])
            line = HTTPConnection(place.hostname, place.port, timeout=60)
            line.request("GET", "/workbench/")
            assert b"workbench/index.html" == line.getresponse().read()
        finally:
            served.terminate()
