"""The rules written a second time, by plain enumeration of raw faces: what the odds must equal."""

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

FACES = range(1, 11)
D10ISH = [0, 10, *range(1, 10), *range(1, 10)]


def decided(faces, coins="each"):
    """Every way to decide the 10s of some d10s, in order, each equally likely among its like."""
    tens = [n for n, face in enumerate(faces) if face == 10]
    if not tens:
        yield Fraction(1), faces
        return
    flips = len(tens) if coins == "each" else 1
    for flip in product((0, 10), repeat=flips):
        dice = list(faces)
        for number, place in enumerate(tens):
            dice[place] = flip[number if coins == "each" else 0]
        yield Fraction(1, 2**flips), tuple(dice)


@cache
def dice_in_order(count, method="coin", coins="each"):
    """The decided dice of a throw, in order, with their chances."""
    found = defaultdict(Fraction)
    if method == "d10ish":
        for dice in product(D10ISH, repeat=count):
            found[dice] += Fraction(1, 20**count)
    else:
        for faces in product(FACES, repeat=count):
            for chance, dice in decided(faces, coins):
                found[dice] += chance / 10**count
    return dict(found)


@cache
def kept(net, method="coin", coins="each"):
    """The die that counts, for Advantages (positive) or Disadvantages (negative) after the cap."""
    net = max(-3, min(3, net))
    found = defaultdict(Fraction)
    for dice, chance in dice_in_order(abs(net) + 1, method, coins).items():
        found[max(dice) if net >= 0 else min(dice)] += chance
    return dict(found)


def scored(die, modifier, beyond=True):
    """Number and critical mark of a kept die."""
    mark = {0: -1, 10: 1}.get(die, 0)
    return (99 * mark if mark and beyond else die + modifier), mark


def band(number):
    """The band a number lies in."""
    return "high" if number >= 10 else "mixed" if number >= 7 else "low"


def gifts(die, modifier):
    """How many Advantages a kept die and its Modifier allow to give."""
    return {"low": 0, "mixed": 1, "high": 2}[band(scored(die, modifier)[0])]


class Player(NamedTuple):
    """One player in the middle of a Group Test, with every die known."""

    dice: tuple
    lowest: bool
    swallow: int
    points: int
    first_gifts: int
    gave: int = 0
    received: int = 0
    promised: int = 0


