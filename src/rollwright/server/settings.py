"""Everything about a server that its host can set, by option, environment or file."""

from __future__ import annotations

import dataclasses
import ipaddress
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from rollwright.errors import RollwrightError, did_you_mean
from rollwright.workers.memory import LEAST_CEILING, STANDARD_CEILING

PREFIX = "ROLLWRIGHT_"
LOOPBACK = "127.0.0.1"
WIDEST = {4: 8, 6: 16}
"""Bits by which IPv4 and IPv6 name a network; a wider one would be a large part of everybody."""
MOST_HOURS = 8_784
ROUTES = {"api", "health", "metrics", "ready"}
FOLDERS = {"assets", "icons", "python"}
SCREENS = {"explore", "overlay", "roll", "t", "verify", "workbench"}
OWN_PATHS = frozenset(ROUTES | FOLDERS | SCREENS)
"""First parts of the server's own paths. A proxy may leave `root_path` on or cut it off, so none of
these can be one: nobody could tell which it did.
"""
PASSPHRASE_LENGTH = 8
"""Wrong ones are throttled, so that so many signs are enough."""
TOKEN_LENGTH = 32
"""Wrong ones are throttled too, but a good one is let in meanwhile: it must not be guessed."""


class BadSetting(RollwrightError):
    """A setting that the server cannot run with."""


T = TypeVar("T")
Value = bool | int | float | str | tuple[str, ...]
"""A value of a setting."""


def _set(
    default: T,
    help: str,
    *,
    of: tuple[str, ...] = (),
    least: int | None = None,
    secret: bool = False,
) -> T:
    about = {"help": help, "of": of, "least": least}
    return field(default=default, metadata=about, repr=not secret)


