"""Training of a game's network by games of a tree search against itself.

    python alphazero.py --game uttt --out training                 # from random weights
    python alphazero.py --game uttt --start training/network.bin --out more --nodes 200

`training/network.bin` is in the format of the bots `puct` and `policy` of custom games: `contender match mygame
puct:net=training/network.bin greedy`. The same command resumes from `training/checkpoint.pt`.

The network is that of `ppo.py`, which must be in the same folder. The players must take turns. The search runs in Rust on
the processor's threads, and the leaves of all games are evaluated in one batch. While one half of the games is searched,
the GPU evaluates the other half.

Source: Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play",
2018.
"""

import argparse
import json
import math
import os
import time
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # Before PyTorch: its waiting threads must leave their cores.

import contender
import numpy as np
import torch
import torch.nn.functional as F
from ppo import Network, random_tensors


def arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--game", default="uttt", help="one of contender.games() whose players take turns")
    add("--out", type=Path, default=Path("training"), help="folder for the network, the checkpoint and the metrics")
    add("--start", type=Path, help="network to begin with, in our file format")
    add("--channels", type=int, default=32, help="channels of the blocks, a multiple of 16")
    add("--blocks", type=int, default=4, help="residual blocks")
    add("--hidden", type=int, default=64, help="hidden neurons of the value")
    add("--games", type=int, default=1024, help="games at once")
    add("--threads", type=int, default=os.cpu_count(), help="threads that search")
    add("--nodes", type=int, default=100, help="iterations of the search per move")
    add("--exploration", type=float, default=0.8, help="weight of the exploration term of PUCT")
    add("--noise", type=float, default=10.0, help="concentration of the noise over all legal moves of a position")
    add("--noise-share", type=float, default=0.25, help="share of the noise in the policy of a position")
    add("--drawn", type=int, default=12, help="first moves of a game that are drawn by their visits")
    add("--moves", type=int, default=8, help="moves of each game between two phases of learning")
    add("--memory", type=int, default=400_000, help="latest decisions to learn from")
    add("--batch", type=int, default=1024, help="decisions of a gradient step")
    add("--passes", type=float, default=2.0, help="how often each decision is learned on average")
    add("--search-value", type=float, default=0.3, help="share of the search's value in the target, next to the result")
    add("--minutes", type=float, default=10.0, help="length of the training; the rate falls to its end by then")
    add("--decisions", type=float, default=math.inf, help="stop after this number of decisions")
    add("--rate", type=float, default=2e-3, help="learning rate at the start")
    add("--rate-end", type=float, default=1e-4, help="learning rate at the end")
    add("--decay", type=float, default=1e-4, help="weight decay")
    add("--average", type=float, default=0.998, help="decay of the averaged weights that are written and measured")
    add("--opponents", default="greedy", help="bundled bots that measure the network, with commas between")
    add("--opponent-nodes", type=int, default=150, help="nodes of a move of theirs")
    add("--match-games", type=int, default=128, help="games of a measurement")
    add("--match-seconds", type=float, default=60.0, help="seconds of training between two measurements")
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    add("--seed", type=int, default=1)
    return parser.parse_args(words)


class Evaluator:
    """Evaluates the leaves of a search on the device. On a GPU the answer comes later, so the processor goes on."""

    def __init__(self, network, search, device):
        self.network, self.device, is_gpu = network, device, device.type == "cuda"
        games, actions = search.visits.shape
        self.views = [torch.from_numpy(array) for array in (search.obs, search.live)]
        self.sent = [torch.empty_like(view, pin_memory=is_gpu) for view in self.views]
        self.inputs = [torch.empty_like(view, device=device) for view in self.views]
        self.answers = [torch.empty(size, pin_memory=is_gpu) for size in ((games, actions), (games,))]
        self.graph = None
        if is_gpu:
            # The work of an evaluation is the same every time, so the GPU gets it as one graph.
            self.event, stream = torch.cuda.Event(), torch.cuda.Stream()
            with torch.cuda.stream(stream):
                self.evaluate()
            stream.synchronize()
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph):
                self.evaluate()

    @torch.no_grad()
    def evaluate(self):
        for to, sent in zip(self.inputs, self.sent):
            to.copy_(sent, non_blocking=True)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda", cache_enabled=False):
            found = self.network(*self.inputs)
        for answer, of in zip(self.answers, found):
            answer.copy_(of, non_blocking=True)

    def ask(self):
        for sent, view in zip(self.sent, self.views):
            sent.copy_(view)
        if self.graph:
            self.graph.replay()
            self.event.record()
        else:
            self.evaluate()

    def answer(self):
        if self.graph:
            self.event.synchronize()
        return [answer.numpy() for answer in self.answers]


