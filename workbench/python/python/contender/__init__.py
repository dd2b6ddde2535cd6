"""Contender: exact, fast games for bots, one at a time or many at once as NumPy arrays.

>>> import contender
>>> state = contender.game("uttt").start(seed=1)
>>> state.play(state.moves()[0])
>>> contender.bot("uttt", "champion").analyse(state, nodes=1000).move  # doctest: +SKIP
'1 1'

| for | take |
|---|---|
| one game | `game`, whose `start` gives a `State` |
| a bundled bot | `bot` |
| many games at once | `VectorEnv` |
| a tree search of many games, with leaves that Python evaluates | `TreeSearch` |
| PettingZoo, Gymnasium | `contender.pettingzoo`, `contender.gymnasium` |
| a match | `match` |
| the games of a log | `read_log`, `log_frame` |
| the networks that bots play with | `load_network`, `save_network`, `round_network`, `network_shapes`, `symmetries` |
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _native
from ._games import games, module_with
from ._native import Game, State
from .vector import TreeSearch, VectorEnv

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Analysis",
    "Bot",
    "Game",
    "MatchReport",
    "MoveAnalysis",
    "State",
    "TreeSearch",
    "VectorEnv",
    "bot",
    "game",
    "games",
    "load_network",
    "log_frame",
    "match",
    "network_shapes",
    "read_log",
    "round_network",
    "save_network",
    "symmetries",
]


Path = Union[str, "PathLike[str]"]


@dataclass(frozen=True)
class MoveAnalysis:
    """A bot's evaluation of a move."""

    move: str
    #: The bounds of the move's value, in `Analysis.unit`; equal if the value is a single number.
    low: float
    high: float
    #: Whether the value holds for perfect play to the end.
    is_proven: bool
    #: Nodes or visits spent on it.
    effort: int


@dataclass(frozen=True)
class Analysis:
    """A bot's analysis of a position. Values are from the view of `player`, in `unit`."""

    player: int
    #: The lines of the player's answer.
    answer: list[str]
    #: The move to play, followed by the other moves from best to worst.
    moves: list[MoveAnalysis]
    #: Probabilities of the first moves, where it is best to be unpredictable.
    strategy: list[float]
    #: What both players are expected to play.
    line: list[str]
    unit: str
    depth: int
    counts: dict[str, int]
    inputs: dict[str, float]
    seconds: float

    @property
    def move(self) -> str:
        """The move to play, in the format of `State.play`."""
        return ";".join(self.answer)


class Bot:
    """A bundled bot: `contender.bot("uttt", "champion")`, or with options, `"uct:c=0.5"`."""

    def __init__(self, game: str, name: Optional[str] = None) -> None:
        self._bot = module_with(game).Bot(game, name)

    @property
    def name(self) -> str:
        """The bot's name."""
        return self._bot.name

    def __repr__(self) -> str:
        return repr(self._bot)

    def analyse(
        self,
        state: State,
        nodes: Optional[int] = None,
        time: Optional[str] = None,
        player: Optional[int] = None,
        seed: int = 0,
    ) -> Analysis:
        """Lets the bot analyse a position within `nodes`, `time` (`"100ms"`) or both, by default 1 s."""
        found = self._bot.think(state, nodes, time, player, seed)
        found["moves"] = [MoveAnalysis(*of) for of in found["moves"]]
        found["counts"], found["inputs"] = dict(found["counts"]), dict(found["inputs"])
        return Analysis(**found)


def game(name: str) -> Game:
    """Returns the game with this name, one of `games()`."""
    return module_with(name).Game(name)


def bot(game: str, name: Optional[str] = None) -> Bot:
    """Returns a bundled bot of a game, by default the strongest."""
    return Bot(game, name)


def load_network(game: str, path: Path) -> dict[str, NDArray[np.float32]]:
    """Reads a network file in the format of bots.

    Returns float32 arrays by name: `embed` [planes, channels], `convolution0`... [3, 3, inputs, outputs], `heads`
    [channels, sides * (actions + 1) + 1], `wait` [sides, cells], `hidden` [cells, hidden], `value` [hidden], each with
    its `_bias`.
    """
    return module_with(game).load_network(game, path)


def save_network(game: str, path: Path, tensors: dict[str, NDArray[np.float32]]) -> None:
    """Writes a network file in the format of bots. Numbers are rounded to a few bits; see `round_network`."""
    module_with(game).save_network(game, path, tensors)


