"""The local network: this machine's address in it, and a code for phones that come by."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import ipaddress
import socket
from collections.abc import Iterable

import segno

from rollwright.server.settings import BadSetting, Settings, is_local

NOBODY = "198.51.100.1"
"""An address kept for documents: nothing is sent there, the system only says by which way it
would go."""


def with_lan_address(settings: Settings) -> Settings:
    """The same settings, listening where the local network reaches this machine.

    One address is listened on beside loopback and not all of them: a machine may have a public
    one as well.
    """
    if not settings.lan or not settings.is_default_host:
        return settings
    return dataclasses.replace(settings, host=local_address(addresses()))


def local_address(found: Iterable[str]) -> str:
    """The first address that belongs to a local network.

    >>> local_address(["127.0.1.1", "8.8.8.8", "192.168.1.7"])
    '192.168.1.7'
    """
    known = list(found)
    for address in known:
        if is_local(address):
            return address
    public = [address for address in known if not ipaddress.ip_address(address).is_loopback]
    what = f"only public addresses ({', '.join(public)})" if public else "no network"
    raise BadSetting(
        f"lan: this machine has {what}; --host ADDRESS would do for an address that you know of, "
        "with --tables passphrase or host"
    )


def addresses() -> list[str]:
    """This machine's addresses, first the one that it goes out by."""
    found: list[str] = []
    out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    # There may be no way out of the local network, which is no reason not to play in it.
    with out, contextlib.suppress(OSError):
        out.connect((NOBODY, 9))
        found.append(out.getsockname()[0])
    with contextlib.suppress(OSError):  # a machine whose name nobody knows
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    return list(dict.fromkeys(found))


def qr_code(text: str) -> str:
    """A QR code for a terminal, two rows of it in a line.

    >>> len(qr_code("http://192.168.1.7:7655/").splitlines())
    15
    """
    drawn = io.StringIO()
    segno.make(text, error="m", micro=False).terminal(drawn, compact=True, border=2)
    return drawn.getvalue()
