"""A roll without a table: started, continued with faces or a choice, narrated, and verified."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, cast

from rollwright.engine.best.advice import best
from rollwright.engine.odds.count import Situation
from rollwright.engine.sources import SeededSource, Source, SystemSource, TypedSource
from rollwright.engine.steps import Choice
from rollwright.engine.transcript import ThrowEntry, Transcript, play
from rollwright.engine.values import value_from_json, value_to_json
from rollwright.errors import BadAnswer, BadField, BadTranscript, RollwrightError
from rollwright.hooks import Text
from rollwright.i18n.locale import ENGLISH, format_text, in_words, reader_language, use_locale
from rollwright.i18n.messages import msg
from rollwright.kit.card.choices import choice_to_json, option_for, option_to_json
from rollwright.kit.card.endings import (
    effect_text,
    effects_of,
    ending_to_json,
    narrate,
    narration_to_json,
)
from rollwright.kit.card.marks import dice_names, marks_to_json, throw_to_json
from rollwright.kit.card.texts import format_texts, say
from rollwright.kit.fields import NOT_GIVEN
from rollwright.kit.games import Effect, find_game
from rollwright.kit.words import about_to_json, find_face, format_die, format_option, outcome_fields
from rollwright.queries.hints import noted_call
from rollwright.queries.roll_specs import RollSpec, read_transcript, spec_of
from rollwright.queries.translations import written_so

if TYPE_CHECKING:
    from rollwright.budget import Budget
    from rollwright.dice import Face, Outcome
    from rollwright.engine.odds.count import Policy
    from rollwright.engine.steps import Option
    from rollwright.jsonable import Json
    from rollwright.queries.kinds import RollQuery, VerifyQuery
    from rollwright.queries.schemas import (
        RollAnswer,
        VerifyAnswer,
    )

LONGEST_SEED = 200
MOST_LABELLED = 60
RULES = {"format": int, "version": str, "rule": str}
"""Fields that name the rules by which a roll is replayed."""
BEYOND = ("unknown format", "too large")
"""Problems of a log that say nothing about whether it is true."""


def roll(question: RollQuery, budget: Budget, source: Source | None = None) -> RollAnswer:
    """Start a roll or go on with one, as far as faces, the option and the policy carry it.

    The dice are those of `source`, if the caller brings one.
    """
    subject = spec_of(question)
    transcript = _choose(subject.start(), question)
    return {**roll_answer(_play(transcript, subject, question, source)), **written_so(subject)}


def roll_answer(transcript: Transcript) -> RollAnswer:
    """A roll as an answer: as data to go on with, in words, and what it waits for."""
    request = transcript.request
    game = "" if request is None else request.game
    shown = {
        "told": narrate_transcript(transcript),
        "step": step_of(transcript),
        "throws": _throws(transcript),
        "marks": {} if request is None else marks_to_json(request),
        **throw_to_json(transcript),
    }
    speak = partial(say, game=game, language=reader_language())
    said = {"transcript": transcript.to_plain(), **format_texts(shown, speak)}
    return cast("RollAnswer", {**said, **noted_call(transcript.call)})


def _throws(transcript: Transcript) -> list[dict[str, object]]:
    """The throws so far, each with whose it is where there are several."""
    found: list[dict[str, object]] = []
    so_far = Transcript(transcript.call, request=transcript.request)
    for entry in transcript.entries:
        step = so_far.step
        so_far = so_far.then(entry)
        if not isinstance(entry, ThrowEntry):
            continue
        plain: dict[str, object] = {
            "pool": value_to_json(step.pool),
            "faces": [value_to_json(face) for face in entry.faces],
        }
        said = throw_to_json(so_far, whole=False) if len(found) < MOST_LABELLED else {}
        found.append({**plain, **said})
    return found


def _choose(transcript: Transcript, question: RollQuery) -> Transcript:
    """The roll after the option that the question names, plainly or by its number."""
    number = question.number
    if question.option is NOT_GIVEN and number is None and question.puts is None:
        return transcript
    step = transcript.step
    if not isinstance(step, Choice):
        raise BadAnswer(msg("refused.answer.unasked"))
    if question.puts is not None:
        return transcript.choose(option_for(transcript, question.puts), question.by or "")
    if number is None:
        return transcript.choose(find_option(step, question.option), question.by or "")
    if not 0 <= number < len(step.options):
        last = str(len(step.options) - 1)
        fits = msg("fits.range", low="0", high=last)
        raise BadField("number", msg("refused.answer.number"), would_do=fits)
    return transcript.choose(step.options[number], question.by or "")


def find_option(step: Choice[Outcome], plain: Json) -> Option:
    """The option that was offered in this form, or is said so."""
    for option in step.options:
        if value_to_json(option) == plain or (
            isinstance(plain, str) and format_option(option) == plain
        ):
            return option
    return value_from_json(plain, "option")


def _play(
    transcript: Transcript, subject: RollSpec, question: RollQuery, source: Source | None
) -> Transcript:
    policy = subject.policy(question.policy or "")
    if question.faces is None:
        source = source or _source(transcript, question.seed)
        return play(transcript, source=source, policy=policy)
    if question.seed is not None:
        raise BadField("faces", msg("refused.answer.both"))
    return _enter_faces(transcript, question.faces, policy)


def _source(transcript: Transcript, seed: int | str | None) -> Source:
    """Return the source of faces; a seed gives other faces after each entry of the same roll."""
    if seed is None:
        return SystemSource()
    if not _is_seed(seed):
        raise BadField("seed", msg("refused.answer.seed"), would_do=msg("refused.answer.seed.do"))
    return (
        SeededSource(seed)
        if not transcript.entries
        else SeededSource(f"{seed} {len(transcript.entries)}")
    )


def _is_seed(seed: int | str) -> bool:
    if isinstance(seed, str):
        return len(seed) <= LONGEST_SEED
    return type(seed) is int and abs(seed) < 10**LONGEST_SEED


def _enter_faces(
    transcript: Transcript, faces: Sequence[Json], policy: Policy | best | None
) -> Transcript:
    """The roll as far as the faces that somebody read off real dice carry it."""
    source = TypedSource([_face(face, place) for place, face in enumerate(faces)])
    while source.left:
        step = transcript.step
        if transcript.is_done:
            break
        if isinstance(step, Choice):
            if policy is None:
                break
            transcript = _decide(transcript, policy)
        else:
            dice = step.pool.dice[: len(source.left)]
            source.left[: len(dice)] = [find_face(*pair) for pair in zip(dice, source.left)]
            transcript = transcript.throw(source.throw(step.pool), "typed")
    source.finish()
    return transcript


def _decide(transcript: Transcript, policy: Policy | best) -> Transcript:
    """The roll after the choice that a policy makes, with nothing thrown after it."""
    if isinstance(policy, best):
        return transcript.choose(policy.choose_in(transcript))
    run = transcript.position._ready()
    return transcript.choose(policy(Situation(run.step, run)))


def _face(face: Json, place: int) -> Face:
    if isinstance(face, dict):
        return value_from_json(face, f"faces[{place}]")
    if isinstance(face, str | int) and not isinstance(face, bool):
        return face
    raise BadField(f"faces[{place}]", msg("refused.answer.no_face"))


def step_of(transcript: Transcript) -> dict[str, object]:
    """Return the step or the outcome of a roll, in the form that events of a table have."""
    step = transcript.step
    if transcript.is_done:
        return _ending_data(transcript)
    if isinstance(step, Choice):
        return {
            "step": "choice",
            "by": step.by,
            "options": [option_to_json(transcript, option) for option in step.options],
            "about": about_to_json(step.about),
            **choice_to_json(transcript),
        }
    named = dice_names(transcript, step.pool)
    return {
        "step": "throw",
        "dice": [format_die(die) for die in step.pool.dice],
        "pool": value_to_json(step.pool),
        **({"named": named} if named else {}),
    }


def _ending_data(transcript: Transcript) -> dict[str, object]:
    """The outcome, its fields in readable form, whether it was good, and what it changes."""
    return {
        "step": "done",
        "outcome": value_to_json(transcript.outcome),
        "fields": outcome_fields(transcript.outcome),
        **ending_to_json(transcript),
        "effects": [_effect(transcript, effect) for effect in effects_of(transcript)],
    }


def _effect(transcript: Transcript, effect: Effect) -> dict[str, object]:
    request = transcript.request
    return {
        "kind": effect.kind,
        "amount": value_to_json(effect.amount),
        "target": effect.target,
        "said": "" if request is None else effect_text(find_game(request.game), effect),
    }


def narrate_transcript(transcript: Transcript) -> Text:
    """Return what happened so far."""
    from rollwright.notation.counter import expression

    if transcript.request is None and transcript.call.rule is not expression:
        return narrate(transcript)
    return narration_to_json(transcript)


def verify(question: VerifyQuery, budget: Budget) -> VerifyAnswer:
    """Whether it is true: yes, no, or null where it goes by rules that are not here."""
    if question.log is None:
        return verified_roll(question.transcript)

    def left() -> bool:
        """Whether nobody waits for the answer any more."""
        try:
            budget.spend(0)
        except RollwrightError:
            return True
        return False

    return verified_log(question.log, question.head or "", left)


def verified_roll(
    plain: Json, read: Callable[[Json], Transcript] = read_transcript
) -> VerifyAnswer:
    """Whether a saved roll is true; `read` says which rules it may be of."""
    try:
        transcript = read(plain)
    except RollwrightError as problem:
        is_beyond = _is_beyond(problem, plain)
        return {
            "true": None if is_beyond else False,
            "verdict": "partly" if is_beyond else "false",
            "place": getattr(problem, "place", ""),
            "problem": format_text(problem.wording),
        }
    told = say(
        narrate_transcript(transcript), transcript.request.game if transcript.request else ""
    )
    state: Literal["done", "open"] = "done" if transcript.is_done else "open"
    return {"true": True, "verdict": "true", "state": state, "told": told}


def _is_beyond(problem: RollwrightError, plain: Json) -> bool:
    """Whether a roll goes by other rules than those here, so that nothing can be said about it."""
    if not isinstance(problem, BadTranscript):
        return False
    if problem.place not in RULES:
        return problem.no_game
    return isinstance(plain, Mapping) and type(plain.get(problem.place)) is RULES[problem.place]


def verified_log(
    log: Mapping[str, Json], head: str = "", stop: Callable[[], bool] | None = None
) -> VerifyAnswer:
    """Whether the log of a table is true; with `head`, whether it still has that event."""
    from rollwright.table.verify.log import verify_log

    with use_locale(ENGLISH):  # texts are compared as they were written down
        report = verify_log(log, head=head, stop=stop)
    answer = cast("VerifyAnswer", {**report.to_json(), "said": report.sentences()})
    numbered = type(log.get("format")) in (int, float)  # however that is written
    unchecked = [one for one in report.problems if one.what in BEYOND and numbered]
    if unchecked and len(unchecked) == len(report.problems):
        answer["true"], answer["verdict"] = None, "partly"
        answer["said"] = [in_words("verify.beyond", problem=unchecked[0].wording)]
    return answer
