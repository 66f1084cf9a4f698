"""The promises of the project itself: its files, its set-up and its import."""

import ast
import importlib.machinery
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import psutil
import pytest

import rollwright
from tests.docs.examples import run_examples

ROOT = Path(__file__).parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]

# Taken apart, so that this file does not hold what it forbids.
HOSTS = ["python" + "hosted", "pypi.org" + "/simple", "registry" + r"\.npmjs"]
TIED_TO_A_MACHINE = re.compile("|".join([*HOSTS, r"\B/work" + "/"]))


def project_files():
    """List what a commit could hold: from git, or, in an export, from the folder."""
    if (ROOT / ".git").exists():
        git = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(git, capture_output=True, text=True, check=True).stdout
        return [ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()]
    ignored = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    skipped = {line.strip("/") for line in ignored if line.endswith("/")}
    return [
        path
        for path in ROOT.rglob("*")
        if path.is_file() and not skipped.intersection(path.relative_to(ROOT).parts)
    ]


def dev(*arguments):
    """Run the dev script as a person would, from another folder."""
    return subprocess.run(
        [sys.executable, ROOT / "dev", *arguments],
        cwd=ROOT.parent,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
    )


@pytest.mark.long
def test_no_file_names_a_registry_host_or_a_path_of_one_machine():
    """Whoever clones the project gets nothing that holds only where it was written."""
    found = {
        str(path.relative_to(ROOT)): match.group()
        for path in project_files()
        if (match := TIED_TO_A_MACHINE.search(path.read_text("utf-8", errors="ignore")))
    }
    assert {} == found


def test_the_version_is_said_once():
    """`rollwright.__version__` is the version that is built and released."""
    assert SETTINGS["project"]["version"] == rollwright.__version__


def test_the_changelog_tells_of_this_version():
    """The changelog has a section for the version in pyproject.toml."""
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"\n## {SETTINGS['project']['version']} " in changelog


def test_the_core_requires_no_package():
    """Installing rollwright installs rollwright alone."""
    assert [] == SETTINGS["project"]["dependencies"]


