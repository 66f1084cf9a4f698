"""What happened in a roll, in words: the game's own, or the faces and what they come to."""

from __future__ import annotations

from typing import Any

from rollwright.exact.fields import field_names
from rollwright.pictures.rows import value_said


def told(transcript: Any) -> str:
    """What happened so far, in a sentence."""
    if transcript.request is not None:
        from rollwright.kit.games import find_game

        return str(find_game(transcript.request.game).tell(transcript.request, transcript))
    faces = "; ".join(
        f"{step.pool!r}: {', '.join(map(str, shown))}" for step, shown in transcript.throws
    )
    start = f"{faces}. " if faces else ""
    if not transcript.is_done:
        return f"{start}{waits_for(transcript)}"
    return f"{start}That makes {outcome_said(transcript.outcome)}."


def outcome_said(outcome: Any) -> str:
    """An outcome with its fields by name."""
    if hasattr(outcome, "_fields"):
        return ", ".join(f"{n} {value_said(getattr(outcome, n))}" for n in field_names(outcome))
    return value_said(outcome)


def waits_for(transcript: Any) -> str:
    """What an open roll waits for."""
    from rollwright.steps import Choice

    step = transcript.step
    if isinstance(step, Choice):
        return f"{step.by} must choose: {' or '.join(map(option_said, step.options))}"
    return f"Waits for {step.pool!r} to be thrown."


def option_said(option: Any) -> str:
    """An option as it is typed."""
    return value_said(option)


def dice_of(step: Any, faces: tuple[Any, ...]) -> list[tuple[Any, Any]]:
    """The dice of a throw with what they show."""
    return list(zip(step.pool.dice, faces, strict=True))


def effects_of(transcript: Any) -> list[str]:
    """What the outcome changes, one line each."""
    request = transcript.request
    if request is None or not transcript.is_done:
        return []
    from rollwright.kit.games import find_game

    game = find_game(request.game)
    if game.effects is None:
        return []
    changes = game.effects(request, transcript.outcome)
    return [_effect(effect) for effect in changes if not effect.quiet]


def _effect(effect: Any) -> str:
    target = f" ({effect.target})" if effect.target else ""
    return f"{effect.kind} {value_said(effect.amount)}{target}"
