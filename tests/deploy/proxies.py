"""Real proxies in front of a real server, set up from the files of deploy/."""

from __future__ import annotations

import contextlib
import os
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.guests import CLIENT, PATIENCE
from tests.server.parts import free_port

DEPLOY = Path(__file__).parents[2] / "deploy"
UNKNOWN = ssl.create_default_context()
"""For certificates of this machine, which nobody signed."""
UNKNOWN.check_hostname = False
UNKNOWN.verify_mode = ssl.CERT_NONE
UPSTREAM = "127.0.0.1:7655"
NGINX = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log stderr;
events {{ worker_connections 200; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {sites}
}}
"""
CADDY = """{{
	admin off
	auto_https disable_redirects
	skip_install_trust
	storage file_system {folder}/storage
}}
{site}
"""


def program(name: str) -> str:
    """Where a program lies; in CI all of them are there, elsewhere a test may do without."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if found is None and not os.environ.get("CI"):
        pytest.skip(f"{name} is not installed here; .ci/run installs it")
    assert found is not None, f"{name} is not installed"
    return found


@contextlib.contextmanager
def nginx(folder: Path, sites: str) -> Iterator[None]:
    """Run nginx with these sites until whoever asked is done."""
    user = "user root;" if os.geteuid() == 0 else ""
    config = folder / "nginx.conf"
    config.write_text(NGINX.format(folder=folder, sites=sites, user=user), "utf-8")
    command = [program("nginx"), "-p", str(folder), "-e", "stderr", "-c", str(config)]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    with running(command, folder):
        yield


@contextlib.contextmanager
def caddy(folder: Path, site: str) -> Iterator[None]:
    """Run Caddy with this site until whoever asked is done."""
    config = folder / "Caddyfile"
    config.write_text(CADDY.format(folder=folder, site=site), "utf-8")
    command = [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(config)]
    with running(command, folder):
        yield


@contextlib.contextmanager
def running(command: list[str], folder: Path) -> Iterator[None]:
    """A program that runs meanwhile; what it says lies in the folder."""
    homes = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "said.txt").open("w") as said:
        process = subprocess.Popen(
            command, stdout=said, stderr=said, env={**os.environ, **homes}, cwd=folder
        )
    try:
        yield
        assert process.poll() is None, (folder / "said.txt").read_text("utf-8")
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


def until_serves(address: str) -> None:
    """Wait until the server behind the proxy answers: some make their certificates first."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with contextlib.suppress(httpx.TransportError):
            if CLIENT.get(f"{address}/health").status_code == 200:
                return
        time.sleep(0.05)
    raise AssertionError(f"{address} does not answer")


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for this machine that nobody else believes, and its key."""
    chain, key = folder / "host.crt", folder / "host.key"
    subprocess.run(
        [
            *(program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-keyout", str(key), "-out", str(chain)),
        ],
        check=True,
        capture_output=True,
    )
    return chain, key


def replaced(text: str, **changes: str) -> str:
    """An example with this machine's own in it; each of what is replaced must be there."""
    for number, (old, new) in enumerate(changes.items()):
        assert old in text, (number, old)
        text = text.replace(old, new)
    return text


def nginx_with_tls(folder: Path, port: int, upstream: int) -> str:
    """deploy/nginx.conf on this machine."""
    chain, key = certificate(folder)
    return replaced(
        (DEPLOY / "nginx.conf").read_text("utf-8"),
        **{
            "443": f"127.0.0.1:{port}",
            "dice.example;": "localhost;",
            "/etc/ssl/dice.example.crt": str(chain),
            "/etc/ssl/dice.example.key": str(key),
            UPSTREAM: f"127.0.0.1:{upstream}",
        },
    )


def caddy_with_tls(port: int, upstream: int) -> str:
    """deploy/Caddyfile on this machine, with a certificate that Caddy makes itself."""
    return replaced(
        (DEPLOY / "Caddyfile").read_text("utf-8"),
        **{
            "dice.example {": f"https://localhost:{port} {{\n\ttls internal",
            UPSTREAM: f"127.0.0.1:{upstream}",
        },
    )


def nginx_below(port: int, upstream: int, *, cut: bool) -> str:
    """deploy/nginx-subpath.conf in a host of this machine, as it is or cutting the path off."""
    end = "/;" if cut else ";"
    [(_, mapping)] = [(DEPLOY / "nginx.conf").read_text("utf-8").partition("map ")[::2]]
    inside = replaced(
        (DEPLOY / "nginx-subpath.conf").read_text("utf-8"),
        **{f"{UPSTREAM};": f"127.0.0.1:{upstream}{end}"},
    )
    opening = f"server {{ listen 127.0.0.1:{port}; location / {{ return 418; }}"
    return f"map {mapping.partition('server {')[0]}\n{opening}\n{inside}\n}}"


def caddy_below(port: int, upstream: int, *, cut: bool) -> str:
    """deploy/Caddyfile.subpath in a host of this machine, as it is or cutting the path off."""
    site = replaced(
        (DEPLOY / "Caddyfile.subpath").read_text("utf-8"),
        **{"example.org {": f"http://127.0.0.1:{port} {{", UPSTREAM: f"127.0.0.1:{upstream}"},
    )
    if cut:
        plain = f"reverse_proxy /dice/* 127.0.0.1:{upstream}"
        cutting = f"handle_path /dice/* {{\n\t\treverse_proxy 127.0.0.1:{upstream}\n\t}}"
        site = replaced(site, **{plain: cutting})
    return site


@contextlib.contextmanager
def in_front(kind: str, folder: Path, upstream: int) -> Iterator[str]:
    """A proxy of a kind such as "nginx", "caddy cutting" or "nothing"; the address of the page."""
    name, _, how = kind.partition(" ")
    if name == "nothing":
        yield f"http://127.0.0.1:{upstream}/dice/"
        return
    port = free_port()
    below = {"nginx": nginx_below, "caddy": caddy_below}[name](port, upstream, cut=bool(how))
    with {"nginx": nginx, "caddy": caddy}[name](folder, below):
        until_serves(f"http://127.0.0.1:{port}/dice")
        yield f"http://127.0.0.1:{port}/dice/"
