"""Many games of an agent against a bundled bot, as a Gymnasium vector environment.

>>> from contender.gymnasium import AgainstBot
>>> envs = AgainstBot("uttt", "greedy", num_envs=8)
>>> observations, infos = envs.reset(seed=1)
>>> observations.shape, infos["action_mask"].shape
((8, 5, 9, 9), (8, 82))
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from . import VectorEnv as Games

__all__ = ["AgainstBot"]


class AgainstBot(VectorEnv):
    """The agent plays one seat and a bot the other one. They swap seats with every game in a row.

    A game restarts in the step that ends it. `infos["action_mask"]` contains the legal actions, and `infos["player"]`
    the agent's seats. The reward is 1 for a win and -1 for a loss. In Cellularena a clear win counts twice.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self, game: str, opponent: str, num_envs: int, threads: int = 1, nodes: Optional[int] = None
    ) -> None:
        self.games = Games(game, num_envs, threads=threads, opponent=opponent, nodes=nodes)
        self.num_envs = num_envs
        self.single_observation_space = spaces.Box(-np.inf, np.inf, self.games.obs.shape[1:], np.float32)
        self.single_action_space = spaces.Discrete(self.games.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.games.mask.copy(), "player": self.games.player.copy()}

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed)
        self.games.reset(seed)
        return self.games.obs.copy(), self._infos()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        seats = self.games.player.copy()
        obs, _, _, reward, done = self.games.step(actions)
        rewards = reward[np.arange(self.num_envs), seats].astype(np.float64)
        return obs.copy(), rewards, done.astype(bool), np.zeros(self.num_envs, bool), self._infos()
