"""Programs of AnyDice, worked out exactly.

>>> from rollwright.anydice import run
>>> print(run("output 2d6 >= 10").outputs[0].odds.p(1))
1/6
"""

from rollwright.anydice.errors import AnyDiceError
from rollwright.anydice.interpreter import Answer, Shown, run
from rollwright.anydice.translator import Translated, translated

__all__ = ["AnyDiceError", "Answer", "Shown", "Translated", "run", "translated"]
