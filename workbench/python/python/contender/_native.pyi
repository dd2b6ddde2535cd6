from collections.abc import Sequence
from os import PathLike
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

def games() -> list[str]:
    """Returns the names of all games."""

class Game:
    """A game: `contender.game("uttt")`."""

    def __init__(self, name: str) -> None: ...
    @property
    def name(self) -> str:
        """The game's name in commands."""
    @property
    def about(self) -> str:
        """A description in one line: the game, the contest and its year."""
    @property
    def seats(self) -> list[str]:
        """Names of seats 0 and 1."""
    @property
    def bots(self) -> list[str]:
        """Names of the bundled bots, weakest first."""
    @property
    def is_learnable(self) -> bool:
        """Whether a network can learn the game, so that `VectorEnv` supports it."""
    @property
    def rules(self) -> str:
        """The rules as text."""
    def start(self, seed: int = 0, rules: Optional[list[str]] = None) -> State:
        """Starts a game. All randomness follows from the seed."""

class State:
    """A game in progress. Moves are text in the format of the contest's judge."""

    @property
    def players(self) -> list[int]:
        """The players who must move: one player, both if they move at the same time, or none if the game is over."""
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    @property
    def points(self) -> list[int]:
        """Current contest points of both players."""
    @property
    def record(self) -> list[str]:
        """The moves so far, including chance outcomes, in the format of recorded games."""
    @property
    def questions(self) -> list[str]:
        """The judge's input for each player who must move."""
    def moves(self, player: Optional[int] = None) -> list[str]:
        """Returns all legal moves of a player who must move, by default the first one."""
    def play(self, *moves: Union[str, Sequence[str]]) -> None:
        """Plays a move, or one move per player if both move at the same time."""
    def copy(self) -> State:
        """Returns an independent copy of the game with the same future randomness."""
    def _repr_svg_(self) -> str: ...

class Bot:
    def __init__(self, game: str, name: Optional[str] = None) -> None: ...
    @property
    def name(self) -> str: ...
    def think(
        self,
        state: State,
        nodes: Optional[int] = None,
        time: Optional[str] = None,
        player: Optional[int] = None,
        seed: int = 0,
    ) -> dict[str, Any]: ...

class VectorEnv:
    """Many games of one kind, played at the same time. When a game ends, the next one starts in its row.

    All arrays are allocated once and overwritten by every call, so copy the data that you keep.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        seed: int = 0,
        threads: int = 1,
        opponent: Optional[str] = None,
        nodes: Optional[int] = None,
    ) -> None: ...
    obs: NDArray[np.float32]
    live: NDArray[np.uint8]
    mask: NDArray[np.uint8]
    player: NDArray[np.int8]
    fresh: NDArray[np.uint8]
    reward: NDArray[np.float32]
    done: NDArray[np.uint8]
    points: NDArray[np.int32]
    num_envs: int
    num_actions: int
    def reset(
        self, seed: Optional[int] = None
    ) -> tuple[NDArray[np.float32], NDArray[np.uint8], NDArray[np.int8]]:
        """Starts all games again, with a new seed if one is given. Returns `obs, mask, player`."""
    def step(
        self, actions: ArrayLike
    ) -> tuple[
        NDArray[np.float32], NDArray[np.uint8], NDArray[np.int8], NDArray[np.float32], NDArray[np.uint8]
    ]:
        """Plays one action in each game. Returns `obs, mask, player, reward, done`."""
    def evaluate(
        self, tensors: dict[str, NDArray[np.float32]]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluates all positions with a network. Returns the logits of all actions, and the values."""

class TreeSearch:
    """A search of the positions of a `VectorEnv`, as in AlphaZero: PUCT with a policy and a value.

    All arrays are allocated once and overwritten by every call, so copy the data that you keep.
    """

    def __init__(
        self, envs: VectorEnv, nodes: int, exploration: float = 0.8, first: float = 0.1, seed: int = 0
    ) -> None: ...
    obs: NDArray[np.float32]
    live: NDArray[np.uint8]
    waiting: NDArray[np.uint8]
    visits: NDArray[np.float32]
    values: NDArray[np.float32]
    def begin(self) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """Starts a search of each game's position. Returns the leaves, `obs, live`; at first they are the positions."""
    def step(
        self,
        logits: NDArray[np.float32],
        values: NDArray[np.float32],
        noise: Optional[NDArray[np.float32]] = None,
        share: float = 0.25,
    ) -> int:
        """Continues the searches with the evaluations of their leaves. Returns the number of games still waiting."""

def play_match(
    game: str,
    one: str,
    other: str,
    pairs: int = 100,
    nodes: Optional[int] = None,
    time: Optional[str] = None,
    seed: int = 1,
    jobs: Optional[int] = None,
    rules: Optional[list[str]] = None,
    log: Optional[Union[str, PathLike[str]]] = None,
) -> str: ...
def read_log(path: Union[str, PathLike[str]]) -> list[str]: ...
def load_network(game: str, path: Union[str, PathLike[str]]) -> dict[str, NDArray[np.float32]]:
    """Reads a network file in the format of bots."""

def save_network(
    game: str, path: Union[str, PathLike[str]], tensors: dict[str, NDArray[np.float32]]
) -> None:
    """Writes a network file in the format of bots. Numbers are rounded to a few bits; see `round_network`."""

def round_network(game: str, tensors: dict[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
    """Rounds a network exactly as if it were saved with `save_network` and loaded with `load_network`."""

def network_shapes(
    game: str, channels: int, blocks: int, hidden: int, sides: int = 1
) -> dict[str, tuple[int, ...]]:
    """Returns the tensor shapes of a network with these sizes, in the order of the file."""

def symmetries(game: str) -> NDArray[np.int64]:
    """Returns the symmetric images of a game's map: int64 [images, cells], with the cell that each cell moves to."""