@dataclass(frozen=True)
class Settings:
    """How a server runs. Each has an option, a variable `ROLLWRIGHT_…` and a name in the file."""

    host: str = _set(LOOPBACK, "Where to listen; 0.0.0.0 for everybody who can reach you.")
    lan: bool = _set(False, "Serve the local network too, and show its address as a QR code.")
    port: int = _set(7655, "The port; 0 takes a free one.", least=0)
    database: str = _set("", "A path, sqlite:///PATH or postgresql://… (default: your data folder)")
    redis: str = _set("", "redis://… tells several processes of each other's events.")
    synchronous: str = _set(
        "full", "SQLite: full survives a power cut, normal is faster.", of=("full", "normal")
    )
    upgrade: bool = _set(False, "Bring a PostgreSQL database up to date before serving.")
    workers: int = _set(1, "App processes; more than one needs PostgreSQL and Redis.", least=1)
    counters: int = _set(
        0, "Processes that count odds, for each app process; 0 as the machine has.", least=0
    )
    game: tuple[str, ...] = _set((), "Files or folders of games beside those that are installed.")
    open: bool = _set(True, "Open the page in your browser when there is a desktop.")
    root_path: str = _set("", "The path below which a proxy serves it, such as /dice.")
    origins: tuple[str, ...] = _set((), "Other addresses that the page is reached by.")
    cors: tuple[str, ...] = _set((), "Sites that may use the API from a browser; * for all.")
    trust_proxy: tuple[str, ...] = _set((), "Proxies whose X-Forwarded headers are believed.")
    backup_to: str = _set("", "A folder into which backups are made while serving.")
    backup_hours: float = _set(24, "How many hours lie between two of them.")
    backup_keep: str = _set("3,7d,4w,6m", "Which of them are kept: newest, h, d, w, m, y.")
    keep_days: int = _set(0, "Delete tables nobody touched for so many days; 0 never.", least=0)
    free_bytes: int = _set(
        104_857_600, "Warn when less is free where the SQLite file lies; 0 never.", least=0
    )
    tables: str = _set(
        "auto",
        "Who may make tables; auto: anybody on this machine, else only the host.",
        of=("auto", "anybody", "passphrase", "host"),
    )
    passphrase: str = _set("", "The passphrase of those who may make tables.", secret=True)
    admin_token: str = _set(
        "", "The host's token, instead of one that `rollwright admin token` makes.", secret=True
    )
    metrics: str = _set(
        "token",
        "Who may read /metrics: with a token, everybody, or nobody.",
        of=("token", "open", "off"),
    )
    metrics_token: str = _set("", "A token that is good for /metrics alone.", secret=True)
    metrics_port: int = _set(0, "A port of its own for /metrics; 0 for none.", least=0)
    metrics_host: str = _set(LOOPBACK, "Where that port listens.")
    access_log: str = _set("", "A file for a line about each request; - for standard error.")
    audit_log: str = _set("", "A file for what was administered; - for standard error.")
    log_addresses: str = _set(
        "short", "How those two tell addresses.", of=("none", "short", "hash", "full")
    )
    log_level: str = _set(
        "warning", "How much is logged.", of=("debug", "info", "warning", "error")
    )
    message_bytes: int = _set(65_536, "Longest message on a socket.", least=1024)
    body_bytes: int = _set(262_144, "Longest body of a request.", least=1024)
    import_bytes: int = _set(33_554_432, "Longest log that can be imported.", least=1024)
    table_bytes: int = _set(134_217_728, "Most bytes in the log of a table.", least=65_536)
    disk_bytes: int = _set(0, "Most bytes in the logs of all tables; 0 for no limit.", least=0)
    connections: int = _set(5_000, "Most connections in all, for each process.", least=1)
    connections_per_address: int = _set(250, "Most sockets from one address.", least=1)
    idle_seconds: int = _set(1_800, "A socket that says nothing for so long is closed.", least=1)
    hello_seconds: int = _set(10, "How long a socket may take to say hello.", least=1)
    queue_frames: int = _set(512, "Frames that wait for a slow client.", least=8)
    queue_bytes: int = _set(4_194_304, "Bytes that wait for a slow client.", least=65_536)
    seat_rate: int = _set(10, "Commands and questions of a seat, per second.", least=1)
    seat_burst: int = _set(60, "How many of them at once.", least=1)
    address_rate: int = _set(50, "Requests and messages of an address, per second.", least=1)
    address_burst: int = _set(300, "How many of them at once.", least=1)
    tables_per_hour: int = _set(120, "Tables that an address may make in an hour.", least=1)
    joins_per_minute: int = _set(
        12, "Seats that an address may take at a table in a minute.", least=1
    )
    wrong_tokens: int = _set(20, "Wrong tokens of an address before it must wait.", least=1)
    rooms: int = _set(2_000, "Tables that are kept in memory.", least=1)
    memory_bytes: int = _set(
        536_870_912, "Memory that all tables may take together, about.", least=16_777_216
    )
    count_seconds: int = _set(8, "How long one question may be counted on.", least=1)
    count_bytes: int = _set(
        STANDARD_CEILING,
        "Memory that all counting may take together: of the server and of its bots.",
        least=LEAST_CEILING,
    )
    options_seconds: float = _set(
        4, "How long a table waits for the options of its open choices.", least=0
    )
    room_seconds: int = _set(300, "How long a table that nobody uses stays there.", least=1)
    poll_seconds: float = _set(1.5, "How often the log is asked for news of other processes.")
    patience_seconds: int = _set(10, "How long a command waits for a lost database.", least=0)
    shutdown_seconds: int = _set(10, "How long the end may take.", least=1)

    def __post_init__(self) -> None:
        for setting in dataclasses.fields(self):
            _check(setting, getattr(self, setting.name))
        if self.workers > 1:
            self._check_workers()
        _check_root_path(self.root_path)
        if not 0 < self.backup_hours <= MOST_HOURS:
            raise BadSetting(
                f"backup_hours is {self.backup_hours:g}; a number up to {MOST_HOURS} would do"
            )
        for origin in (*self.origins, *self.cors):
            _check_origin(origin)
        if self.lan and not (self.is_default_host or is_local(self.host)):
            raise BadSetting(
                f"lan serves one local network, but host is {self.host!r}; "
                "leave host away, or name this machine's address in that network"
            )
        for proxy in self.trust_proxy:
            _check_network(proxy)
        self._check_secrets()

    @property
    def address(self) -> str:
        """The database: what was set, or the file in the user's data folder."""
        from rollwright.server.storage.databases import default_database

        return self.database or default_database()

    @property
    def is_on_postgres(self) -> bool:
        """Whether the tables lie in PostgreSQL."""
        return self.database.startswith(("postgres://", "postgresql://", "postgresql+"))

    @property
    def is_multiprocess(self) -> bool:
        """Whether other processes may write to the same tables."""
        return self.is_on_postgres or bool(self.redis)

    @property
    def is_default_host(self) -> bool:
        """Whether nobody has said where to listen."""
        return self.host == SETTINGS["host"].default

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback(self.host) and not self.lan

    @property
    def lan_address(self) -> str:
        """The address of the page in the local network; "" if there is none, as far as is known."""
        return page_address(self.host, self.port, self.root_path) if self.lan else ""

    @property
    def is_loopback_private(self) -> bool:
        """Whether only people at this machine come by loopback, as far as the settings show.

        A named proxy, a path below one or another address of the page lets others come through it.
        """
        named = self.trust_proxy or self.origins or self.root_path
        return (is_loopback(self.host) or self.lan) and not named

    @property
    def is_private(self) -> bool:
        """Whether only people at this machine come at all, as far as the settings show."""
        return self.is_loopback and self.is_loopback_private

    @property
    def makers(self) -> str:
        """Who may make tables: anybody, passphrase or host."""
        if self.tables != "auto":
            return self.tables
        return "anybody" if self.is_private else "host"

    @property
    def makers_here(self) -> str:
        """The same for those at this machine, who come by loopback where others do not."""
        if self.tables != "auto":
            return self.tables
        return "anybody" if self.is_loopback_private else "host"

    def _check_secrets(self) -> None:
        if self.tables == "passphrase" and not self.passphrase:
            raise BadSetting("tables is 'passphrase', but there is none; set passphrase too")
        if self.passphrase and self.tables != "passphrase":
            raise BadSetting(
                "a passphrase is set, but nobody is asked for it; set tables to 'passphrase' too"
            )
        _check_secret("passphrase", self.passphrase, PASSPHRASE_LENGTH)
        _check_secret("admin_token", self.admin_token, TOKEN_LENGTH)
        _check_secret("metrics_token", self.metrics_token, TOKEN_LENGTH)

    def _check_workers(self) -> None:
        if not self.is_on_postgres:
            raise BadSetting(
                f"workers is {self.workers}, but SQLite serves one process; "
                "set database to a postgresql:// address and redis to a redis:// one"
            )
        if not self.redis:
            raise BadSetting(
                f"workers is {self.workers}, but the processes have no way to tell each other; "
                "set redis to a redis:// address"
            )
        if self.count_bytes < self.workers * LEAST_CEILING:
            raise BadSetting(
                f"workers is {self.workers}, but they share {self.count_bytes} bytes for counting; "
                f"set count_bytes to {self.workers * LEAST_CEILING} or more"
            )


