"""Smaller PNGs: a screenshot with its colours put on a palette of 256, chosen in the browser."""

from __future__ import annotations

import struct
import zlib
from base64 import b64decode, b64encode
from pathlib import Path

from playwright.sync_api import Page

ON_A_PALETTE = Path(__file__).with_suffix(".js").read_text("utf-8").partition("\n")[2]


def pressed(page: Page, png: bytes) -> bytes:
    """The picture again, with at most 256 colours."""
    found = page.evaluate(ON_A_PALETTE, b64encode(png).decode())
    width, height, palette, encoded = found
    pixels = b64decode(encoded)
    rows = b"".join(b"\0" + pixels[at : at + width] for at in range(0, len(pixels), width))
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = [("IHDR", header), ("PLTE", bytes(palette)), ("IDAT", zlib.compress(rows, 9))]
    chunks = [_chunk(name.encode(), data) for name, data in [*parts, ("IEND", b"")]]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
