"""A roll made to be shown elsewhere: as a picture, as a text to paste, with its odds and a link."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rollwright.engine.transcript import Transcript
from rollwright.errors import RollwrightError
from rollwright.i18n.locale import in_words, reader_language
from rollwright.kit.card.endings import title_text
from rollwright.kit.card.texts import say
from rollwright.kit.games import Game, find_game
from rollwright.pictures.files import pixels, render_roll
from rollwright.pictures.outcomes import all_numbers
from rollwright.pictures.rolls import RollDrawing, ThrowDrawing, render_svg, render_text
from rollwright.pictures.themes import icons_to_json, theme_to_json
from rollwright.queries.measures import GoalMeasure, measure_of
from rollwright.queries.odds import known_odds, play_words, policy_data
from rollwright.queries.roll_specs import (
    RollSpec,
    of_expression,
    of_request,
    of_transcript,
    read_transcript,
)
from rollwright.queries.rolls import roll_answer
from rollwright.queries.shares.dice import format_more, limit_dice, throw_pictures
from rollwright.queries.shares.roll_links import link_at, write_roll_link

if TYPE_CHECKING:
    from rollwright.budget import Budget
    from rollwright.kit.requests import Request
    from rollwright.queries.kinds import ShareQuery
    from rollwright.queries.schemas import MeasureWorth, PolicyData, RollAnswer, ShareAnswer

MENTIONED = re.compile(r"@([sn]\d+)\b")


class RollShare(NamedTuple):
    """A roll made to be shown elsewhere, as Python has it: `rw.share(rolled).save("roll.png")`."""

    text: str
    """Lines to paste into a chat, with the link."""
    link: str
    """The link that verifies it: `rollwright verify LINK`; empty if the roll is too long."""
    picture: RollDrawing

    @property
    def svg(self) -> str:
        """The picture by day and by night, as the viewer has it."""
        return render_svg(self.picture)

    def png(self, light: str = "dark") -> bytes:
        """The picture in pixels; this needs the package resvg-py."""
        return pixels(render_svg(self.picture, light=light))

    def render(self, name: str) -> bytes:
        """The bytes of a file with that name, which ends in .svg or .png."""
        return render_roll(self.picture, name)

    def save(self, name: str) -> None:
        """Write the picture to a file; its name ends in .svg or .png."""
        data = self.render(name)
        with open(name, "wb") as file:
            file.write(data)

    def _repr_html_(self) -> str:
        return f"<div>{self.svg}</div>"


def share(rolled: Transcript, who: str = "", *, address: str = "", policy: str = "") -> RollShare:
    """A roll as a picture and as a text to paste, with the odds it had and a link that verifies.

    >>> import rollwright as rw
    >>> print(share(rw.roll("4d6kh3", faces=[6, 1, 3, 5]), "Ana").text.partition("Its rules")[0])
    Ana: 4d6kh3
    14
    4d6kh3 [6 ~1~ 3 5] = 14
    12.24 on average
    <BLANKLINE>
    """
    from rollwright.budget import Budget
    from rollwright.queries.kinds import ShareQuery

    question = ShareQuery.from_plain(
        {"transcript": {}, "who": who or None, "policy": policy or None}
    )
    shown = roll_view(rolled, question, Budget())
    link = link_at(address, write_roll_link(rolled))
    return RollShare(render_text(shown, link), link, shown)


def share_answer(question: ShareQuery, budget: Budget) -> ShareAnswer:
    """A roll as a picture, a text and a link."""
    transcript = read_transcript(question.transcript)
    shown = roll_view(transcript, question, budget)
    link = link_at(question.address or "", write_roll_link(transcript, question.proof))
    return {
        "title": shown.title,
        "told": shown.told,
        "odds": shown.odds,
        "chance": shown.chance,
        "text": render_text(shown, link),
        "link": link,
        "svg": render_svg(shown, light=question.light or ""),
    }


def roll_view(transcript: Transcript, question: ShareQuery, budget: Budget) -> RollDrawing:
    """All that is shown of a roll, in the reader's words."""
    names = {str(ref): str(name) for ref, name in (question.people or {}).items()}
    answer = _with_names(roll_answer(transcript), names)
    request = transcript.request
    game = None if request is None else find_game(request.game)
    before = _before(transcript, question, budget)
    dice = tuple(throw_pictures(answer, transcript, game))
    if request is None:
        dice = (ThrowDrawing(tuple([die for throw in dice for die in throw.dice])),)
    ending: Mapping[str, Any] = answer["step"]
    verdict: Mapping[str, Any] = ending.get("verdict") or {}
    return RollDrawing(
        _title_with_secrecy(
            _with_names_in(_title(transcript, request), names), question.secret or ""
        ),
        answer["told"],
        limit_dice(dice),
        who=question.who or "",
        verdict=verdict.get("word") or ending.get("question") or _value(ending, request),
        tone=verdict.get("tone", "even"),
        detail=(*verdict.get("detail", ()), *verdict.get("paid", ())),
        odds=_format_odds(before, game, request),
        chance=_chance(before),
        proof=in_words("share.proof", proven="yes" if question.proof else "no"),
        theme=_theme(game),
        icons={} if game is None else icons_to_json(game.card.icons),
        more=format_more(dice),
    )


