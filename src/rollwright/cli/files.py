"""Files that are read and written: requests, saved rolls, tables, pictures; `-` is the pipe.

And the lines of somebody else's files in which something went wrong.
"""

from __future__ import annotations

import contextlib
import linecache
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from rollwright.cli.texts import text, usage

if TYPE_CHECKING:
    from types import TracebackType

    from rollwright.jsonable import Json
    from rollwright.pictures.charts import Picture

MOST_BYTES = 16_000_000
OURS = Path(__file__).parents[1]


def read_text(name: str, most: int = MOST_BYTES) -> str:
    """Return the content of a file, or of the pipe for `-`; refused if it has more bytes."""
    try:
        held = _pipe().read(most + 1) if name == "-" else _bytes_of(name, most + 1)
        if len(held) > most:
            raise usage("refusal.too_large", name=repr(name), most=most)
        read = held.decode("utf-8-sig")
    except OSError as problem:
        why = str(problem.strerror)
        raise usage("refusal.unread", name=repr(name), why=why) from None
    except (UnicodeDecodeError, ValueError):
        raise usage("refusal.no_text_file", name=repr(name)) from None
    return read.replace("\r\n", "\n").replace("\r", "\n") if "\r" in read else read


def _bytes_of(name: str, most: int) -> bytes:
    with open(name, "rb") as handle:
        return handle.read(most)


def _pipe() -> BinaryIO:
    if sys.stdin is None:
        raise usage("refusal.no_input")
    return sys.stdin.buffer


def read_json(name: str, *, roll: bool = False) -> Json:
    """The JSON in a file, or in the pipe for `-`; a saved roll, if that is what is meant."""
    from json import loads

    held = read_text(name)
    try:
        found: Json = loads(held)
        return found
    except (ValueError, RecursionError) as problem:
        if roll:
            raise usage("refusal.no_roll", name=repr(name)) from None
        raise usage("refusal.no_json", name=repr(name), why=str(problem)) from None


def saved_roll(plain: Json) -> Json:
    """The roll as it is stored: as `--save` wrote it, or within what `roll --json` printed."""
    return plain["transcript"] if isinstance(plain, dict) and "transcript" in plain else plain


def write_text(name: str, held: str) -> None:
    """Write a file, or to the pipe for `-`."""
    write_bytes(name, held.encode("utf-8"))


def write_picture(name: str, picture: Picture) -> None:
    """Draw a picture to a file, and say so."""
    from rollwright.cli.console import note
    from rollwright.pictures.files import render

    write_bytes(name, render(picture, name))
    note(text("drawn", name=name))


def write_bytes(name: str, data: bytes) -> None:
    """Write a file, or to the pipe for `-`; what was there stays until all of it is written."""
    if name == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return
    try:
        if os.path.exists(name) and not os.path.isfile(name):
            _write_here(name, data)  # a device or a pipe with a name is not to be replaced
        else:
            _write_whole(os.path.realpath(name), data)
    except (OSError, ValueError) as problem:
        raise _write_error(name, problem) from None


def _write_here(name: str, data: bytes) -> None:
    with open(name, "wb") as handle:
        handle.write(data)


def _write_whole(name: str, data: bytes) -> None:
    """Write beside the file, and let that take its name once it is on the disk."""
    part = f"{name}.{os.getpid()}.part"
    try:
        with open(part, "xb") as handle:
            if os.path.exists(name):
                os.chmod(part, os.stat(name).st_mode & 0o777)
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(part, name)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


def check_writable(name: str) -> None:
    """Refuse a name that no file can have, before anything is thrown or counted for it."""
    folder = os.path.dirname(name) or "."
    try:
        if os.path.isdir(name):
            raise IsADirectoryError(None, text("refusal.is_folder"))
        if not os.path.isdir(folder):
            raise FileNotFoundError(None, text("refusal.no_folder", name=repr(folder)))
    except (OSError, ValueError) as problem:
        raise _write_error(name, problem) from None


def _write_error(name: str, problem: Exception) -> click.UsageError:
    reason = str(getattr(problem, "strerror", None) or problem)
    return usage("refusal.unwritten", name=repr(name), why=reason)


def looks_like_file(name: str) -> bool:
    """Whether an argument names a file rather than dice or a game."""
    if name == "-" or name.endswith(".json"):
        return True
    try:
        return os.path.isfile(name) and not _is_dice_or_game(name)
    except ValueError:
        return False


def _is_dice_or_game(name: str) -> bool:
    from rollwright.kit.games import list_games
    from rollwright.notation.programs import problem_in

    return problem_in(name) is None or name in list_games()


def lines_outside(found: TracebackType | None) -> list[str]:
    """The steps of a traceback that lie neither in Rollwright nor in Python."""
    lines = []
    python = Path(linecache.__file__).parent
    while found is not None:
        file, number = Path(found.tb_frame.f_code.co_filename), found.tb_lineno
        between = "click" in file.parts or file.is_relative_to(OURS)
        installed = file.is_relative_to(python) and "site-packages" not in file.parts
        if file.exists() and not installed and not between:
            text = linecache.getline(str(file), number).strip()
            lines.append(f"{file}:{number} in {found.tb_frame.f_code.co_name}: {text}")
        found = found.tb_next
    return lines