class Games:
    """Part of the games at once, with their searches and the decisions of the games that are not over."""

    def __init__(self, args, network, count, seed, device):
        self.args = args
        self.envs = contender.VectorEnv(args.game, count, seed=seed, threads=args.threads)
        self.envs.reset()
        self.search = contender.TreeSearch(self.envs, args.nodes, exploration=args.exploration, seed=seed)
        self.evaluator = Evaluator(network, self.search, device)
        self.rng = np.random.default_rng(seed)
        self.pending = [[] for _ in range(count)]

    def begin(self):
        """Begins a move of every game, with noise so that games differ and no move is forgotten."""
        mask = self.envs.mask
        concentration = np.broadcast_to(self.args.noise / mask.sum(1, keepdims=True), mask.shape)
        self.noise = (self.rng.standard_gamma(concentration) * mask).astype(np.float32)
        self.search.begin()
        self.evaluator.ask()

    def step(self):
        """Continues the searches; returns whether one of them is not complete."""
        logits, values = self.evaluator.answer()
        noise = self.noise if self.args.noise_share > 0 else None
        if self.search.step(logits, values, noise, self.args.noise_share) == 0:
            return False
        self.evaluator.ask()
        return True

    def play(self):
        """Plays a move in every game; returns the decisions of the games that this ended."""
        visits, envs, args = self.search.visits, self.envs, self.args
        played = np.array([len(decisions) for decisions in self.pending])
        drawn = (visits.cumsum(1) > self.rng.random((len(visits), 1))).argmax(1)
        actions = np.where((played < args.drawn) & (visits[np.arange(len(visits)), drawn] > 0), drawn, visits.argmax(1))
        for row, decisions in enumerate(self.pending):
            policy = np.flatnonzero(visits[row])
            view = envs.obs[row].astype(np.float16)
            value = float(self.search.values[row])
            decisions.append((view, envs.live[row].copy(), policy, visits[row, policy], int(envs.player[row]), value))
        *_, reward, done = envs.step(actions)
        finished = []
        for row in np.flatnonzero(done):
            for view, live, policy, shares, player, value in self.pending[row]:
                result = np.clip(reward[row, player], -1, 1)
                target = (1 - args.search_value) * result + args.search_value * value
                finished.append((view, live, policy, shares, target))
            self.pending[row] = []
        return finished


class Memory:
    """The latest decisions, in arrays that are overwritten in a circle."""

    def __init__(self, args, envs):
        self.images = torch.from_numpy(contender.symmetries(args.game))
        self.views = np.zeros((args.memory, *envs.obs.shape[1:]), np.float16)
        self.lives = np.zeros((args.memory, *envs.live.shape[1:]), np.uint8)
        self.policies = np.zeros((args.memory, envs.num_actions), np.float16)
        self.targets = np.zeros(args.memory, np.float32)
        self.seen = 0

    def add(self, decisions):
        for view, live, policy, shares, target in decisions:
            at = self.seen % len(self.targets)
            self.views[at], self.lives[at], self.targets[at] = view, live, target
            self.policies[at] = 0
            self.policies[at, policy] = shares
            self.seen += 1

    def draw(self, count, rng, device):
        """Returns a batch of decisions, each in a random symmetric image."""
        rows = rng.integers(0, min(self.seen, len(self.targets)), count)
        arrays = (self.views, self.lives, self.policies, self.targets)
        views, lives, policies, targets = (torch.from_numpy(of[rows]).to(device, non_blocking=True) for of in arrays)
        views, policies = views.float(), policies.float()
        images = self.images.to(device)[torch.randint(len(self.images), (count,), device=device)]
        cells = images.shape[1]
        whole = torch.empty_like(policies)
        whole[:, -1] = policies[:, -1]
        by_cell = policies[:, :-1].view(count, cells, -1)
        whole[:, :-1] = torch.zeros_like(by_cell).scatter_(1, images[:, :, None].expand_as(by_cell), by_cell).flatten(1)
        flat = views.flatten(2)
        views = torch.zeros_like(flat).scatter_(2, images[:, None].expand_as(flat), flat).view_as(views)
        return views, lives, whole, targets


def measure(args, network, opponent, device):
    """Returns the share of the points that the search with the network wins against a bot."""
    nodes = args.opponent_nodes
    envs = contender.VectorEnv(args.game, args.match_games, seed=7, threads=args.threads, opponent=opponent, nodes=nodes)
    _, _, player = envs.reset()
    search = contender.TreeSearch(envs, args.nodes, exploration=args.exploration)
    evaluator = Evaluator(network, search, device)
    score = np.full(args.match_games, np.nan)
    while np.isnan(score).any():
        search.begin()
        evaluator.ask()
        while search.step(*evaluator.answer()) > 0:
            evaluator.ask()
        seats = player.copy()
        *_, reward, done = envs.step(search.visits.argmax(1))
        own = reward[np.arange(len(seats)), seats]
        score = np.where(np.isnan(score) & (done > 0), 0.5 + 0.5 * np.sign(own), score)
    return 100 * score.mean()


