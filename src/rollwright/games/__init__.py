"""The games, one folder each. Calling this module lists their names: `rollwright.list_games()`."""

from __future__ import annotations

import sys
from types import ModuleType


class _Games(ModuleType):
    """A module that can be called, since `rollwright.games` is both a folder and a question."""

    def __call__(self) -> tuple[str, ...]:
        from rollwright.kit.games import list_games

        return list_games()


sys.modules[__name__].__class__ = _Games