def round_network(game: str, tensors: dict[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
    """Rounds a network exactly as if it were saved with `save_network` and loaded with `load_network`."""
    return module_with(game).round_network(game, tensors)


def network_shapes(
    game: str, channels: int, blocks: int, hidden: int, sides: int = 1
) -> dict[str, tuple[int, ...]]:
    """Returns the tensor shapes of a network with these sizes, in the order of the file."""
    return module_with(game).network_shapes(game, channels, blocks, hidden, sides)


def symmetries(game: str) -> NDArray[np.int64]:
    """Returns the symmetric images of a game's map: int64 [images, cells], with the cell that each cell moves to.

    The first image is the map itself. The actions of a cell keep their numbers.
    """
    return module_with(game).symmetries(game)


@dataclass(frozen=True)
class MatchReport:
    """The result of a match between bots A and B. `raw` contains all data of `contender match --json`."""

    game: str
    #: Number of complete pairs, and number of finished games.
    pairs: int
    games: int
    #: `"a-better"`, `"b-better"` or `"no-difference-shown"`, with 95 % confidence.
    verdict: str
    #: Games of complete pairs that A won, drew and lost.
    wins: int
    draws: int
    losses: int
    #: A's wins and half its draws as a share, with its 95 % interval.
    win_rate: Optional[float]
    win_rate_interval: Optional[tuple[float, float]]
    #: The mean difference of points per game, with its 95 % interval.
    difference: Optional[float]
    difference_interval: Optional[tuple[float, float]]
    #: A's advantage, with its 95 % interval.
    elo: Optional[float]
    elo_interval: Optional[tuple[float, float]]
    #: Failures of each bot by kind.
    failures: tuple[dict[str, int], dict[str, int]]
    #: How the match ended: `"complete"`, or `"failed"`, then `raw["end"]["error"]` says why.
    end: str
    notes: list[str]
    raw: dict[str, Any] = field(repr=False)


def _interval(of: Optional[dict[str, Any]]) -> Optional[tuple[float, float]]:
    return None if of is None else (of["low"], of["high"])


def match(
    game: str,
    one: str,
    other: str,
    pairs: int = 100,
    nodes: Optional[int] = None,
    time: Optional[str] = None,
    seed: int = 1,
    jobs: Optional[int] = None,
    rules: Optional[list[str]] = None,
    log: Optional[Path] = None,
) -> MatchReport:
    """Plays pairs of games between two bots, each pair with the same seed and swapped seats.

    A bot is a bundled bot (`"champion"`, `"uct:c=0.5"`) or a command (`"python3 bot.py"`). Games are appended to `log`.
    """
    raw = json.loads(module_with(game).play_match(game, one, other, pairs, nodes, time, seed, jobs, rules, log))
    results, elo = raw["results"], raw["elo"] or {}
    return MatchReport(
        game=raw["game"],
        pairs=raw["pairs"],
        games=raw["games"],
        verdict=raw["verdict"],
        wins=results["wins"],
        draws=results["draws"],
        losses=results["losses"],
        win_rate=raw["win_rate"],
        win_rate_interval=_interval(raw["win_rate_interval"]),
        difference=raw["difference"]["mean"],
        difference_interval=_interval(raw["difference"]["interval"]),
        elo=elo.get("elo"),
        elo_interval=_interval(elo.get("interval")),
        failures=tuple(bot["failures"] for bot in raw["bots"]),
        end=raw["end"]["kind"],
        notes=raw["notes"],
        raw=raw,
    )


def read_log(path: Path) -> Iterator[dict[str, Any]]:
    """Yields the games of a log, each as a dict with the keys that `docs/reference/formats.md` lists."""
    return map(json.loads, _native.read_log(path))


def log_frame(path: Path) -> Any:
    """Returns the games of a log as a data frame of `polars`, or of `pandas` if only `pandas` is installed."""
    games = [
        {key: record.get(key) for key in ("game", "seed", "result", "seconds")}
        | {"seed": int(record["seed"])}
        | {"moves": len(record.get("moves", []))}
        | {f"player{seat}": name for seat, name in enumerate(record["players"])}
        | {f"score{seat}": score for seat, score in enumerate(record.get("scores", []))}
        for record in read_log(path)
    ]
    try:
        import polars
    except ImportError:
        import pandas

        return pandas.DataFrame(games)
    return polars.DataFrame(games)
