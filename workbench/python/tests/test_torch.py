"""PyTorch and the bots' code give the same results. Skipped if PyTorch is not installed."""

import argparse
import importlib.util
import json
import sys
from pathlib import Path

import contender
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "python"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def ppo():
    return example("ppo")


@pytest.fixture(scope="module")
def alphazero(ppo):
    return example("alphazero")


def random_network(ppo, game, channels=16, blocks=2, hidden=8, seed=1):
    tensors = ppo.random_tensors(contender.network_shapes(game, channels, blocks, hidden), seed)
    rng = np.random.default_rng(seed)
    # Biases are not 0, so that the edge of the board matters.
    return {name: value + (0.05 * rng.standard_normal(value.shape)).astype(np.float32) for name, value in tensors.items()}


@pytest.mark.parametrize("game", contender.games())
def test_forward_passes_agree_on_a_thousand_positions(ppo, game):
    tensors = random_network(ppo, game)
    network = ppo.Network(game, tensors)
    envs = contender.VectorEnv(game, 50, seed=2)
    obs, mask, _ = envs.reset()
    rng = np.random.default_rng(0)
    seen = 0
    while seen < 1000:
        logits, values = envs.evaluate(tensors)
        fresh = envs.fresh.astype(bool)
        with torch.no_grad():
            other, other_values = network(torch.from_numpy(obs), torch.from_numpy(envs.live))
        legal = mask.astype(bool)
        assert np.abs(logits - other.numpy())[legal].max() < 1e-5
        assert np.abs(values - other_values.numpy()).max() < 1e-5
        seen += int(fresh.sum())
        obs, mask, *_ = envs.step((rng.random(mask.shape) * mask).argmax(1))


@pytest.mark.parametrize("game", ["cellularena", "uttt"])
def test_what_is_learned_from_is_what_was_played(ppo, game, tmp_path):
    words = f"--game {game} --games 8 --channels 16 --blocks 1 --hidden 4 --past-share 0.5 --device cpu --seed 3"
    args = ppo.arguments([*words.split(), "--out", str(tmp_path)])
    args.precision, device = "fp32", torch.device("cpu")
    learner = ppo.Learner(args, device)
    games = ppo.Games(args, 0, 8, 1, device)
    for _ in range(40):
        games.ask(learner.network, learner.averaged)
        games.answer()
    batch, _ = games.batch(args, learner.network)
    assert batch["whole"].sum() > 40
    with torch.no_grad():
        logits, values = learner.network(batch["obs"], batch["live"])
        _, seen = ppo.loss_of(args, logits, values, batch)
        # Before the first step, the probability of a turn has not changed.
        logs = ppo.log_probabilities(logits[batch["of"]], batch["mask"]).gather(1, batch["action"][:, None])[:, 0]
        of_turn = torch.zeros(len(values)).index_add(0, batch["of"], logs)
    whole = batch["whole"] > 0
    assert (of_turn - batch["log"])[whole].abs().max() < 1e-4
    assert seen[0] < 1e-4


