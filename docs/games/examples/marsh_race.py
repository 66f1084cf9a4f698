"""Marsh Race: two runners on a causeway, and a one is mud."""

from typing import Annotated

from rollwright.game import Bar, Game, Sheet, Situation, Verdict, choose, die, roll

HOME = 12
STEP = die(6, "Step")
game = Game("Marsh Race", theme="#3b4a2a")


class Runner(Sheet):
    """Somebody who runs across the marsh."""

    place: Annotated[int, Bar(HOME), "how far along the causeway"] = 0


@game.add_policy("stop after five steps")
def cautious(now: Situation) -> str:
    """A one takes all steps of a turn, so five of them are enough."""
    return "stop" if now.about >= 5 else "run on"


@game.roll(goal="home", order=("home", "beaten"), policy="cautious")
async def race(me: Runner, rival: Runner) -> Verdict:
    """Run in turns; whoever is home first has won."""
    while True:
        for runner in (me, rival):
            steps, against = 0, runner is rival
            while True:
                face = (await roll(STEP, by=runner)).sum
                steps = 0 if face == 1 else steps + face
                if face == 1 or runner.place + steps >= HOME:
                    break
                if (
                    await choose("stop", "run on", by=runner, about=steps, against=against)
                    == "stop"
                ):
                    break
            runner.place += steps
            if runner.place == HOME:
                return Verdict("home" if runner is me else "beaten")


@game.on_new_session
def back_to_the_start(me: Runner) -> None:
    """A new session, a new race."""
    me.place = 0