def _with_names(answer: RollAnswer, names: Mapping[str, str]) -> RollAnswer:
    """The answer with people's names in the place of @s3 and the like."""
    if not names:
        return answer
    named: Any = _with_names_in(answer, names)
    return {**answer, "told": named["told"], "step": named["step"], "throws": named["throws"]}


def _with_names_in(held: Any, names: Mapping[str, str]) -> Any:
    if isinstance(held, str):
        return MENTIONED.sub(lambda found: names.get(found[1], found[0]), held)
    if isinstance(held, list):
        return [_with_names_in(one, names) for one in held]
    return (
        {k: _with_names_in(v, names) for k, v in held.items()} if isinstance(held, dict) else held
    )


def _title_with_secrecy(title: str, secret: str) -> str:
    """The title of a roll; one that not everybody sees says so."""
    return f"{title} ({in_words('visibility', how=secret)})" if secret else title


def _title(transcript: Transcript, request: Request | None) -> str:
    if request is None:
        return of_transcript(transcript).title
    return say(title_text(request), request.game, reader_language())


def _value(ending: Mapping[str, Any], request: Request | None) -> str:
    """Return the result of dice alone: a number, or several."""
    value = None if request is not None else ending.get("fields", {}).get("value")
    values = value if isinstance(value, list) else [value]
    return "; ".join(str(one) for one in values if isinstance(one, int | str))


def _theme(game: Game | None) -> Mapping[str, Mapping[str, str]]:
    try:
        return {} if game is None else theme_to_json(game.card.theme)
    except RollwrightError:  # a look that cannot be shown is none
        return {}


class _Before(NamedTuple):
    """The worth of a roll before it was made, and the play under which that holds."""

    worth: MeasureWorth
    play: PolicyData | None


def _before(transcript: Transcript, question: ShareQuery, budget: Budget) -> _Before | None:
    """Return the odds of the roll before it was made; None if that takes too long."""
    subject = _start_of(transcript)
    try:
        return None if subject is None else _count_odds(subject, question, budget)
    except RollwrightError:
        return None


def _start_of(transcript: Transcript) -> RollSpec | None:
    """Return the roll with nothing thrown yet; None for somebody's own rule."""
    from rollwright.notation.counter import expression

    if transcript.request is not None:
        return of_request(transcript.request)
    if transcript.call.rule is not expression:
        return None
    text, variables = transcript.call.args
    return of_expression(str(text), dict(variables))  # type: ignore[call-overload]


def _count_odds(subject: RollSpec, question: ShareQuery, budget: Budget) -> _Before | None:
    policy, request = question.policy or "", subject.request
    measure = (
        measure_of(subject)
        if request is None
        else GoalMeasure(subject, question.goal or "").measure
    )
    known = known_odds(subject, policy, budget)
    if request is None and not all_numbers(known.dist.outcomes):
        return None
    play = policy_data(request, policy) if request is not None and known.chooses else None
    return _Before(measure.worth_of(known.dist), play)


def _format_odds(before: _Before | None, game: Game | None, request: Request | None) -> str:
    """The odds a roll had, with the play they hold under."""
    if before is None:
        return ""
    said, goal = before.worth["said"], before.worth.get("goal")
    if not before.worth["chance"]:
        said = in_words("share.mean", mean=said)
    elif before.play and game is not None and request is not None:
        said = play_words(game, request.roll, before.play, said)
    return in_words("share.odds", odds=said, goal=goal["title"]) if goal else said


def _chance(before: _Before | None) -> float | None:
    return before.worth["number"] if before and before.worth["chance"] else None
