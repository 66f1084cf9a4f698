"""The container image: linted, its steps done, its command run, healthy, stopped and run again."""

import json
import re
import signal
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from rollwright.client import Server
from rollwright.server.settings import PREFIX, SETTINGS, settings_from
from tests.deploy.containers import ROOT, built, files_below, is_healthy, read_steps
from tests.server.guests import CLIENT, wait_until
from tests.server.parts import free_port

pytestmark = pytest.mark.storm

DEPLOY = ROOT / "deploy"
FILE = DEPLOY / "Containerfile"
PIN = re.compile(r"^([\w.-]+)(?:\[[^]]*\])?==([^\s;]+)", re.M)


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """The image as far as its steps make it."""
    return built(FILE, tmp_path_factory.mktemp("image"))


def compose():
    """What compose.yaml says."""
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


def test_the_linter_has_nothing_to_say():
    """Of hadolint, warnings and hints included."""
    linter = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([linter, "--no-color", FILE], capture_output=True, text=True)
    assert (0, "") == (done.returncode, done.stdout)


def test_the_image_runs_without_being_root():
    """By a number, which owns the folder of the data and nothing else."""
    steps = read_steps(FILE)
    user = next(step.text for step in steps if step.name == "USER")
    assert re.fullmatch(r"([1-9]\d+):\1", user)
    assert any(f"chown {user} /data" in step.text for step in steps if step.name == "RUN")
    after = [step.name for step in steps[[step.name for step in steps].index("USER") :]]
    assert not {"RUN", "COPY", "ADD"} & set(after)


def test_the_steps_of_the_image_lead_to_a_server(image, tmp_path):
    """It is installed from its wheel with its page, serves, is healthy, ends when told, and keeps.

    Nothing is written but to /data, so that the rest of it may be read-only.
    """
    [wheel] = (image.folder / "wheels").glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        assert "rollwright/server/page/index.html" in packed.namelist()
    assert (image.packages / "rollwright" / "server" / "page" / "index.html").exists()
    port = str(free_port())
    variables = {**image.variables, "ROLLWRIGHT_PORT": port, "ROLLWRIGHT_TABLES": "anybody"}
    data, before = image.folder / "data", files_below(image.folder)
    with (tmp_path / "said.txt").open("w") as said:
        process = subprocess.Popen(
            image.command(), env=variables, cwd=image.workdir, stdout=said, stderr=said
        )
    try:
        wait_until(lambda: is_healthy(image, variables))
        address = f"http://127.0.0.1:{port}"
        assert '<div id="page">' in CLIENT.get(address).text
        with Server(address) as server:
            assert server.create_table("dust", name="Ana").roll("1d6")
        process.send_signal(getattr(signal, image.told["STOPSIGNAL"]))
        assert 0 == process.wait(60)
    finally:
        process.kill()
        process.wait()
    assert not is_healthy(image, variables)
    changed = files_below(image.folder).items() - before.items()
    assert [] == [path for path, _ in changed if not path.startswith(str(data))]
    command = image.command("db", "status", "--json")
    told = subprocess.run(command, env=variables, capture_output=True, check=True).stdout
    assert 1 == json.loads(told)["tables"]


def test_the_health_check_of_the_services_is_a_command(image):
    """It fails where nobody serves, without hanging."""
    test = compose()["services"]["app"]["healthcheck"]["test"]
    words = [word.replace("7655", str(free_port())) for word in test[1:]]
    assert 1 == subprocess.run(words, env=image.variables, capture_output=True).returncode


def test_the_pins_of_the_image_are_those_that_are_tested():
    """Its requirements are the extras of the package, in the versions of the tests, with hashes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = {re.match(r"[\w.-]+", one)[0] for one in (*extras["server"], *extras["postgres"])}
    pins = ROOT / "requirements"
    lines = (pins / "serve.in").read_text("utf-8").splitlines()
    named = {re.match(r"[\w.-]+", line)[0] for line in lines if line[:1] not in ("#", "-", "")}
    assert wanted == named
    tested = dict(PIN.findall((pins / "dev.txt").read_text("utf-8")))
    for name in ("serve.txt", "image.txt"):
        text = (pins / name).read_text("utf-8")
        assert PIN.findall(text)
        assert set(PIN.findall(text)) <= set(tested.items())
        assert text.count("--hash=sha256:") >= len(PIN.findall(text))


def test_only_what_the_image_is_made_from_is_sent():
    """Everything that is copied is let through, and no database, history or environment is."""
    ignore = (DEPLOY / "Containerfile.dockerignore").read_text("utf-8").splitlines()
    let_through = {line[1:] for line in ignore if line.startswith("!")}
    assert "*" in ignore
    copied = {
        source.partition("/")[0]
        for step in read_steps(FILE)
        if step.name == "COPY" and not step.text.startswith("--from")
        for source in step.text.split()[:-1]
    }
    assert copied == let_through


def test_the_services_fit_the_image():
    """Ports, the folder of the data, the health check and the time to end are the same."""
    steps = read_steps(FILE)
    told = {step.name: step.text for step in steps}
    app = compose()["services"]["app"]
    assert FILE == (DEPLOY / app["build"]["context"] / app["build"]["dockerfile"]).resolve()
    assert [f"127.0.0.1:{told['EXPOSE']}:{told['EXPOSE']}"] == app["ports"]
    assert [f"data:{told['VOLUME']}"] == app["volumes"]
    asked = json.loads(told["HEALTHCHECK"].partition("CMD ")[2])
    assert asked[0] == app["healthcheck"]["test"][1]
    assert "/ready" in app["healthcheck"]["test"][3]
    assert app["read_only"]
    assert int(app["stop_grace_period"][:-1]) > SETTINGS["shutdown_seconds"].default
    assert set(compose()["volumes"]) == {"data", "database"}


def test_the_services_ship_one_worker():
    """Two processes of one machine are slower than one: each asks for more locks and more turns."""
    app = compose()["services"]["app"]
    assert "1" == str(app["environment"].get("ROLLWRIGHT_WORKERS", 1))
    assert "replicas" not in app.get("deploy", {})


def test_the_settings_in_the_examples_are_settings():
    """Every variable is known and can be, together with those of the image."""
    image = dict(
        part.split("=", 1)
        for step in read_steps(FILE)
        if step.name == "ENV"
        for part in step.text.split()
    )
    services = {name: str(text) for name, text in environment_of_the_app().items()}
    for variables in (image, {**image, **services}):
        ours = {name for name in variables if name.startswith(PREFIX)}
        assert ours <= {PREFIX + name.upper() for name in SETTINGS}
        settings_from({}, variables)


def environment_of_the_app():
    """The environment of the service, with its password filled in."""
    found = compose()["services"]["app"]["environment"]
    return {name: str(text).replace("${DATABASE_PASSWORD:?}", "x") for name, text in found.items()}