def test_the_gradient_of_a_batch_is_that_of_our_trainer(ppo):
    here = Path(__file__).resolve().parents[3]
    told = json.loads((here / "workbench/learn/src/policy_value/gradient.json").read_text())
    shapes = contender.network_shapes("cellularena", 16, 1, 4)
    count = sum(int(np.prod(shape)) for shape in shapes.values())
    flat, tensors = (0.2 * np.sin(0.7 * np.arange(count))).astype(np.float32), {}
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        tensors[name], flat = flat[:size].reshape(shape), flat[size:]
    network = ppo.Network("cellularena", tensors)
    decisions = told["decisions"]
    planes, (height, width) = shapes["embed"][0], (12, 24)
    obs, live = np.zeros((len(decisions), planes, height, width)), np.zeros((len(decisions), height, width))
    of, actions, masks = [], [], []
    for number, decision in enumerate(decisions):
        for at, entries in enumerate(decision["cells"]):
            row, column = divmod(at, decision["width"])
            live[number, row, column] = 1
            for plane, value in decision["everywhere"] + entries:
                obs[number, plane, row, column] += value
        for action, legal in zip(decision["actions"], decision["masks"]):
            mask = np.zeros(height * width * 14 + 1)
            mask[legal] = 1
            of, actions, masks = [*of, number], [*actions, action], [*masks, mask]
    part = {"of": torch.tensor(of), "action": torch.tensor(actions), "mask": torch.tensor(np.array(masks))}
    for name, key in (("log", "log_probability"), ("advantage", "advantage"), ("target", "target")):
        part[name] = torch.tensor([decision[key] for decision in decisions])
    args = argparse.Namespace(clip=told["clip"], entropy=told["entropy"], value=told["value"])
    loss, seen = ppo.loss_of(args, *network(torch.from_numpy(obs).float(), torch.from_numpy(live).float()), part)
    loss.backward()
    gradient = np.concatenate([network.tensors[name].grad.numpy().ravel() for name in shapes])[::7]
    assert 0 < seen[3] < 1 and np.abs(gradient).max() > 0.1
    assert np.abs(gradient - told["gradient"]).max() < 1e-4


def test_a_short_training_writes_a_network_that_a_bot_plays_with(ppo, tmp_path):
    words = "--game uttt --games 16 --steps 8 --batch 64 --channels 16 --blocks 1 --hidden 8 --decisions 300"
    words += " --threads 1 --device cpu --match-games 4 --opponents random --keep-every 1 --out"
    ppo.main([*words.split(), str(tmp_path)])
    lines = (tmp_path / "metrics.jsonl").read_text().splitlines()
    assert "against random" in lines[-1]
    tensors = contender.load_network("uttt", tmp_path / "network.bin")
    assert tensors["embed"].shape == (5, 16)
    # The same command resumes.
    ppo.main([*words.replace("300", "500").split(), str(tmp_path)])
    assert len((tmp_path / "metrics.jsonl").read_text().splitlines()) > len(lines)


WORDS = "--game uttt --games 8 --threads 1 --nodes 8 --channels 16 --blocks 1 --hidden 8 --memory 2000 --batch 64"
WORDS += " --device cpu --match-games 4 --opponents random"


def test_images_of_a_decision_are_decisions_of_the_image(alphazero):
    args = alphazero.arguments(WORDS.split())
    envs = contender.VectorEnv("uttt", 1, seed=3)
    _, mask, _ = envs.reset()
    rng = np.random.default_rng(0)
    for _ in range(9):
        envs.step((rng.random(mask.shape) * mask).argmax(1))
    memory = alphazero.Memory(args, envs)
    legal = np.flatnonzero(mask[0])
    memory.add([(envs.obs[0].astype(np.float16), envs.live[0], legal, np.ones(len(legal)), 0.5)])
    views, _, policies, targets = memory.draw(100, rng, torch.device("cpu"))
    images = contender.symmetries("uttt")
    expected = set()
    for image in images:
        view, policy = np.zeros((len(envs.obs[0]), 81), np.float32), np.zeros(82, np.float32)
        view[:, image] = envs.obs[0].reshape(-1, 81)
        policy[image] = mask[0, :-1]
        expected.add((view.tobytes(), policy.tobytes()))
    found = {(view.numpy().tobytes(), policy.numpy().tobytes()) for view, policy in zip(views, policies)}
    assert found == expected and (targets == 0.5).all()


def test_a_short_training_by_search_writes_a_network_that_a_bot_plays_with(alphazero, tmp_path):
    words = f"{WORDS} --out {tmp_path} --decisions"
    alphazero.main([*words.split(), "300"])
    lines = (tmp_path / "metrics.jsonl").read_text().splitlines()
    assert "against random" in lines[-1] and json.loads(lines[-1])["steps"] > 0
    assert contender.load_network("uttt", tmp_path / "network.bin")["embed"].shape == (5, 16)
    # The same command resumes.
    alphazero.main([*words.split(), "500"])
    assert len((tmp_path / "metrics.jsonl").read_text().splitlines()) > len(lines)
