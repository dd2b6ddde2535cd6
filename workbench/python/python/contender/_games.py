"""The modules that contain games."""

from __future__ import annotations

import functools
import warnings
from importlib.metadata import entry_points
from types import ModuleType

from . import _native


@functools.cache
def modules() -> list[ModuleType]:
    """The module of Contender's games, and the modules of custom games, which packages declare as `contender.games`."""
    found = entry_points()
    if hasattr(found, "select"):
        plugins = found.select(group="contender.games")
    else:  # Python 3.9
        plugins = found.get("contender.games", [])
    loaded = [_native]
    for plugin in plugins:
        # A broken package of one game must not prevent the use of the others.
        try:
            loaded.append(plugin.load())
        except ImportError as error:
            warnings.warn(f"the custom game `{plugin.name}` cannot be loaded: {error}", stacklevel=2)
    return loaded


def module_with(game: str) -> ModuleType:
    """Returns the module that has this game."""
    for module in modules():
        if game in module.games():
            return module
    raise ValueError(f"unknown game `{game}`; available: {', '.join(games())}")


def games() -> list[str]:
    """Returns the names of all games, including custom games from installed packages."""
    return [name for module in modules() for name in module.games()]
