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
        """The word that commands use."""
    @property
    def about(self) -> str:
        """One line: the game, the contest and its year."""
    @property
    def seats(self) -> list[str]:
        """Names of the seats 0 and 1."""
    @property
    def bots(self) -> list[str]:
        """Names of the bundled bots, weakest first."""
    @property
    def is_learnable(self) -> bool:
        """Whether a network can learn it, so that there is a `VectorEnv`."""
    @property
    def rules(self) -> str:
        """The rules in words."""
    def start(self, seed: int = 0, rules: Optional[list[str]] = None) -> State:
        """Starts a game. All chance follows from the seed."""

class State:
    """A game under way. Moves are text, as the judge of the contest reads and writes them."""

    @property
    def players(self) -> list[int]:
        """Who has to move: one player, both where they act at once, nobody if the game is over."""
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    @property
    def points(self) -> list[int]:
        """Contest points of both players as things stand."""
    @property
    def record(self) -> list[str]:
        """The moves so far, chance included, as games are recorded."""
    @property
    def questions(self) -> list[str]:
        """What the judge sends each player who has to move."""
    def moves(self, player: Optional[int] = None) -> list[str]:
        """Returns all legal moves of a player who has to move, by default the first."""
    def play(self, *moves: Union[str, Sequence[str]]) -> None:
        """Plays a move, or one of each player where they act at once."""
    def copy(self) -> State:
        """Returns a game that goes on from here apart from this one, with the same chance to come."""
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
    """Many games of one kind, played at once. A game that ends is followed by the next one.

    All arrays are allocated once and written again by every call: copy what you keep.
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
        """Takes one action in each game. Returns `obs, mask, player, reward, done`."""
    def evaluate(
        self, tensors: dict[str, NDArray[np.float32]]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Returns what a network says to the player who chooses in each game: numbers of all actions, and values."""

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
    """Reads the file of a network, as bots read it."""

def save_network(
    game: str, path: Union[str, PathLike[str]], tensors: dict[str, NDArray[np.float32]]
) -> None:
    """Writes a network as bots read it, with numbers of few bits: see `round_network`."""

def round_network(game: str, tensors: dict[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
    """Rounds a network to what `load_network` reads of the file that `save_network` writes."""

def network_shapes(
    game: str, channels: int, blocks: int, hidden: int, sides: int = 1
) -> dict[str, tuple[int, ...]]:
    """Returns the shapes of the tensors of a network of these sizes, in the order of the file."""
