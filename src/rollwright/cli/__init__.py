"""The command line: a thin skin over the library, loaded piece by piece as it is needed."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

USAGE = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and answer with its exit code: 0, 1 (a check failed) or 2 (usage)."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if sys.stdout is None:
        return refuse("there is nowhere to print to: standard output is closed")
    try:
        answer = _run(words)
        sys.stdout.flush()
        return answer if isinstance(answer, int) else 0
    except (BrokenPipeError, SystemExit):  # click leaves by itself when a pipe breaks
        return _hush()
    except KeyboardInterrupt:
        return _interrupted()
    except Exception as problem:
        return _refused(problem)


def _run(words: list[str]) -> object:
    from rollwright.cli.quick import is_plain_roll, roll_plainly

    if is_plain_roll(words):
        roll_plainly(words)
        return 0
    gc.disable()  # nothing that is imported is garbage
    try:
        from rollwright.cli.paper import width
        from rollwright.cli.tree import rollwright
    except ImportError as problem:
        return refuse(f"the command line needs {problem.name}: pip install 'rollwright[cli]'")
    finally:
        gc.enable()
    return rollwright.main(
        words, prog_name="rollwright", standalone_mode=False, terminal_width=width() - 1
    )


def _refused(problem: Exception) -> int:
    """One line about what went wrong; a mistake of ours is told as such, without a traceback."""
    try:
        from click import Abort, ClickException
    except ImportError:
        return refuse(str(problem))
    from rollwright.cli.refusals import sentence

    if isinstance(problem, Abort):
        return _interrupted()
    if isinstance(problem, ClickException) and type(problem).__name__ == "NoArgsIsHelpError":
        print(problem.format_message())
        return USAGE
    return refuse(sentence(problem))


def refuse(sentence: str) -> int:
    """Say what is wrong in one line, which quotes no more than people can read."""
    from rollwright.cli.paper import shortened

    if sys.stderr is None:
        return USAGE
    line = shortened(" ".join(sentence.split()))
    encoding = sys.stderr.encoding or "ascii"
    print(f"rollwright: {line}".encode(encoding, "replace").decode(encoding), file=sys.stderr)
    return USAGE


def _interrupted() -> int:
    """Somebody pressed Ctrl-C; pressed again on the way out it says nothing more."""
    import signal
    import threading

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return INTERRUPTED


def _hush() -> int:
    """Whoever read our output has stopped reading; nothing more is to be said."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
