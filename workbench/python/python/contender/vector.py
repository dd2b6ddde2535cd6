"""Many games at once as NumPy arrays, and tree searches of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

import numpy as np

from ._games import module_with

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


class VectorEnv:
    """Many games of one kind, played at the same time. When a game ends, the next one starts in its row.

    In one step, one player in each game makes one choice. In most games, a choice is a move. In Cellularena, a turn
    consists of several choices. Each choice excludes others, and the last one ends the turn; `fresh` is 1 for the first
    choice of a turn. If both players move at the same time, player 0 chooses first and player 1 does not see the choice.

    With `opponent`, a bundled bot (`"greedy"`, or with options, `"uct:c=0.5"`) plays one seat, and swaps seats with
    every game in a row. `nodes` limits its search per move.

    All arrays are allocated once and overwritten by every call, so copy the data that you keep.
    """

    #: View of the player who must choose: [games, planes, height, width].
    obs: NDArray[np.float32]
    #: 1 for each cell of the frame that is on the board: [games, height, width].
    live: NDArray[np.uint8]
    #: 1 for each legal action: [games, actions].
    mask: NDArray[np.uint8]
    #: Player who must choose: [games].
    player: NDArray[np.int8]
    #: 1 for the first choice of a turn: [games]. Otherwise `obs` has not changed.
    fresh: NDArray[np.uint8]
    #: Value of the game for both players if the latest step ended it, otherwise 0: [games, 2].
    reward: NDArray[np.float32]
    #: 1 if the latest step ended the game: [games].
    done: NDArray[np.uint8]
    #: Contest points of both players in the last finished game: [games, 2].
    points: NDArray[np.int32]
    #: Number of games.
    num_envs: int
    #: Number of actions. The action of a cell is `cell * actions_per_cell + number`, with cells counted row by row. The
    #: last action belongs to no cell.
    num_actions: int

    def __init__(
        self,
        game: str,
        num_envs: int,
        seed: int = 0,
        threads: int = 1,
        opponent: Optional[str] = None,
        nodes: Optional[int] = None,
    ) -> None:
        self._module = module_with(game)
        self._games = self._module.Games(game, num_envs, threads, opponent, nodes)
        self._seed = seed
        planes, height, width, self.num_actions = self._games.sizes
        self.num_envs = num_envs
        self.obs = np.zeros((num_envs, planes, height, width), np.float32)
        self.live = np.zeros((num_envs, height, width), np.uint8)
        self.mask = np.zeros((num_envs, self.num_actions), np.uint8)
        self.player = np.zeros(num_envs, np.int8)
        self.fresh = np.zeros(num_envs, np.uint8)
        self.reward = np.zeros((num_envs, 2), np.float32)
        self.done = np.zeros(num_envs, np.uint8)
        self.points = np.zeros((num_envs, 2), np.int32)

    def reset(
        self, seed: Optional[int] = None
    ) -> tuple[NDArray[np.float32], NDArray[np.uint8], NDArray[np.int8]]:
        """Starts all games again, with a new seed if one is given. Returns `obs, mask, player`."""
        self._seed = self._seed if seed is None else seed
        self._games.reset(self._seed, self)
        return self.obs, self.mask, self.player

    def step(
        self, actions: ArrayLike
    ) -> tuple[
        NDArray[np.float32], NDArray[np.uint8], NDArray[np.int8], NDArray[np.float32], NDArray[np.uint8]
    ]:
        """Plays one action in each game. Returns `obs, mask, player, reward, done`.

        Raises ValueError if an action is illegal. In this case no action has been played.
        """
        self._games.step(actions, self)
        return self.obs, self.mask, self.player, self.reward, self.done

    def evaluate(
        self, tensors: dict[str, NDArray[np.float32]]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluates all positions with a network, for the player who must choose, with the same code as bots.

        Returns the logits of all actions [games, actions], and the values [games]. The argument has the tensors of
        `load_network`.
        """
        return self._games.evaluate(tensors)


class TreeSearch:
    """A search of the positions of a `VectorEnv`, as in AlphaZero: PUCT with a policy and a value.

    In each step, the leaves of all games are evaluated in one batch. `begin` starts a search of `nodes` iterations per
    game. Then evaluate the leaves and call `step`, until no game is `waiting`. `visits` then contains the share of the
    iterations for each action. The games must take turns.

    `exploration` is the weight of the exploration term, and `first` how much lower than its position's value the value
    of an untried move is assumed to be.

    All arrays are allocated once and overwritten by every call, so copy the data that you keep.
    """

    #: View of the player who must move at the leaf: [games, planes, height, width].
    obs: NDArray[np.float32]
    #: 1 for each cell of the frame that is on the board: [games, height, width].
    live: NDArray[np.uint8]
    #: 1 if the game's leaf must be evaluated, 0 if its search is complete: [games].
    waiting: NDArray[np.uint8]
    #: Share of the iterations for each action, when the search is complete: [games, actions]. If the best move is
    #: proven, its share is 1.
    visits: NDArray[np.float32]
    #: Value of the best move for the player who must move, from -1 to 1, when the search is complete: [games].
    values: NDArray[np.float32]

    def __init__(
        self, envs: VectorEnv, nodes: int, exploration: float = 0.8, first: float = 0.1, seed: int = 0
    ) -> None:
        if not isinstance(envs, VectorEnv):
            raise TypeError(f"expected a VectorEnv, not {type(envs).__name__}")
        self._games = envs._games
        self._search = envs._module.Search(self._games, nodes, exploration, first, seed)
        self.obs, self.live = np.zeros_like(envs.obs), np.zeros_like(envs.live)
        self.waiting = np.zeros(envs.num_envs, np.uint8)
        self.visits = np.zeros(envs.mask.shape, np.float32)
        self.values = np.zeros(envs.num_envs, np.float32)

    def begin(self) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """Starts a search of each game's position. Returns the leaves, `obs, live`; at first they are the positions."""
        self._search.begin(self._games, self)
        return self.obs, self.live

    def step(
        self,
        logits: NDArray[np.float32],
        values: NDArray[np.float32],
        noise: Optional[NDArray[np.float32]] = None,
        share: float = 0.25,
    ) -> int:
        """Continues the searches with the evaluations of their leaves, for the player who must move there.

        These are the logits of all actions [games, actions], and the values from -1 to 1 [games]. Rows of games that are
        not waiting are ignored. Returns the number of games that are still waiting, for the next leaves.

        In the positions themselves, the policy is mixed with `noise` [games, actions], with the share `share`.
        """
        self._search.step(self._games, logits, values, noise, share, self)
        return int(self.waiting.sum())
