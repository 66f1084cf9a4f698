"""The command line: a thin skin over the library, loaded piece by piece as it is needed."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

from rollwright.i18n.codes import language_option
from rollwright.i18n.locale import use_locale

USAGE = 2
INTERRUPTED = 130
PLAIN = ("roll", "odds")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and answer with its exit code.

    0, 1 (a check failed), 2 (usage) or 3 (a check could not check everything).
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    if sys.stdout is None:
        return refuse("there is nowhere to print to: standard output is closed")
    with use_locale(language_option(words, os.environ)):
        try:
            answer = _run(words)
            sys.stdout.flush()
            return answer if isinstance(answer, int) else 0
        except (BrokenPipeError, SystemExit):  # click leaves by itself when a pipe breaks
            return _hush()
        except KeyboardInterrupt:
            return _exit_on_interrupt()
        except Exception as problem:
            return _print_error(problem)


def _run(words: list[str]) -> object:
    if is_plain(words):
        (_roll if words[0] == "roll" else _odds)(" ".join(words[1:]))
        return 0
    gc.disable()  # nothing that is imported is garbage
    if os.environ.get("ROLLWRIGHT_GAME"):
        from rollwright.file_games import load_named_games

        load_named_games()
    try:
        from rollwright.cli.commands import rollwright
        from rollwright.cli.console import width
    except ImportError as problem:
        return refuse(f"the command line needs {problem.name}: pip install 'rollwright[cli]'")
    finally:
        gc.enable()
    return rollwright.main(
        words, prog_name="rollwright", standalone_mode=False, terminal_width=width() - 1
    )


def is_plain(words: Sequence[str]) -> bool:
    """Whether a command line is nothing but dice to roll or count: no option, no game, no file.

    The commonest ones, such as `rollwright roll 2d6`, are run without what only the others need.
    """
    if len(words) < 2 or words[0] not in PLAIN or "_ROLLWRIGHT_COMPLETE" in os.environ:
        return False
    if any(word.startswith("-") for word in words) or words[1].endswith(".json"):
        return False
    if len(words) == 2 and _is_there(words[1]):
        return False  # it may be a saved roll
    if words[0] == "odds" and "d" not in words[1].lower():
        return False  # no dice at all, which is worth a word
    first = words[1].lstrip("dD")
    return len(words[1]) - len(first) <= 1 and first[:1].isdigit()


def _roll(dice: str) -> None:
    from rollwright.cli.console import note, show
    from rollwright.notation import roll

    result = roll(dice)
    show(str(result))
    for remark in result.hints:
        note(str(remark))


def _odds(dice: str) -> None:
    from rollwright.cli.console import note, paper, show
    from rollwright.engine.odds.count import odds
    from rollwright.notation import as_rule, hints_for, parse
    from rollwright.pictures.terminal import format_odds

    page = paper()
    show(format_odds(odds(as_rule(dice)), dice, page), page)
    for remark in hints_for(parse(dice)):
        note(str(remark))


def _is_there(name: str) -> bool:
    try:
        return os.path.exists(name)
    except ValueError:
        return False


def _print_error(problem: Exception) -> int:
    """Print one line about what went wrong; our own mistakes get no traceback either."""
    try:
        from click import Abort, ClickException
    except ImportError:
        return refuse(str(problem))
    from rollwright.cli.commands import sentence

    if isinstance(problem, Abort):
        return _exit_on_interrupt()
    if isinstance(problem, ClickException) and type(problem).__name__ == "NoArgsIsHelpError":
        print(problem.format_message())
        return USAGE
    try:
        told = sentence(problem)
    except Exception:  # telling of an error must not fail
        told = str(problem)
    return refuse(told)


def refuse(sentence: str) -> int:
    """Say what is wrong in one line, which quotes no more than people can read."""
    from rollwright.cli.console import shorten

    if sys.stderr is None:
        return USAGE
    line = shorten(" ".join(sentence.split()))
    encoding = sys.stderr.encoding or "ascii"
    print(f"rollwright: {line}".encode(encoding, "replace").decode(encoding), file=sys.stderr)
    return USAGE


def _exit_on_interrupt() -> int:
    """Somebody pressed Ctrl-C; pressed again on the way out it says nothing more."""
    import signal
    import threading

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    return INTERRUPTED


def _hush() -> int:
    """Stop printing: the reader of our output is gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
