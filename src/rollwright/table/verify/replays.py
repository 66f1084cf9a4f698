"""One roll of a log, played again by its rule from what the log says of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rollwright.dice import Pool
from rollwright.engine.play import Chosen, Entry, Playing, Thrown
from rollwright.engine.replay import Done
from rollwright.engine.steps import Call, Choice, Throw
from rollwright.engine.values import from_plain, to_plain
from rollwright.errors import RollwrightError, UnknownName
from rollwright.kit.requests import Request
from rollwright.kit.words import outcome_fields
from rollwright.table.effects import settled
from rollwright.table.frames import canonical
from rollwright.table.rolls import Roll
from rollwright.table.state import TableState
from rollwright.table.words import options_differ

MOST_GAMES = 16


class NotReplayable(RollwrightError):
    """A roll that cannot be played again here, though nothing is wrong with it."""


class Ended(NamedTuple):
    """A roll that has come to its end: what was asked for, and what came of it."""

    request: Request | None
    outcome: Any

    @property
    def as_transcript(self) -> Any:
        """For functions that look at nothing else of a transcript."""
        return self


class Replay:
    """A rule with the entries that the log has told so far."""

    def __init__(self, call: Call[Any], request: Request | None = None) -> None:
        self._call = call
        self._request = request
        self.entries: list[Entry] = []
        self._playing = Playing(call)

    @property
    def step(self) -> Any:
        """What the roll waits for."""
        return self._playing.run.step

    @property
    def pool(self) -> Pool | None:
        """The dice that are to be thrown now."""
        return self.step.pool if isinstance(self.step, Throw) else None

    def take(self, entry: Entry) -> None:
        """Go on by one entry; refused if it is not what the roll waits for."""
        self._playing.take(entry)
        self.entries.append(entry)

    def back(self) -> None:
        """Take the last entry back."""
        self.entries.pop()
        self._playing = self._again()

    def differs(self, after: Any) -> str:
        """How where the roll stands differs from what the log says; empty if it does not."""
        return differs(self.step, after) or self._ending_differs(after)

    @property
    def ended(self) -> Ended | None:
        """What it came to; None while it goes on."""
        return Ended(self._request, self.step.outcome) if type(self.step) is Done else None

    def _ending_differs(self, after: Any) -> str:
        ended = self.ended
        if ended is None:
            return ""
        if canonical(after.get("fields")) != canonical(outcome_fields(ended.outcome)):
            return "its outcome has other fields"
        true = settled(TableState(), Roll("", "", {}, ""), ended.as_transcript).told
        return "" if _effects(true) == _effects(after.get("effects")) else OTHERWISE

    def explains(self, entry: Entry, after: Any) -> bool:
        """Whether an entry would lead to what the log says came of it."""
        playing = self._again()
        try:
            playing.take(entry)
            return not differs(playing.run.step, after)
        except Exception:  # whatever a strange entry makes a rule do, it explains nothing
            return False

    def _again(self) -> Playing:
        playing = Playing(self._call)
        for entry in self.entries:
            playing.take(entry)
        return playing


OTHERWISE = "by the rules it has other effects"


def _effects(listed: Any) -> bytes:
    """What effects are, whatever sheets they are for."""
    names = ("kind", "amount", "target")
    told = listed if isinstance(listed, list) else [{}]
    return canonical([[effect.get(name) for name in names] for effect in told])


def faces_of(plain: Any) -> Thrown:
    """The faces that the log gives for a throw."""
    return Thrown(tuple([from_plain(face) for face in plain]), "fair")


def option_of(plain: Any, by: str) -> Chosen:
    """The option that the log gives for a choice."""
    return Chosen(from_plain(plain), by)


def differs(step: Any, after: Any) -> str:
    """How what a roll waits for differs from what the log says; empty if it does not."""
    told = after if isinstance(after, Mapping) else {}
    if type(step) is Done:
        if told.get("step") != "done":
            return "the roll ends here, but the log says that it goes on"
        if canonical(told.get("outcome")) != canonical(to_plain(step.outcome)):
            return f"by the rules it comes to {step.outcome!r}"[:300]
        return ""
    if after is None:
        return ""
    if type(step) is Choice:
        same = told.get("step") == "choice" and not options_differ(told, step.options)
        return "" if same else f"by the rules there is a {step!r}"[:300]
    pool = told.get("pool")
    same = pool is None or canonical(pool) == canonical(to_plain(step.pool))
    return "" if told.get("step") == "throw" and same else f"by the rules there is a {step!r}"


class Rulebook:
    """Finds the rule behind what was rolled."""

    def __init__(self) -> None:
        self._games: dict[str, Any] = {}

    def replay_of(self, what: Any, version: Any) -> Replay:
        """A replay of what was rolled; NotReplayable if the rule is not here in that version."""
        if isinstance(what, dict) and isinstance(what.get("expression"), str):
            from rollwright.notation import compiled

            return Replay(compiled(what["expression"]))
        request = what.get("request") if isinstance(what, dict) else None
        if not isinstance(request, dict):
            raise RollwrightError("neither a request nor an expression was rolled")
        return self._asked(request, version)

    def _asked(self, plain: dict[str, Any], version: Any) -> Replay:
        from rollwright.kit.games import from_plain as request_from_plain

        game = self.game(plain.get("game"))
        if game is None:
            raise NotReplayable(f"the game {str(plain.get('game'))[:40]!r} is not installed here")
        known = game.version_of(plain.get("roll"))
        if version != known:
            raise NotReplayable(
                f"rolled by version {str(version)[:20]!r} of this kind of roll of {game.name}; "
                f"version {known!r} is installed here"
            )
        request = request_from_plain(plain)
        return Replay(request.call(), request)

    def game(self, name: Any) -> Any:
        """An installed game, or None."""
        if not isinstance(name, str):
            return None
        if name not in self._games and len(self._games) < MOST_GAMES:
            from rollwright.kit.games import find_game

            try:
                self._games[name] = find_game(name)
            except UnknownName:
                self._games[name] = None
        return self._games.get(name)
