from collections.abc import Sequence
from os import PathLike
from typing import Optional, Union

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

def read_log(path: Union[str, PathLike[str]]) -> list[str]: ...
