"""The package with NumPy alone."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import contender
import numpy as np
import pytest

BUNDLED = ["box", "cellularena", "entropy", "spaghetti", "uttt"]


def random_actions(rng, mask):
    return (rng.random(mask.shape) * mask).argmax(1)


def random_tensors(game, channels=16, blocks=1, hidden=4, seed=1):
    rng = np.random.default_rng(seed)
    shapes = contender.network_shapes(game, channels, blocks, hidden)
    return {name: rng.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def test_all_games_are_there():
    assert contender.games() == BUNDLED
    assert contender.game("uttt").bots[0] == "random"
    with pytest.raises(ValueError, match="unknown game `utt`.*uttt"):
        contender.game("utt")


@pytest.mark.parametrize("name", BUNDLED)
def test_a_game_is_played_to_its_end(name):
    rng = np.random.default_rng(1)
    state = contender.game(name).start(seed=4)
    while not state.is_over:
        answers = [rng.choice(state.moves(player)) for player in state.players]
        # One line per organism.
        lines = [int(question.split()[-1]) if name == "cellularena" else 1 for question in state.questions]
        state.play(*[";".join([answer] + ["WAIT"] * (count - 1)) for answer, count in zip(answers, lines)])
    assert len(state.record) > 5 and len(state.points) == 2
    with pytest.raises(RuntimeError, match="over"):
        state.play("a")
    with pytest.raises(RuntimeError, match="over"):
        contender.bot(name).analyse(state, nodes=1)


def test_a_state_shows_itself():
    state = contender.game("uttt").start()
    state.play("4 4")
    assert "[X]" in str(state) and state._repr_svg_().startswith("<svg")
    assert state.players == [1] and state.record == ["4 4"]
    other = state.copy()
    other.play("3 3")
    assert len(state.record) == 1 and len(other.record) == 2


def test_wrong_moves_leave_the_state_as_it_was():
    state = contender.game("uttt").start()
    for wrong in ("9 9", "", "a", "4 4\n4 5"):
        with pytest.raises(ValueError):
            state.play(wrong)
    with pytest.raises(ValueError, match="but got 2"):
        state.play("4 4", "4 5")
    joint = contender.game("cellularena").start(seed=1)
    with pytest.raises(ValueError):
        joint.play("WAIT", "GROW nothing")
    assert joint.record == [] and joint.players == [0, 1]
    joint.play("WAIT", "WAIT")
    assert len(joint.record) == 1
    with pytest.raises(ValueError):
        contender.game("uttt").start(rules=["opening=99"])


def test_a_bot_analyses():
    state = contender.game("uttt").start(seed=1)
    found = contender.bot("uttt", "champion").analyse(state, nodes=200)
    assert found.move in state.moves() and found.moves[0].move == found.line[0]
    assert found.player == 0 and found.counts["iterations"] > 0
    again = contender.bot("uttt", "champion").analyse(state, nodes=200)
    assert again.moves == found.moves
    for make in (
        lambda: contender.bot("uttt", "champ"),
        lambda: contender.bot("uttt", "champion:x=1"),
        lambda: contender.bot("entropy").analyse(state, nodes=1),
        lambda: contender.bot("uttt").analyse(state, nodes=0),
        lambda: contender.bot("uttt").analyse(state, time="soon"),
    ):
        with pytest.raises(ValueError):
            make()


@pytest.mark.parametrize("name", BUNDLED)
def test_many_games_follow_from_their_seed_whatever_the_threads(name):
    games = [contender.VectorEnv(name, 6, seed=3, threads=threads) for threads in (1, 4)]
    rng = np.random.default_rng(0)
    told = [envs.reset() for envs in games]
    finished = 0
    for _ in range(150):
        for one, other in zip(*told):
            assert np.array_equal(one, other)
        assert games[0].mask.any(1).all() and games[0].fresh.max() <= 1
        actions = random_actions(rng, games[0].mask)
        told = [envs.step(actions) for envs in games]
        reward, done = told[0][3], told[0][4]
        assert np.array_equal(reward[:, 0], -reward[:, 1]) and not reward[done == 0].any()
        finished += int(done.sum())
    assert finished > 0
    assert not np.array_equal(games[0].obs, contender.VectorEnv(name, 6, seed=4).reset()[0])


def test_arrays_are_the_same_ones_in_every_step():
    envs = contender.VectorEnv("uttt", 3)
    first = envs.reset()
    second = envs.step(first[1].argmax(1))
    assert all(one is other for one, other in zip(first, second)) and first[0] is envs.obs
    assert [array.dtype for array in second] == [np.float32, np.uint8, np.int8, np.float32, np.uint8]


def test_a_move_that_the_judge_knows_is_the_same_move_of_many_games():
    envs = contender.VectorEnv("uttt", 1)
    envs.reset()
    state = contender.game("uttt").start()
    rng = np.random.default_rng(5)
    while True:
        legal = {f"{action // 9} {action % 9}" for action in np.flatnonzero(envs.mask[0])}
        assert legal == set(state.moves()) and [envs.player[0]] == state.players
        action = int(random_actions(rng, envs.mask)[0])
        state.play(f"{action // 9} {action % 9}")
        *_, done = envs.step([action])
        if done[0]:
            break
    assert state.is_over and list(envs.points[0]) == list(state.points)


def test_a_turn_of_cellularena_is_several_choices_under_a_shrinking_mask():
    envs = contender.VectorEnv("cellularena", 16, seed=2)
    _, mask, player = envs.reset()
    rng = np.random.default_rng(0)
    longest = 0
    for _ in range(300):
        before, who, obs = mask.copy(), player.copy(), envs.obs.copy()
        actions = random_actions(rng, mask)
        envs.step(actions)
        same = envs.fresh == 0
        # Within a turn the player and the view stay the same. Waiting stays possible, but earlier choices do not.
        assert (player[same] == who[same]).all() and (obs[same] == envs.obs[same]).all()
        assert (mask[same] <= before[same]).all() and mask[:, -1].all()
        assert not mask[same, actions[same]].any()
        longest = max(longest, int(same.sum()))
        # Waiting ends a turn.
        assert not (same & (actions == envs.num_actions - 1)).any()
    assert longest > 0


def test_a_bot_plays_the_other_seat():
    envs = contender.VectorEnv("uttt", 8, seed=1, opponent="greedy")
    _, mask, player = envs.reset()
    assert set(player) == {0, 1}
    rng, score, games = np.random.default_rng(0), 0.0, 0
    for _ in range(300):
        seat = player.copy()
        *_, reward, done = envs.step(random_actions(rng, mask))
        score += float(reward[np.arange(8), seat].sum())
        games += int(done.sum())
    assert games > 20 and score < -0.5 * games
    with pytest.raises(ValueError, match="no bot `nobody`"):
        contender.VectorEnv("uttt", 1, opponent="nobody")


def searched(name, evaluate, games=6, nodes=30, threads=1, moves=4):
    """Yields the games and the completed searches of a few moves, played by their visits."""
    envs = contender.VectorEnv(name, games, seed=5, threads=threads)
    envs.reset()
    search = contender.TreeSearch(envs, nodes=nodes, seed=1)
    for _ in range(moves):
        search.begin()
        assert search.waiting.all() and np.array_equal(search.obs, envs.obs)
        while search.step(*evaluate(search)) > 0:
            pass
        assert not search.waiting.any()
        yield envs, search
        envs.step(search.visits.argmax(1))


def without_knowledge(search):
    return np.zeros(search.visits.shape, np.float32), np.zeros(len(search.visits), np.float32)


@pytest.mark.parametrize("name", ["box", "entropy", "spaghetti", "uttt"])
def test_a_tree_search_follows_from_its_seed_whatever_the_threads(name):
    def evaluate(search):
        # Anything that depends on the leaf alone.
        values = np.sin(search.obs.sum((1, 2, 3)))
        return np.outer(values, np.cos(np.arange(search.visits.shape[1]))).astype(np.float32), values.astype(np.float32)

    for (envs, one), (_, other) in zip(searched(name, evaluate), searched(name, evaluate, threads=3)):
        assert np.array_equal(one.visits, other.visits) and np.array_equal(one.values, other.values)
        assert np.allclose(one.visits.sum(1), 1) and not one.visits[envs.mask == 0].any()
        assert np.abs(one.values).max() <= 1


def test_a_tree_search_finds_a_win():
    envs = contender.VectorEnv("uttt", 40, seed=1)
    envs.reset()
    search = contender.TreeSearch(envs, nodes=400)
    rng = np.random.default_rng(0)
    wins = 0
    for _ in range(70):
        search.begin()
        while search.step(*without_knowledge(search)) > 0:
            pass
        is_won = (search.values == 1) & (search.visits.max(1) == 1)
        player, actions = envs.player.copy(), np.where(is_won, search.visits.argmax(1), random_actions(rng, envs.mask))
        *_, reward, done = envs.step(actions)
        # A proven win at the end of a game is played in one or a few moves; those that end it must be won.
        ends = is_won & (done > 0)
        assert (reward[ends, player[ends]] == 1).all()
        wins += int(ends.sum())
    assert wins > 5


def test_the_logits_guide_a_search_and_noise_changes_them():
    def evaluate(search):
        logits = np.zeros(search.visits.shape, np.float32)
        logits[:, 40] = 5
        return logits, np.zeros(len(logits), np.float32)

    (envs, search), *_ = searched("uttt", evaluate, nodes=50, moves=1)
    assert (search.visits.argmax(1) == 40).all()
    last = envs.num_actions - 1 - envs.mask[:, ::-1].argmax(1)
    noise = np.eye(envs.num_actions, dtype=np.float32)[last]
    search.begin()
    while search.step(*evaluate(search), noise=noise, share=1.0) > 0:
        pass
    assert (search.visits.argmax(1) == last).all()


def test_wrong_input_of_a_search_is_refused():
    envs = contender.VectorEnv("uttt", 2)
    for wrong in ({"nodes": 0}, {"nodes": 1, "exploration": -1.0}, {"nodes": 1, "first": 2.0}):
        with pytest.raises(ValueError):
            contender.TreeSearch(envs, **wrong)
    with pytest.raises(ValueError, match="cellularena cannot be searched"):
        contender.TreeSearch(contender.VectorEnv("cellularena", 1), nodes=1)
    with pytest.raises(TypeError):
        contender.TreeSearch("uttt", nodes=1)
    search = contender.TreeSearch(envs, nodes=3)
    with pytest.raises(RuntimeError, match="reset"):
        search.begin()
    envs.reset()
    logits, values = without_knowledge(search)
    with pytest.raises(RuntimeError, match="begin"):
        search.step(logits, values)
    search.begin()
    for wrong in (
        (logits[:1], values),
        (logits, values[:1]),
        (logits + np.nan, values),
        (logits, values + np.inf),
        (logits.astype(np.float64), values),
        (search.visits, values),
        (logits, values, logits[:1]),
        (logits, values, logits, 1.5),
    ):
        with pytest.raises((TypeError, ValueError)):
            search.step(*wrong)
    assert search.step(logits, values) == 2


def test_symmetries_are_permutations_that_keep_the_rules():
    for name in BUNDLED:
        images = contender.symmetries(name)
        cells = images.shape[1]
        assert (np.sort(images, 1) == np.arange(cells)).all() and (images[0] == np.arange(cells)).all()
    images = contender.symmetries("uttt")
    assert len(images) == 8
    rng = np.random.default_rng(3)
    for image in images:
        envs = [contender.VectorEnv("uttt", 1), contender.VectorEnv("uttt", 1)]
        for one in envs:
            one.reset()
        while True:
            moved = np.zeros_like(envs[0].mask[0])
            moved[image], moved[-1] = envs[0].mask[0, :-1], envs[0].mask[0, -1]
            assert np.array_equal(moved, envs[1].mask[0])
            view = np.zeros_like(envs[0].obs[0]).reshape(-1, 81)
            view[:, image] = envs[0].obs[0].reshape(-1, 81)
            assert np.array_equal(view.ravel(), envs[1].obs[0].ravel())
            action = int(random_actions(rng, envs[0].mask)[0])
            *_, done = envs[0].step([action])
            envs[1].step([image[action]])
            if done[0]:
                break
        assert np.array_equal(envs[0].points, envs[1].points)


def test_wrong_input_of_many_games_is_refused():
    for wrong in ({"num_envs": 0}, {"num_envs": 1, "threads": 0}, {"num_envs": 1, "nodes": 0}):
        with pytest.raises(ValueError):
            contender.VectorEnv("uttt", **wrong)
    envs = contender.VectorEnv("uttt", 2)
    with pytest.raises(RuntimeError, match="reset"):
        envs.step([0, 0])
    _, mask, _ = envs.reset()
    obs = envs.obs.copy()
    for wrong in ([0], [0, 0, 0], [0, 82], [0, -1], [0, 81], [1 << 40, 0]):
        with pytest.raises(ValueError):
            envs.step(wrong)
    for wrong in ([[0, 0]], ["a", "b"], None):
        with pytest.raises((TypeError, ValueError)):
            envs.step(wrong)
    # Changes that the caller makes to the mask have no effect.
    mask[:] = 1
    with pytest.raises(ValueError, match="action 81 may not be chosen in game 1"):
        envs.step([0, 81])
    assert np.array_equal(obs, envs.obs)
    envs.step([0, 80])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_games_of_a_parent_are_refused_after_a_fork():
    envs = contender.VectorEnv("uttt", 4, threads=4)
    envs.reset()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            envs.step([0, 0, 0, 0])
        except RuntimeError as error:
            code = 0 if "forked" in str(error) else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("name", BUNDLED)
def test_networks_are_read_as_they_were_rounded(name, tmp_path):
    path = tmp_path / "network.bin"
    tensors = random_tensors(name)
    contender.save_network(name, path, tensors)
    rounded, read = contender.round_network(name, tensors), contender.load_network(name, path)
    assert list(read) == list(tensors)
    for key, value in read.items():
        assert value.dtype == np.float32 and np.array_equal(value, rounded[key])
        assert value.shape == tensors[key].shape
    envs = contender.VectorEnv(name, 2)
    with pytest.raises(RuntimeError, match="reset"):
        envs.evaluate(read)
    envs.reset()
    logits, values = envs.evaluate(read)
    assert logits.shape[0] == 2 and values.shape == (2,)


@pytest.mark.parametrize("name, sides", [("classic", 1), ("champion", 2)])
def test_a_bundled_network_is_saved_as_it_was_loaded(name, sides, tmp_path):
    path = Path(__file__).parents[3] / f"games/cellularena/src/network/{name}.bin"
    tensors = contender.load_network("cellularena", path)
    assert tensors["embed"].shape == (93, 32) and tensors["wait"].shape == (sides, 288)
    contender.save_network("cellularena", tmp_path / "network.bin", tensors)
    assert (tmp_path / "network.bin").read_bytes() == path.read_bytes()


def test_files_and_tensors_that_are_no_network_are_refused(tmp_path):
    path = tmp_path / "network.bin"
    for bytes_ in (b"", b"abc", bytes(range(200))):
        path.write_bytes(bytes_)
        for name in ("uttt", "cellularena"):
            with pytest.raises(ValueError, match="network.bin"):
                contender.load_network(name, path)
    with pytest.raises(OSError):
        contender.load_network("uttt", tmp_path / "nothing")
    good = random_tensors("uttt")
    for name, value in (
        ("embed", good["embed"][:2]),
        ("embed", good["embed"].astype(np.float64)),
        ("embed", np.full_like(good["embed"], np.nan)),
        ("embed_bias", np.zeros(3, np.float32)),
        ("other", good["embed"]),
    ):
        with pytest.raises(ValueError):
            contender.save_network("uttt", path, good | {name: value})
    for name in good:
        with pytest.raises(ValueError):
            contender.save_network("uttt", path, {key: value for key, value in good.items() if key != name})
    with pytest.raises(ValueError):
        contender.VectorEnv("spaghetti", 1).evaluate(good)


def test_a_match_and_its_log(tmp_path):
    log = tmp_path / "games.jsonl"
    report = contender.match("uttt", "champion", "random", pairs=3, nodes=30, jobs=1, log=log)
    assert (report.pairs, report.games, report.end) == (3, 6, "complete")
    assert report.wins + report.draws + report.losses == 6 and report.win_rate >= 0.5
    games = list(contender.read_log(log))
    assert len(games) == 6 and set(games[0]["players"]) == {"champion", "random"}
    for wrong in ({"pairs": 0}, {"nodes": 0}, {"time": "soon"}, {"rules": ["x=1"]}):
        with pytest.raises(ValueError):
            contender.match("uttt", "random", "greedy", **wrong)
    with pytest.raises(ValueError):
        contender.match("uttt", "random", "no-such-program")
    log.write_text(log.read_text() + "{\n")
    with pytest.raises(ValueError, match="line 7"):
        contender.read_log(log)
    with pytest.raises(OSError):
        contender.read_log(tmp_path / "nothing")


def test_a_program_plays(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        "while True:\n"
        "    input(); moves = [input() for _ in range(int(input()))]\n"
        "    print(moves[0], flush=True)\n"
    )
    report = contender.match("uttt", "random", f"{sys.executable} {bot}", pairs=1, jobs=1)
    assert report.games == 2 and report.failures == ({}, {})


def test_a_custom_game_that_cannot_be_loaded_leaves_the_others(tmp_path):
    package = tmp_path / "broken-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Name: broken\nVersion: 1\n")
    (package / "entry_points.txt").write_text("[contender.games]\nbroken = no_such_module\n")
    code = "import contender; print(contender.games())"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert "uttt" in done.stdout and "the custom game `broken` cannot be loaded" in done.stderr


def test_everything_has_a_docstring_and_a_stub():
    stubs = open(contender.__file__.replace("__init__.py", "_native.pyi")).read()
    for of in (contender.Game, contender.State, contender.TreeSearch, contender.VectorEnv):
        assert inspect.getdoc(of)
        for member in vars(of):
            if not member.startswith("_"):
                assert inspect.getdoc(getattr(of, member)), f"{of.__name__}.{member}"
                assert of.__module__ == "contender.vector" or member in stubs, f"{of.__name__}.{member}"


def test_pettingzoo_and_gymnasium():
    pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
    from contender.gymnasium import AgainstBot
    from contender.pettingzoo import AEC, parallel
    from pettingzoo.test import api_test, parallel_api_test, seed_test

    for name in BUNDLED:
        api_test(AEC(name), num_cycles=50)
        seed_test(lambda name=name: AEC(name), num_cycles=20)
        parallel_api_test(parallel(name), num_cycles=20)
    envs = AgainstBot("uttt", "greedy", num_envs=4)
    observations, infos = envs.reset(seed=1)
    assert envs.observation_space.contains(observations)
    observations, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(1))
    assert rewards.shape == terminated.shape == truncated.shape == (4,)
