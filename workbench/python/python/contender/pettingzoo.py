"""Games as PettingZoo environments.

>>> from contender.pettingzoo import AEC
>>> env = AEC("uttt")
>>> env.reset(seed=1)
>>> env.observe("player_0")["observation"].shape
(5, 9, 9)
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from . import VectorEnv

__all__ = ["AEC", "parallel"]

AGENTS = ["player_0", "player_1"]


class AEC(AECEnv):
    """One game in which agents choose one after another. A choice is a number, and a mask shows the legal ones.

    A turn with several choices takes several steps. If both players move at the same time, player 0 chooses first and
    player 1 does not see the choice. The observation is that of the agent's latest choice, and the mask is empty unless
    the agent must choose.
    """

    metadata = {"name": "contender", "render_modes": ["ansi"], "is_parallelizable": True, "render_fps": 2}

    def __init__(self, game: str, render_mode: Optional[str] = None) -> None:
        super().__init__()
        self.game, self.render_mode = game, render_mode
        self.possible_agents = list(AGENTS)
        self.envs = VectorEnv(game, 1)
        shape, count = self.envs.obs.shape[1:], self.envs.num_actions
        observation = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, shape, np.float32),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            }
        )
        self.observation_spaces = {agent: observation for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(count) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        if seed is None:
            seed = int(np.random.default_rng().integers(1 << 31))
        self.envs.reset(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._seen = {agent: np.zeros(self.envs.obs.shape[1:], np.float32) for agent in AGENTS}
        self._look()

    def _look(self) -> None:
        self.agent_selection = AGENTS[self.envs.player[0]]
        self._seen[self.agent_selection] = self.envs.obs[0].copy()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        is_due = agent == self.agent_selection and not self.terminations[agent]
        mask = self.envs.mask[0] if is_due else np.zeros(self.envs.num_actions)
        return {"observation": self._seen[agent], "action_mask": mask.astype(np.int8)}

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        _, _, _, reward, done = self.envs.step([action])
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {name: float(reward[0, seat]) for seat, name in enumerate(AGENTS)}
        if done[0]:
            self.terminations = dict.fromkeys(AGENTS, True)
            points = self.envs.points[0].tolist()
            self.infos = {name: {"points": points[seat]} for seat, name in enumerate(AGENTS)}
            self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        else:
            self._look()
        self._accumulate_rewards()

    def render(self) -> Optional[str]:
        return None if self.render_mode is None else f"{self.game}: {self.agent_selection} has to choose"

    def close(self) -> None:
        pass


def parallel(game: str, render_mode: Optional[str] = None) -> Any:
    """Returns the game as a PettingZoo parallel environment. An agent without a choice can pass any action."""
    return turn_based_aec_to_parallel(AEC(game, render_mode))
