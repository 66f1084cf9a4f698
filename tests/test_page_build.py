"""Building the page while the package is installed: bounded, told where people see it, optional."""

import os
import subprocess
import sys
from pathlib import Path

import hatch_build
import pytest

from tests.server.guests import wait_until

STUCK = "#!/bin/sh\nsleep 6000 &\necho $! > {pid}\nwait\n"


@pytest.fixture
def said(monkeypatch):
    """What is told on the terminal."""
    found = []
    monkeypatch.setattr(hatch_build, "say", found.append)
    return found


@pytest.fixture(autouse=True)
def web(monkeypatch, tmp_path):
    """Sources of a page, and no page yet; neither CI nor anybody asks for one."""
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / "package.json").write_text("{}", encoding="utf-8")
    (folder / "package-lock.json").write_text("{}", encoding="utf-8")
    monkeypatch.setattr(hatch_build, "WEB", folder)
    monkeypatch.setattr(hatch_build, "LOCK", folder / "package-lock.json")
    monkeypatch.setattr(hatch_build, "PAGE", tmp_path / "page")
    monkeypatch.setattr(hatch_build, "STAMP", tmp_path / "page" / "sources.txt")
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv(hatch_build.SETTING, raising=False)
    return folder


def node_that(monkeypatch, tmp_path, script):
    """A Node whose npm runs a script."""
    npm = tmp_path / "npm"
    npm.write_text(script, encoding="utf-8")
    npm.chmod(0o755)
    node = hatch_build.Node(str(npm), [str(npm)])
    monkeypatch.setattr(hatch_build, "node_on_path", lambda: node)


def hook():
    """The hook of the build, as the builder makes it."""
    return hatch_build.PageHook("", {}, None, None, "", "wheel")


def is_running(pid):
    """Whether there is such a process that has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="processes are ended one by one")
def test_a_registry_that_never_answers_is_given_up(monkeypatch, tmp_path, said):
    """The build says what it does before it waits, gives up, and leaves nothing running."""
    pid = tmp_path / "pid"
    node_that(monkeypatch, tmp_path, STUCK.format(pid=pid))
    with pytest.raises(hatch_build.PageNotBuilt, match="npm install"):
        hatch_build.build(checked=False, patience=1.0)
    assert "building the page" in said[0]
    assert "ROLLWRIGHT_PAGE=no" in said[0]
    if pid.exists() and pid.read_text():
        wait_until(lambda: not is_running(int(pid.read_text())))


def test_an_installation_says_so_and_goes_on(monkeypatch, tmp_path, said):
    """A page that cannot be built stops nobody: what is missing is told, and how to have it."""
    node_that(monkeypatch, tmp_path, "#!/bin/sh\necho no registry; exit 1\n")
    hook().initialize("standard", {})
    assert "no registry" in said[-1]
    assert "ROLLWRIGHT_PAGE=yes" in said[-1]


def test_an_installation_waits_a_minute_at_most(monkeypatch, said):
    """The patience of an installation, which nobody asked for a page."""
    asked = {}
    monkeypatch.setattr(hatch_build, "build", lambda **how: asked.update(how))
    hook().initialize("standard", {})
    assert {"checked": False, "patience": 60.0} == asked


def test_nobody_waits_for_node(monkeypatch, said):
    """Without a Node on the machine none is fetched, and the installation says what is missing."""
    monkeypatch.setattr(hatch_build, "node_on_path", lambda: None)
    monkeypatch.setattr(hatch_build, "node_from_pypi", lambda: None)
    assert [] == hook().dependencies()
    hook().initialize("standard", {})
    assert "needs Node" in said[-1]


def test_whoever_asks_for_the_page_gets_node_and_time(monkeypatch):
    """ROLLWRIGHT_PAGE=yes fetches Node where there is none, and sets no limit."""
    monkeypatch.setenv(hatch_build.SETTING, "yes")
    monkeypatch.setattr(hatch_build, "node_on_path", lambda: None)
    assert [hatch_build.NODE_FROM_PYPI] == hook().dependencies()
    asked = {}
    monkeypatch.setattr(hatch_build, "build", lambda **how: asked.update(how))
    hook().initialize("standard", {})
    assert asked["patience"] is None


def test_the_page_can_be_left_out(monkeypatch, said):
    """ROLLWRIGHT_PAGE=no builds nothing and says nothing."""
    monkeypatch.setenv(hatch_build.SETTING, "no")
    monkeypatch.setattr(hatch_build, "build", lambda **how: pytest.fail("it was built"))
    hook().initialize("standard", {})
    assert [] == said


@pytest.mark.skipif(os.name == "nt", reason="there is no lock")
def test_a_build_that_waits_for_another_gives_up_too(web, said):
    """Somebody else's build that hangs does not hold up an installation."""
    lock = (
        "import fcntl, sys; f = open(sys.argv[1]); fcntl.flock(f, 2); print(1, flush=True); input()"
    )
    path = str(web / "package.json")
    command = [sys.executable, "-c", lock, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert b"1" in other.stdout.readline()
        with pytest.raises(hatch_build.PageNotBuilt, match="another build"):
            hatch_build.build(checked=False, patience=0.5)
        other.kill()


def test_another_library_needs_no_other_page(monkeypatch, tmp_path, web):
    """Where only Python has changed, Python is packed anew and the page stays as it is."""
    library = tmp_path / "library"
    library.mkdir()
    monkeypatch.setattr(hatch_build, "LIBRARY", library)
    monkeypatch.setattr(hatch_build, "node_on_path", lambda: hatch_build.Node("node", []))
    monkeypatch.setattr(hatch_build, "fetch_packages", lambda *_: None)
    ran = []
    monkeypatch.setattr(hatch_build, "_run", lambda command, *_: ran.append(command[2:]))
    hatch_build.PAGE.mkdir()
    (hatch_build.PAGE / "index.html").write_text("", "utf-8")
    assert hatch_build.build()
    assert not hatch_build.build()
    (library / "dice.py").write_text("D6 = 6", "utf-8")
    assert hatch_build.build()
    (library / "server").mkdir()
    (library / "server" / "app.py").write_text("app = 1", "utf-8")
    assert not hatch_build.build()
    assert ran == [[], ["--library"]]