def main(words=None):
    args = arguments(words)
    device = torch.device(args.device)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    if args.start:
        tensors = contender.load_network(args.game, args.start)
    else:
        shapes = contender.network_shapes(args.game, args.channels, args.blocks, args.hidden)
        tensors = random_tensors(shapes, args.seed)
    exact, network, averaged = (Network(args.game, tensors).to(device) for _ in range(3))
    network.take_rounded(exact)
    optimiser = torch.optim.AdamW(exact.parameters(), lr=args.rate, weight_decay=args.decay)
    progress = {"round": 0, "decisions": 0, "steps": 0, "seconds": 0.0}
    args.out.mkdir(parents=True, exist_ok=True)
    checkpoint = args.out / "checkpoint.pt"
    parts = {"exact": exact, "averaged": averaged, "optimiser": optimiser}
    if checkpoint.exists():
        whole = torch.load(checkpoint, map_location=device, weights_only=False)
        for name, part in parts.items():
            part.load_state_dict(whole[name])
        progress = whole["progress"]
        network.take_rounded(exact)
        print(f"resumed after {progress['decisions']} decisions", flush=True)
    groups = 2 if device.type == "cuda" and args.games >= 2 else 1
    seeds = [1000 * args.seed + number + 100_000 * progress["round"] for number in range(groups)]
    games = [Games(args, network, args.games // groups, seed, device) for seed in seeds]
    memory = Memory(args, games[0].envs)
    matched, due = -math.inf, 0.0
    for part in games:
        part.begin()
    while True:
        began, before = time.time(), memory.seen
        left = [args.moves * len(games[0].pending)] * groups
        # A group of games moves on as soon as its searches are complete, while the others go on.
        while any(count > 0 for count in left):
            for at, part in enumerate(games):
                if not part.step():
                    memory.add(part.play())
                    left[at] -= len(part.pending)
                    part.begin()
        played, count = time.time(), memory.seen - before
        # Gradient steps that the new decisions are worth.
        due += args.passes * count / args.batch
        done = min(1.0, max(progress["seconds"] / (60 * args.minutes), progress["decisions"] / args.decisions))
        rate = args.rate_end + (args.rate - args.rate_end) * 0.5 * (1 + math.cos(math.pi * done))
        for group in optimiser.param_groups:
            group["lr"] = rate
        losses = []
        while due >= 1 and memory.seen >= args.batch:
            due -= 1
            batch = memory.draw(args.batch, rng, device)
            losses.append(learn(args, exact, network, averaged, optimiser, batch, progress))
        progress["round"] += 1
        progress["decisions"] += count
        spent = time.time() - began
        progress["seconds"] += spent
        is_over = progress["seconds"] >= 60 * args.minutes or progress["decisions"] >= args.decisions
        seen = {name: progress[name] for name in ("round", "decisions", "steps")}
        seen |= {"seconds": round(progress["seconds"], 1)}
        moves = args.moves * sum(len(part.pending) for part in games)
        seen |= {"moves a second": round(moves / spent), "share of playing": round((played - began) / spent, 2)}
        if losses:
            policy, value = torch.stack(losses).mean(0).tolist()
            seen |= {"policy loss": round(policy, 4), "value error": round(value, 4)}
        if progress["seconds"] - matched >= args.match_seconds or is_over:
            matched = progress["seconds"]
            shown = Network(args.game, averaged.arrays()).to(device)
            shown.take_rounded(averaged)
            for name in filter(None, args.opponents.split(",")):
                seen[f"against {name}"] = round(measure(args, shown, name, device), 1)
            contender.save_network(args.game, args.out / "network.bin", averaged.arrays())
            whole = {name: part.state_dict() for name, part in parts.items()} | {"progress": progress}
            torch.save(whole, checkpoint.with_suffix(".new"))
            checkpoint.with_suffix(".new").rename(checkpoint)
        with open(args.out / "metrics.jsonl", "a") as file:
            file.write(json.dumps(seen) + "\n")
        print("  ".join(f"{name} {value:.6g}" for name, value in seen.items()), flush=True)
        if is_over:
            break


def loss_of(logits, values, policies, targets):
    """Returns the cross entropy of the policy to the visits, and the square error of the value."""
    logs = torch.log_softmax(logits, -1)
    return -(policies * logs).sum(-1).mean(), F.mse_loss(values, targets)


def learn(args, exact, network, averaged, optimiser, batch, progress):
    """Learns from a batch; the gradient at the rounded parameters moves the exact ones (straight-through estimator)."""
    views, lives, policies, targets = batch
    with torch.autocast(views.device.type, torch.bfloat16, enabled=views.is_cuda):
        logits, values = network(views, lives)
    policy, value = loss_of(logits.float(), values.float(), policies, targets)
    network.zero_grad()
    (policy + value).backward()
    for parameter, rounded in zip(exact.parameters(), network.parameters()):
        parameter.grad = rounded.grad
    torch.nn.utils.clip_grad_norm_(exact.parameters(), 1.0)
    optimiser.step()
    network.take_rounded(exact)
    progress["steps"] += 1
    stays = min(args.average, (1 + progress["steps"]) / (10 + progress["steps"]))
    with torch.no_grad():
        for mean, parameter in zip(averaged.parameters(), exact.parameters()):
            mean.lerp_(parameter, 1 - stays)
    return torch.stack([policy.detach(), value.detach()])


if __name__ == "__main__":
    main()