@pytest.mark.parametrize("name", ["dev", "uv"])
def test_requirements_are_pinned_with_hashes(name):
    """Every compiled requirement states one version and at least one hash."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    entries = re.split(r"\n(?=\w)", re.sub(r"^\s*#.*\n?", "", text, flags=re.M).strip())
    assert entries
    for entry in entries:
        assert re.match(r"[\w.-]+==[\w.]+( ; [^\n]+)? \\\n    --hash=sha256:[0-9a-f]{64}", entry)


@pytest.mark.parametrize("name", ["dev", "uv"])
def test_every_wanted_package_is_pinned(name):
    """A requirement cannot be added without compiling it: ./dev lock."""
    wanted = (ROOT / "requirements" / f"{name}.in").read_text("utf-8")
    pinned = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    packages = set(re.findall(r"^[\w-]+", wanted, re.M))
    assert packages <= set(re.findall(r"^[\w-]+(?===)", pinned, re.M))


@pytest.mark.skipif(os.name == "nt", reason="nobody sends SIGTERM there")
def test_what_dev_runs_ends_with_it():
    """Ended by SIGTERM, it leaves no server behind that goes on for nobody."""
    command = [sys.executable, ROOT / "dev", "run", "http.server", "--bind=127.0.0.1", "0"]
    said = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, env=said, stdout=subprocess.PIPE) as dev:
        try:
            assert dev.stdout.readline().startswith(b"Serving HTTP")
            [child] = psutil.Process(dev.pid).children()
            dev.terminate()
            dev.wait(60)
            assert not child.is_running()
        finally:
            dev.kill()


def test_dev_needs_the_standard_library_only():
    """./dev runs where nothing has been installed yet."""
    tree = ast.parse((ROOT / "dev").read_text("utf-8"))
    imported = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or ".").partition(".")[0])
    assert set() == imported - set(sys.stdlib_module_names)


def test_dev_refuses_an_unknown_command_in_one_line():
    """A slip is met with one line, a guess, and exit code 2."""
    done = dev("tset")
    assert 2 == done.returncode
    assert 'dev: there is no command "tset". Did you mean "test"?\n' == done.stderr
    assert 1 == len(dev("nonsense").stderr.splitlines())


def test_dev_explains_itself():
    """./dev alone and ./dev help say what there is, without setting anything up."""
    assert dev().stdout == dev("help").stdout
    assert "./dev test" in dev().stdout


def dev_module(folder):
    """The dev script as a module that keeps its files in a folder of ours."""
    loader = importlib.machinery.SourceFileLoader("dev", str(ROOT / "dev"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("dev", loader))
    loader.exec_module(module)
    module.HOME = folder
    return module


def test_a_table_from_a_clone_is_kept_in_the_clone(tmp_path, monkeypatch):
    """In .dev/, unless an option or a variable says where."""
    script = dev_module(tmp_path)
    runs = []
    monkeypatch.setattr(script, "run", lambda *words: runs.append(words) or 0)
    monkeypatch.setattr(script, "page", lambda: 0)
    for name in ("ROLLWRIGHT_DATABASE", "ROLLWRIGHT_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    script.table("--port", "0")
    assert ("--database", str(tmp_path / "table.sqlite"), "--port", "0") == runs[-1][2:]
    script.table("--database=mine.sqlite")
    assert ("--database=mine.sqlite",) == runs[-1][2:]
    monkeypatch.setenv("ROLLWRIGHT_DATABASE", "mine.sqlite")
    script.table()
    assert () == runs[-1][2:]


def test_flaky_names_what_failed_in_some_runs(tmp_path, monkeypatch, capsys):
    """A test that fails in one run of two is told with its count; one that never does is not."""
    script = dev_module(tmp_path)
    runs = []

    def run(*arguments):
        runs.append(arguments)
        [report] = [word.partition("=")[2] for word in arguments if word.startswith("--junitxml=")]
        bad = "<failure/>" if len(runs) == 1 else ""
        case = '<testcase classname="tests.test_a" name="{}">{}</testcase>'
        cases = case.format("test_steady", "") + case.format("test_shaky", bad)
        Path(report).write_text(f"<testsuite>{cases}</testsuite>", "utf-8")
        return len(runs) % 2

    monkeypatch.setattr(script, "test", run)
    assert 1 == script.flaky("2", "tests/page")
    assert ["tests/page", "tests/page"] == [arguments[-1] for arguments in runs]
    told = ["failed in 1 of 2 runs: tests.test_a::test_shaky", "1 tests failed in some of 2 runs."]
    assert told == capsys.readouterr().out.splitlines()
    assert 0 == script.flaky("1")


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (["--quick", "tests/server"], "not storm and not browser and not long and not thorough"),
        (["-q"], "not thorough"),
        (["-q", "--all"], None),
        (["tests/page/test_twins.py"], None),
    ],
)
def test_a_gate_leaves_out_what_is_marked(tmp_path, monkeypatch, arguments, asked):
    """What repeats a promise is run with `--all`, or where its file is named."""
    script = dev_module(tmp_path)
    runs = []
    monkeypatch.setattr(script, "run", lambda *words: runs.append(words) or 0)
    script.test_python(*arguments)
    words = list(runs[-1])
    assert asked == (words[words.index("-m") + 1] if "-m" in words else None)
    assert set(arguments) - {"--quick", "--all"} <= set(words)


@pytest.mark.parametrize(
    ("arguments", "workers"),
    [
        (["tests/page/test_twins.py::test_it", "-k", "drawn"], False),
        (["tests/page/test_twins.py", "tests/test_project.py"], True),
        (["tests/page"], True),
        (["-q"], True),
    ],
)
def test_one_file_is_run_in_one_process(tmp_path, monkeypatch, arguments, workers):
    """A worker takes a whole file, so that of one file all others would only wait."""
    script = dev_module(tmp_path)
    runs = []
    monkeypatch.setattr(script, "run", lambda *words: runs.append(words) or 0)
    script.test_python(*arguments)
    assert workers == ("-n" in runs[-1])


def test_the_marks_of_the_gates_are_known():
    """Whatever `./dev test` leaves out by its mark is a mark."""
    known = {
        line.partition(":")[0] for line in SETTINGS["tool"]["pytest"]["ini_options"]["markers"]
    }
    assert {"storm", "browser", "long", "thorough"} == known


def test_the_docs_name_only_commands_that_exist():
    """Every `./dev COMMAND` in the pages can be run, and CONTRIBUTING.md has them all."""
    offered = set(re.findall(r"^  \./dev (\w+)", dev("help").stdout, re.M))
    told = {page: set(re.findall(r"\./dev (\w+)", page.read_text("utf-8"))) for page in PAGES}
    assert set() == set().union(*told.values()) - offered - {"help"}
    assert offered <= told[ROOT / "CONTRIBUTING.md"]


def test_ci_runs_the_test_command_of_the_readme():
    """What CI runs is what a reader is told to run."""
    script = (ROOT / ".ci" / "run").read_text("utf-8").splitlines()
    assert "./dev test" == script[-1]
    assert "./dev test" in (ROOT / "README.md").read_text("utf-8")


ELSEWHERE = ROOT / "docs" / "howto" / "cookbook.md"
"""Run by `tests/docs/test_cookbook.py`, which counts what its examples leave behind again."""
OTHERS = [page for page in PAGES if page != ELSEWHERE]


@pytest.mark.long
@pytest.mark.parametrize("page", OTHERS, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_examples_of_a_page_work(page):
    """A page's Python examples run from top to bottom and print what they show."""
    run_examples(page)


def test_importing_rollwright_loads_nothing_heavy():
    """`import rollwright` stays near the start of bare Python: what costs time comes on use."""
    heavy = ["dataclasses", "fractions", "inspect", "importlib.metadata", "rollwright.games"]
    code = f"import sys, rollwright; print([n for n in {heavy} if n in sys.modules])"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "[]" == done.stdout.strip()


SCRIPTS = {".ts", ".tsx", ".js", ".mjs", ".css", ".html"}
LONGEST_LINE = 120


def test_no_line_of_the_page_is_too_long_to_read():
    """120 characters are the most: Biome breaks what it can, and leaves long texts as they are."""
    of_ours = [ROOT / folder for folder in ("web", "tests", "benchmarks")]
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in project_files()
        if path.suffix in SCRIPTS and any(path.is_relative_to(folder) for folder in of_ours)
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > LONGEST_LINE
    ]
    assert [] == long
