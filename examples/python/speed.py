"""Steps per processor second with random legal actions, observations and masks filled: ours and other libraries.

    python speed.py

Libraries that are not installed are passed over with a word: pip install pettingzoo[classic] open_spiel pgx jax.
"""

import time

import numpy as np

SECONDS = 3.0


def measure(name, step, count=1):
    """Prints the steps per second of processor time, of all threads; a call of `step` makes `count`."""
    step()
    began, done = time.process_time(), 0
    while time.process_time() - began < SECONDS:
        step()
        done += count
    print(f"{name:<58} {done / (time.process_time() - began):>10,.0f} steps/s", flush=True)


def contender_games():
    import contender

    for game in ("uttt", "spaghetti", "entropy", "box", "cellularena"):
        envs = contender.VectorEnv(game, 64, seed=1)
        _, mask, _ = envs.reset()
        noise = np.random.default_rng(1).random((64, *mask.shape), dtype=np.float32)
        turn = 0

        def step():
            nonlocal turn
            turn += 1
            envs.step((noise[turn % 64] * mask).argmax(1))

        measure(f"contender {game}, 64 games", step, 64)


def pettingzoo_games():
    from pettingzoo.classic import connect_four_v3, tictactoe_v3

    rng = np.random.default_rng(1)
    for name, module in (("tic-tac-toe", tictactoe_v3), ("connect four", connect_four_v3)):
        env = module.env()
        env.reset(seed=1)

        def step():
            observation, _, over, cut, _ = env.last()
            if over or cut:
                env.reset()
                observation, *_ = env.last()
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))

        measure(f"PettingZoo {name}", step)


def open_spiel_games():
    import pyspiel

    rng = np.random.default_rng(1)
    for name in ("tic_tac_toe", "ultimate_tic_tac_toe", "connect_four"):
        game = pyspiel.load_game(name)
        state = game.new_initial_state()

        def step():
            nonlocal state
            if state.is_terminal():
                state = game.new_initial_state()
            if game.get_type().provides_observation_tensor:
                np.asarray(state.observation_tensor(state.current_player()), np.float32)
            state.apply_action(int(rng.choice(state.legal_actions())))

        measure(f"OpenSpiel (Python API) {name}", step)


def pgx_games():
    import jax
    import pgx

    for name in ("tic_tac_toe", "connect_four"):
        env = pgx.make(name)
        init, play = jax.jit(jax.vmap(env.init)), jax.vmap(env.step)

        @jax.jit
        def turn(state, key):
            key, drawn = jax.random.split(key)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
            state = play(state, jax.random.categorical(drawn, logits))
            fresh = jax.vmap(env.init)(jax.random.split(key, 1024))
            pick = lambda a, b: jax.numpy.where(state.terminated.reshape((-1,) + (1,) * (a.ndim - 1)), b, a)
            return jax.tree_util.tree_map(pick, state, fresh), key

        at = [init(jax.random.split(jax.random.PRNGKey(1), 1024)), jax.random.PRNGKey(2)]

        def step():
            at[:] = turn(*at)
            at[0].observation.block_until_ready()

        measure(f"pgx {name}, 1024 games, compiled by XLA", step, 1024)


if __name__ == "__main__":
    for part in (contender_games, pettingzoo_games, open_spiel_games, pgx_games):
        try:
            part()
        except ImportError as error:
            print(f"{part.__name__}: passed over, {error}")
