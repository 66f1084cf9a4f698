"""Programs of AnyDice, worked out exactly.

>>> from rollwright.anydice import run
>>> print(run("output 2d6 >= 10").outputs[0].odds.p(1))
1/6
"""

from rollwright.anydice.errors import AnyDiceError
from rollwright.anydice.interpreter import OutputOdds, ProgramResult, run
from rollwright.anydice.translator import PythonTranslation, translate

__all__ = ["AnyDiceError", "ProgramResult", "OutputOdds", "PythonTranslation", "run", "translate"]
