"""Rolls in words, however they are shown: what happened, faces, options, effects."""

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
    from rollwright.engine.steps import Choice

    step = transcript.step
    if isinstance(step, Choice):
        return f"{step.by} must choose: {' or '.join(map(option_said, step.options))}"
    return f"Waits for {step.pool!r} to be thrown."


def option_said(option: Any) -> str:
    """An option as it is typed."""
    return value_said(option)


def situation_said(situation: Any) -> str:
    """What one decision turns on."""
    if hasattr(situation, "readings"):
        return ", ".join(map(value_said, situation.readings))
    if isinstance(situation, tuple):
        return "; ".join(map(situation_said, situation))
    return value_said(situation)


def dice_of(step: Any, faces: tuple[Any, ...]) -> list[tuple[Any, Any]]:
    """The dice of a throw with what they show."""
    return list(zip(step.pool.dice, faces, strict=True))


def face_meant(die: Any, word: Any) -> Any:
    """The face of a die that a word stands for; the word itself where it is none."""
    if not isinstance(word, str):
        return word
    if die.is_numbered:
        sign = word.lstrip("-")
        return int(word) if sign.isdigit() and sign.isascii() and len(sign) < 20 else word
    faces = {str(face).lower(): face for face in die.faces}
    return faces.get(word.lower(), word)


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
    return [effect_said(effect) for effect in changes if not effect.quiet]


def effect_said(effect: Any) -> str:
    """One effect in a few words; what has no amount just happens."""
    amount = f" {value_said(effect.amount)}" if effect.amount != 0 else ""
    target = f" ({effect.target})" if effect.target else ""
    return f"{effect.kind}{amount}{target}"
