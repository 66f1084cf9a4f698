"""What the options of an open choice are worth, and what each of them would lead to."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rollwright.cli.futures import costs_said, future_said
from rollwright.cli.paper import Paper, wrapped
from rollwright.cli.saying import worth_said
from rollwright.engine.transcript import Transcript
from rollwright.errors import RollwrightError
from rollwright.kit.words import option_said


class Counsel:
    """Advice for one game and one goal, which may change while the roll is open."""

    def __init__(self, game: Any, request: Any, goal: str | None) -> None:
        self.game = game
        self.request = request
        self.name = goal or (game.default_goal if game is not None else "")
        self.goal = game.goal(self.name, request) if game is not None else None

    @property
    def title(self) -> str:
        """The goal in a player's words."""
        known = self.game.goals.get(self.name)
        return known.title if known is not None else self.name

    def change(self, name: str, page: Paper) -> str:
        """Take another goal, or list those there are."""
        if self.game is None:
            return "  Only games have goals."
        try:
            self.goal = self.game.goal(name or "?", self.request)
            self.name = name
            return f"  Goal: {self.title}"
        except RollwrightError as problem:
            from rollwright.cli.explaining import names_of

            goals = names_of(type(self.request), "goal")
            said = "" if not name else f"{problem}. "
            return wrapped(
                f"  {said}Goals: {', '.join(goals)}; prices too: hit=1,ones=-0.3", page.width, "  "
            )

    def options_said(self, transcript: Transcript, page: Paper) -> str:
        """The options with what each is worth and what it leads to."""
        labels = option_labels(transcript.step)
        if self.game is None:
            return "\n".join(labels)
        try:
            advice = advice_for(transcript, self.goal)
        except RollwrightError as problem:
            note = wrapped(f"  (no advice: {problem})", page.width, "  ")
            return "\n".join([*labels, note])
        return "\n".join(self._lines(transcript, advice, labels, page))

    def _lines(
        self, transcript: Transcript, advice: Any, labels: list[str], page: Paper
    ) -> list[str]:
        worths = {option_said(worth.option): worth.value for worth in advice.options}
        futures = self._futures(transcript)
        names = [option_said(option) for option in transcript.step.options]
        chances = self._is_chance(futures)
        lines = [wrapped(f"Goal: {self.title}", page.width, "  ")]
        for number, name in enumerate(names):
            worth = worth_said(worths[name], chances)
            mark = "  ◀ best" if advice.matters and name in map(option_said, advice.ties) else ""
            lines.append(f"{labels[number]}  {worth:>8}{mark}".rstrip())
            lines += future_said(futures, number, page)
        if advice.matters:
            return lines
        costs = costs_said(names, futures)
        said = "It does not matter for this goal" + (f", but {costs}" if costs else "")
        return [*lines, wrapped(f"{said}.", page.width, "  ")]

    def _futures(self, transcript: Transcript) -> list[Any]:
        """The odds after each option with best play; none where something is hidden."""
        from rollwright.engine.best.advice import best
        from rollwright.engine.odds.count import odds

        if len(known_to_chooser(transcript).members) > 1:
            return []
        policy = best(self.goal) if self.goal is not None else None
        try:
            options = transcript.step.options
            return [odds(transcript.position.then(option), policy) for option in options]
        except RollwrightError:
            return []

    def _is_chance(self, futures: list[Any]) -> bool:
        goal = self.goal
        assert goal is not None
        return bool(futures) and all(is_chance(goal, dist) for dist in futures)


def option_labels(choice: Any) -> list[str]:
    """The options in a column, numbered unless they are numbers themselves."""
    names = [option_said(option) for option in choice.options]
    wide = max(map(len, names))
    numbered = not any(name.isdigit() for name in names)
    signs = [str(number) if numbered else " " for number in range(1, len(names) + 1)]
    return [f"  {sign}  {name:<{wide}}" for sign, name in zip(signs, names)]


def answers_said(choice: Any) -> str:
    """What may be typed for a choice: a number of the list, or one of the options."""
    names = [option_said(option) for option in choice.options]
    return " or ".join(names) if any(n.isdigit() for n in names) else f"1-{len(names)}"


def known_to_chooser(transcript: Transcript) -> Any:
    """What whoever must choose can know."""
    return transcript.seen_by(transcript.step.by)


def advice_for(transcript: Transcript, goal: Any, budget: Any = None) -> Any:
    """Advice for whoever must choose now, from what they can know."""
    from rollwright.engine.best.advice import advise
    from rollwright.engine.steps import Choice

    what: Any = transcript.position
    if isinstance(transcript.step, Choice):
        known = known_to_chooser(transcript)
        what = known if len(known.members) > 1 else what
    return advise(what, goal, budget=budget)


def is_chance(goal: Any, dist: Any) -> bool:
    """Whether a goal only says yes or no, so that its worth is a chance."""
    worths = {goal(outcome) for outcome in dist}
    return all(isinstance(worth, bool) or worth in (0, 1, Fraction(1)) for worth in worths)