class GroupOracle:
    """A Group Test over exact dice; best play is free to choose the order of helpers too."""

    def __init__(self, mods, nets, goal=7, read="goal", method="coin", **house):
        if read == "bands" and house.get("critical_value") == "with_modifier":
            read = "scores"
        self.mods, self.nets, self.goal, self.read, self.method = mods, nets, goal, read, method
        self.plus_one = house.get("group_help") == "plus_one"
        self.cancel = house.get("late_advantage", "cancel") == "cancel" and not self.plus_one
        self.chain = house.get("group_chain", False)
        self.at_once = house.get("group_looking") == "at_once"
        self.beyond = house.get("critical_value", "beyond") == "beyond"
        self.coins = house.get("coins", "each")
        self.zero = house.get("group_zero", "critical")
        self.best = cache(self._best)
        self.chance = cache(self._chance)
        self.played = cache(self._played)

    def starts(self):
        """Everybody's first roll."""
        rolls = [self._rolls(mod, net) for mod, net in zip(self.mods, self.nets)]
        for combination in product(*(roll.items() for roll in rolls)):
            chance = Fraction(1)
            for _, part in combination:
                chance *= part
            yield tuple(player for player, _ in combination), chance

    def _rolls(self, mod, net):
        found = defaultdict(Fraction)
        count = min(3, abs(net)) + 1
        for dice, chance in dice_in_order(count, self.method, self.coins).items():
            die = min(dice) if net < 0 else max(dice)
            in_order = net < 0 and self.cancel
            player = Player(
                dice if in_order else (die,),
                in_order,
                max(0, -net - 3) if self.cancel else 0,
                0,
                gifts(die, mod),
            )
            found[player] += chance
        return found

    def score(self, n, player):
        """Number and critical mark of a player."""
        die = min(player.dice) if player.lowest else max(player.dice)
        number, mark = scored(die, self.mods[n], self.beyond)
        return (number if abs(number) == 99 else number + player.points), mark

    def left(self, n, player):
        """How many Advantages a player has left to give."""
        earned = player.first_gifts
        if self.chain:
            number, mark = self.score(n, player)
            now = {-1: 0, 1: 2, 0: (number >= 7) + (number >= 10)}[mark]
            earned = max(earned, now)
        return earned - player.gave

    def takes(self, n, player, late=1):
        """What `late` Advantages at once make of a player, with chances."""
        while late:
            if self.plus_one:
                player = player._replace(points=player.points + 1)
            elif player.lowest and player.swallow:
                player = player._replace(swallow=player.swallow - 1)
            elif player.lowest and len(player.dice) > 1:
                player = player._replace(dice=player.dice[:-1])
            else:
                break
            late -= 1
        if not late:
            return {player: Fraction(1)}
        found = defaultdict(Fraction)
        for die, chance in kept(late - 1, self.method, self.coins).items():
            best = max(die, *player.dice)
            found[player._replace(dice=(best,), lowest=False)] += chance
        return found

    def given(self, state, receiver):
        """The states after one Advantage has gone to a player."""
        player = state[receiver]
        player = player._replace(received=player.received + 1)
        if self.at_once:
            player = player._replace(promised=player.promised + 1)
            return {self.put(state, receiver, player): Fraction(1)}
        return {
            self.put(state, receiver, after): chance
            for after, chance in self.takes(receiver, player).items()
        }

    @staticmethod
    def put(state, n, player):
        """The state with one player changed."""
        return (*state[:n], player, *state[n + 1 :])

    def resolved(self, state):
        """The states after all promised Advantages have been rolled; what was kept is gone."""
        state = tuple(p._replace(gave=p.gave + self.left(n, p)) for n, p in enumerate(state))
        states = {state: Fraction(1)}
        for n in range(len(state)):
            grown = defaultdict(Fraction)
            for here, chance in states.items():
                late = here[n].promised
                for after, more in self.takes(n, here[n]._replace(promised=0), late).items():
                    grown[self.put(here, n, after)] += chance * more
            states = grown
        return states

    def has_room(self, n, player):
        """Whether one more Advantage may be given to a player."""
        return self.nets[n] + player.received < 3

    def moves(self, state):
        """Every giver with every other player who may receive."""
        for giver, receiver in product(range(len(state)), repeat=2):
            able = giver != receiver and self.left(giver, state[giver]) > 0
            if able and self.has_room(receiver, state[receiver]):
                yield giver, receiver

    def reached(self, state):
        """Whether the lowest Score is at least the goal."""
        return all(self.score(n, player)[0] >= self.goal for n, player in enumerate(state))

    def _best(self, state):
        """The chance of the goal when everybody plays for it, in any order they like."""
        if any(player.promised for player in state):
            after = self.resolved(state)
            go_on = self.best if self.chain else self.reached
            value = sum(chance * go_on(end) for end, chance in after.items())
        else:
            value = Fraction(self.reached(state))
        if value == 1:
            return value
        for giver, receiver in self.moves(state):
            paid = self.put(state, giver, state[giver]._replace(gave=state[giver].gave + 1))
            after = self.given(paid, receiver)
            value = max(value, sum(chance * self.best(end) for end, chance in after.items()))
        return value

    def best_chance(self):
        """The chance of the goal with best play from the start."""
        return sum(chance * self.best(state) for state, chance in self.starts())

    def top(self):
        """The number above which nothing more is read."""
        return {"goal": self.goal, "bands": max(10, self.goal), "scores": 99}[self.read]

    def seen(self, number):
        """A number as coarsely as helpers see it."""
        if self.read == "scores" or self.plus_one:
            return number
        marks = (self.goal,) if self.read == "goal" else (7, 10, self.goal)
        return max([mark for mark in marks if mark <= number], default=-98)

    def next_move(self, state, order):
        """The giver whose turn it is and whom the policy picks; None when help is over."""
        top = self.top()
        numbers = [self.score(n, player)[0] for n, player in enumerate(state)]
        needy_first = sorted(range(len(state)), key=lambda n: numbers[n] >= top)
        for giver in range(len(state)) if self.read == "scores" else needy_first:
            can = [
                n
                for n, player in enumerate(state)
                if n != giver and numbers[n] < top and self.has_room(n, player)
            ]
            if can and self.left(giver, state[giver]) > 0:
                below = [n for n in can if numbers[n] < self.goal]
                wanted = order and below
                return giver, min(below, key=lambda n: order(self, n, state)) if wanted else None
        return None

    def _played(self, state, order):
        """The ends of a Group Test under a policy, with chances."""
        move = self.next_move(state, order)
        if move is None:
            if not any(player.promised for player in state):
                return {state: Fraction(1)}
            after = self.resolved(state)
        else:
            giver, receiver = move
            paid = self.put(state, giver, state[giver]._replace(gave=state[giver].gave + 1))
            after = {paid: Fraction(1)} if receiver is None else self.given(paid, receiver)
        ends = defaultdict(Fraction)
        for here, chance in after.items():
            for end, more in self.played(here, order).items():
                ends[end] += chance * more
        return ends

    def _chance(self, state, order):
        """The chance of the goal under a policy."""
        move = self.next_move(state, order)
        if move is None:
            return Fraction(self.reached(state))
        giver, receiver = move
        paid = self.put(state, giver, state[giver]._replace(gave=state[giver].gave + 1))
        after = {paid: Fraction(1)} if receiver is None else self.given(paid, receiver)
        return sum(chance * self.chance(end, order) for end, chance in after.items())

    def chance_of_goal(self, order):
        """The chance of the goal under a policy, from the start, one Advantage at a time."""
        return sum(chance * self.chance(state, order) for state, chance in self.starts())

    def outcomes(self, order):
        """(reached, band, critical, score, received) with chances, under a policy."""
        found = defaultdict(Fraction)
        for state, chance in self.starts():
            for end, more in self.played(state, order).items():
                number, mark = min(self.score(n, player) for n, player in enumerate(end))
                critical = {-1: "0!", 0: "", 1: "10!"}[mark]
                if critical == "0!" and self.zero == "low":
                    critical = ""
                received = tuple(player.received for player in end)
                key = (number >= self.goal, band(number), critical, number, received)
                found[key] += chance * more
        return found


def by_score(oracle, n, state):
    """Lowest first, then the lower Modifier."""
    seen = oracle.seen(oracle.score(n, state[n])[0])
    return state[n].promised, seen, oracle.mods[n]


def by_weakness(oracle, n, state):
    """The lower Modifier first."""
    return state[n].promised, oracle.mods[n]


def by_strength(oracle, n, state):
    """The higher Modifier first."""
    return state[n].promised, -oracle.mods[n]


ORDERS = {
    "never": None,
    "lowest-first": by_score,
    "weakest-first": by_weakness,
    "strongest-first": by_strength,
}