def page_address(host: str, port: int, root_path: str = "") -> str:
    """How a browser names a page.

    >>> page_address("192.168.1.7", 7655), page_address("fd00::7", 80, "/dice")
    ('http://192.168.1.7:7655/', 'http://[fd00::7]:80/dice/')
    """
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return f"http://{place}{root_path}/"


def is_loopback(host: str) -> bool:
    """Whether an address or a name means the machine itself.

    >>> [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "x.y")]
    [True, True, True, False, False]
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_local(host: str) -> bool:
    """Whether only the neighbours can reach an address.

    >>> [is_local(one) for one in ("10.0.0.3", "127.0.0.1", "0.0.0.0", "1.1.1.1", "dice.example")]
    [True, False, False, False, False]
    """
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return False
    return not (found.is_global or found.is_loopback or found.is_unspecified)


SETTINGS = {setting.name: setting for setting in dataclasses.fields(Settings)}


def settings_from(
    options: Mapping[str, Value | None], environ: Mapping[str, str], file: Path | None = None
) -> Settings:
    """The settings: an option wins over the environment, that over the file.

    >>> settings_from({"port": 0}, {"ROLLWRIGHT_PORT": "80", "ROLLWRIGHT_CORS": "*"}).cors
    ('*',)
    """
    chosen: dict[str, Any] = {}
    if file is not None:
        chosen.update(_in_file(file))
    for name in SETTINGS:
        if (text := environ.get(PREFIX + name.upper())) is not None:
            chosen[name] = _read(name, text, PREFIX + name.upper())
    chosen.update({name: value for name, value in options.items() if value is not None})
    return Settings(**chosen)


def _in_file(file: Path) -> dict[str, Value]:
    try:
        plain = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeError) as problem:
        raise BadSetting(f"{file} cannot be read as TOML: {problem}") from None
    chosen: dict[str, Value] = {}
    for key, value in plain.items():
        name = key.replace("-", "_")
        if name not in SETTINGS:
            raise BadSetting(
                f"{file}: there is no setting {key!r}{did_you_mean(name, [*SETTINGS])}"
            )
        chosen[name] = _read(name, value, f"{file}: {key}")
    return chosen


def _read(name: str, given: object, where: str) -> Value:
    """The value of a setting, from a text or from what TOML has."""
    kind = SETTINGS[name].type
    if kind == "tuple[str, ...]":
        parts = given.split(",") if isinstance(given, str) else given
        if isinstance(parts, list) and all(isinstance(part, str) for part in parts):
            return tuple(part.strip() for part in parts if part.strip())
        raise BadSetting(f"{where} is {given!r}; texts with commas between them would do")
    if kind == "bool":
        return _read_switch(given, where)
    if kind in ("int", "float"):
        return _read_number(given, where, float if kind == "float" else int)
    if not isinstance(given, str):
        raise BadSetting(f"{where} is {given!r}; a text would do")
    return given


def _read_switch(given: object, where: str) -> bool:
    said = str(given).lower()
    if said in ("true", "yes", "on", "1"):
        return True
    if said in ("false", "no", "off", "0"):
        return False
    raise BadSetting(f"{where} is {given!r}; true or false would do")


def _read_number(given: object, where: str, kind: type[int] | type[float]) -> float:
    try:
        if isinstance(given, bool) or not isinstance(given, int | float | str):
            raise ValueError
        return kind(given)
    except ValueError:
        raise BadSetting(f"{where} is {given!r}; a number would do") from None


def _check(setting: dataclasses.Field[Value], value: Value) -> None:
    known, least = setting.metadata["of"], setting.metadata["least"]
    if known and value not in known:
        raise BadSetting(f"{setting.name} is {value!r}; {' or '.join(known)} would do")
    if least is not None and isinstance(value, int | float) and value < least:
        raise BadSetting(f"{setting.name} is {value}; {least} or more would do")


def _check_secret(name: str, value: str, least: int) -> None:
    """Refuse a secret that can be guessed; it is not said again."""
    if value and len(value.strip()) < least:
        raise BadSetting(f"{name} has {len(value.strip())} signs; {least} or more would do")
    if name != "passphrase" and not all("!" <= sign <= "~" for sign in value):
        raise BadSetting(f"{name} has signs that no header takes; letters and digits would do")


def _check_origin(origin: str) -> None:
    parts = urlsplit(origin)
    if origin != "*" and (
        parts.scheme not in ("http", "https") or not parts.netloc or parts.path or parts.query
    ):
        raise BadSetting(f"{origin!r} is no origin; https://example.org would do")


def _check_root_path(path: str) -> None:
    if path and not re.fullmatch(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+", path):
        raise BadSetting(
            f"root_path is {path!r}; /dice would do: letters, digits and -._~, no stroke at the end"
        )
    if path and path.split("/")[1] in OWN_PATHS:
        raise BadSetting(
            f"root_path is {path!r}, but the server has a path of that name itself; "
            "another one, such as /dice, would do"
        )


def _check_network(network: str) -> None:
    would_do = "127.0.0.1 or 10.0.0.0/8 would do"
    try:
        found = ipaddress.ip_network(network)
    except ValueError:
        raise BadSetting(f"{network!r} is no address of a proxy; {would_do}") from None
    if found.prefixlen < WIDEST[found.version]:
        raise BadSetting(
            f"trust_proxy: {network!r} is a large part of everybody, and whoever is believed can "
            f"claim any address; {would_do}"
        )
