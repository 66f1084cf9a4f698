"""A roll without a table: started, gone on with faces or a choice, and told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rollwright.budget import Budget
from rollwright.engine.live import play
from rollwright.engine.sources import Seeded, Source, System, Typed
from rollwright.engine.steps import Choice
from rollwright.engine.transcript import Transcript
from rollwright.engine.values import from_plain, to_plain
from rollwright.errors import BadAnswer, BadField, RollwrightError
from rollwright.kit.words import face_meant, option_said
from rollwright.kit.words import told as tell
from rollwright.pictures.rows import value_said
from rollwright.server.asking_odds import text_of
from rollwright.server.asking_subjects import Subject, read_transcript, subject_of
from rollwright.table.words import about_said, die_said, is_good, outcome_fields, story
from rollwright.table.words import question as question_of

MOST_FACES = 2000


def roll(question: Mapping[str, Any], budget: Budget) -> dict[str, Any]:
    """Start a roll or go on with one, as far as faces, the option and the policy carry it."""
    from rollwright.api import started

    subject = subject_of(question)
    transcript = subject.what if isinstance(subject.what, Transcript) else started(subject.what)
    transcript = _chosen(transcript, question)
    transcript = _played(transcript, subject, question)
    return told_roll(transcript)


def told_roll(transcript: Transcript) -> dict[str, Any]:
    """A roll as an answer: as data to go on with, in words, and what it waits for."""
    return {
        "transcript": transcript.to_plain(),
        "told": told(transcript),
        "step": step_of(transcript),
        "throws": [
            {"pool": to_plain(step.pool), "faces": [to_plain(face) for face in faces]}
            for step, faces in transcript.throws
        ],
    }


def _chosen(transcript: Transcript, question: Mapping[str, Any]) -> Transcript:
    """The roll after the option that the question names, plainly or by its number."""
    if "option" not in question and question.get("number") is None:
        return transcript
    step = transcript.step
    if not isinstance(step, Choice):
        raise BadAnswer(f"an option came where nobody chooses: the roll waits for {step!r}")
    number = question.get("number")
    if number is not None:
        if type(number) is not int or not 0 <= number < len(step.options):
            raise BadField("number", "no option has it", would_do=f"0 to {len(step.options) - 1}")
        return transcript.choose(step.options[number], text_of(question, "by"))
    return transcript.choose(option_meant(step, question["option"]), text_of(question, "by"))


def option_meant(step: Any, plain: Any) -> Any:
    """The option that was offered in this form, or is said so."""
    for option in step.options:
        if to_plain(option) == plain or (isinstance(plain, str) and option_said(option) == plain):
            return option
    return from_plain(plain, "option")


def _played(transcript: Transcript, subject: Subject, question: Mapping[str, Any]) -> Transcript:
    faces, seed = question.get("faces"), question.get("seed")
    policy = _policy(subject, text_of(question, "policy"))
    if faces is None:
        return play(transcript, source=_source(transcript, seed), policy=policy)
    if seed is not None:
        raise BadField("faces", "faces are either given or rolled from a seed, not both")
    return _typed(transcript, faces, policy)


def _policy(subject: Subject, name: str) -> Any:
    if not name:
        return None
    if subject.game is None or subject.request is None:
        raise BadField("policy", "only the rolls of a game have policies", would_do="none")
    return subject.game.policy(name, subject.request)


def _source(transcript: Transcript, seed: Any) -> Source:
    """Where faces come from; a seed gives other faces after each entry of the same roll."""
    if seed is None:
        return System()
    if not isinstance(seed, int | str) or isinstance(seed, bool) or len(str(seed)[:201]) > 200:
        raise BadField("seed", "this is no seed", would_do="a whole number or a short text")
    return Seeded(seed) if not transcript.entries else Seeded(f"{seed} {len(transcript.entries)}")


def _typed(transcript: Transcript, faces: Any, policy: Any) -> Transcript:
    """The roll as far as the faces that somebody read off real dice carry it."""
    if not isinstance(faces, list) or len(faces) > MOST_FACES:
        raise BadField("faces", "these are no faces", would_do=f"a list of at most {MOST_FACES:,}")
    source = Typed([_face(face, place) for place, face in enumerate(faces)])
    while source.left:
        step = transcript.step
        if transcript.is_done or (isinstance(step, Choice) and policy is None):
            break
        if isinstance(step, Choice):
            transcript = _decided(transcript, policy)
        else:
            dice = step.pool.dice[: len(source.left)]
            source.left[: len(dice)] = [face_meant(*pair) for pair in zip(dice, source.left)]
            transcript = transcript.throw(source.throw(step.pool), "typed")
    source.finish()
    return transcript


def _decided(transcript: Transcript, policy: Any) -> Transcript:
    """The roll after the choice that a policy makes, with nothing thrown after it."""
    from rollwright.engine.best.advice import best
    from rollwright.engine.odds.count import Situation

    if isinstance(policy, best):
        return transcript.choose(policy.choose_in(transcript))
    run = transcript.position._ready()
    return transcript.choose(policy(Situation(run.step, run)))


def _face(face: Any, place: int) -> Any:
    if isinstance(face, dict):
        return from_plain(face, f"faces[{place}]")
    if isinstance(face, str | int) and not isinstance(face, bool):
        return face
    raise BadField(f"faces[{place}]", "this is no face of a die")


def step_of(transcript: Transcript) -> dict[str, Any]:
    """What a roll waits for, or what it came to, in the form that events of a table have."""
    step = transcript.step
    if transcript.is_done:
        return {"step": "done", "outcome": to_plain(step.outcome), **_ended(transcript)}
    if isinstance(step, Choice):
        return {
            "step": "choice",
            "by": step.by,
            "options": [
                {"option": to_plain(option), "said": option_said(option)} for option in step.options
            ],
            "about": about_said(step.about),
            "question": question_of(step.options),
        }
    return {
        "step": "throw",
        "dice": [die_said(die) for die in step.pool.dice],
        "pool": to_plain(step.pool),
    }


def _ended(transcript: Transcript) -> dict[str, Any]:
    """The fields of the outcome in readable form, whether it was good, and what it changes."""
    from rollwright.kit.games import find_game

    ended: dict[str, Any] = {
        "fields": outcome_fields(transcript.outcome),
        "good": is_good(transcript),
        "effects": [],
    }
    request = transcript.request
    game = None if request is None else find_game(request.game)
    if game is not None and game.effects is not None:
        effects = game.effects(request, transcript.outcome)
        ended["effects"] = [_effect(effect) for effect in effects if not effect.quiet]
    return ended


def _effect(effect: Any) -> dict[str, Any]:
    target = f" ({effect.target})" if effect.target else ""
    return {
        "kind": effect.kind,
        "amount": to_plain(effect.amount),
        "target": effect.target,
        "said": f"{effect.kind} {value_said(effect.amount)}{target}",
    }


def told(transcript: Transcript) -> str:
    """What happened so far, in a sentence."""
    from rollwright.notation.rules import expression

    if transcript.request is None and transcript.call.rule is not expression:
        return tell(transcript)
    return story(transcript)


def verify(question: Mapping[str, Any], budget: Budget) -> dict[str, Any]:
    """Whether a saved roll or a whole log is true; what is wrong with it is named."""
    if question.get("log") is not None:
        return _verified_log(question["log"], budget)
    if question.get("transcript") is None:
        raise BadField("transcript", "nothing to verify came", would_do="a transcript or a log")
    try:
        transcript = read_transcript(question["transcript"])
    except RollwrightError as problem:
        return {"true": False, "place": getattr(problem, "place", ""), "problem": str(problem)}
    state = "done" if transcript.is_done else "open"
    return {"true": True, "state": state, "told": told(transcript)}


def _verified_log(log: Any, budget: Budget) -> dict[str, Any]:
    from rollwright.table.verify.log import verify_log

    def left() -> bool:
        """Whether nobody waits for the answer any more."""
        try:
            budget.spend(0)
        except RollwrightError:
            return True
        return False

    report = verify_log(log, stop=left)
    return {**report.to_plain(), "said": report.said()}
