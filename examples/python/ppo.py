"""Proximal policy optimisation of a game's network, against itself and its past checkpoints, in one file.

    python ppo.py --game cellularena --out training              # from random weights
    python ppo.py --game cellularena --start classic.bin --out training --minutes 30
    torchrun --nproc-per-node 4 ppo.py --game cellularena --out training

`training/network.bin` is the file that the game's bots play with: `contender match cellularena
classic:net=training/network.bin greedy`. The same command resumes from `training/checkpoint.pt`.

A decision is a whole turn of a player, which in Cellularena is several choices of one output of the network, each under
the mask that the choices before it leave. Games run on the processor's threads while the GPU evaluates other games.

Sources: Schulman et al., "Proximal policy optimization algorithms", 2017; Schulman et al., "High-dimensional continuous
control using generalized advantage estimation", 2016; Huang et al., "CleanRL", 2022, for the manner.
"""

import argparse
import json
import math
import os
import time
from collections import OrderedDict
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # Before PyTorch: its waiting threads must leave their cores.

import contender
import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F

WAITING = -torch.inf


def arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--game", default="cellularena", help="one of contender.games()")
    add("--out", type=Path, default=Path("training"), help="folder for the network, the checkpoint and the metrics")
    add("--start", type=Path, help="network to begin with, in our file format")
    add("--channels", type=int, default=32, help="channels of the blocks, a multiple of 16")
    add("--blocks", type=int, default=4, help="residual blocks")
    add("--hidden", type=int, default=70, help="hidden neurons of the value")
    add("--games", type=int, default=512, help="games at once")
    add("--threads", type=int, default=os.cpu_count(), help="threads that play them")
    add("--steps", type=int, default=96, help="choices of each game between two phases of learning")
    add("--batch", type=int, default=4096, help="decisions of a gradient step")
    add("--epochs", type=int, default=2, help="passes over the decisions")
    add("--minutes", type=float, default=10.0, help="length of the training; the rate falls to its end by then")
    add("--decisions", type=float, default=math.inf, help="stop after this number of decisions")
    add("--rate", type=float, default=1e-3, help="learning rate at the start")
    add("--rate-end", type=float, default=5e-5, help="learning rate at the end")
    add("--clip", type=float, default=0.2, help="how far a probability may change from what it was")
    add("--divergence", type=float, default=0.03, help="divergence from what played that ends a phase of learning")
    add("--entropy", type=float, default=0.01, help="weight of the entropy")
    add("--value", type=float, default=0.5, help="weight of the value's error")
    add("--discount", type=float, default=0.995, help="worth of a win one turn later")
    add("--trace", type=float, default=0.95, help="lambda of the advantage estimation")
    add("--longest", type=float, default=1.0, help="length to which gradients are clipped")
    add("--average", type=float, default=0.998, help="decay of the averaged weights that are written and measured")
    add("--reward-limit", type=float, default=1.0, help="cap of a result; Cellularena counts a clear win as 2")
    add("--shaping", type=float, default=0.0, help="reward for the final difference in points, times this, capped at 1")
    add("--past-share", type=float, default=0.25, help="share of the games against a past checkpoint")
    add("--keep-every", type=int, default=10, help="rounds between two checkpoints that are kept as opponents")
    add("--kept", type=int, default=30, help="maximum number of them")
    add("--opponents", default="greedy", help="bundled bots that measure the network, with commas between")
    add("--opponent-nodes", type=int, default=150, help="nodes of a move of theirs")
    add("--match-games", type=int, default=128, help="games of a measurement")
    add("--match-seconds", type=float, default=60.0, help="seconds of training between two measurements")
    add("--precision", choices=["fp32", "tf32", "bf16"], default=None, help="default: bf16 on a GPU, else fp32")
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    add("--seed", type=int, default=1)
    return parser.parse_args(words)


class Network(torch.nn.Module):
    """The residual network of `kit/nn`, its parameters by the names and in the shapes of our file."""

    def __init__(self, game, tensors):
        super().__init__()
        self.game = game
        self.tensors = torch.nn.ParameterDict(
            {name: torch.nn.Parameter(torch.from_numpy(np.array(value))) for name, value in tensors.items()}
        )
        self.blocks = sum(name.startswith("convolution") for name in tensors) // 4

    def forward(self, obs, live):
        """Returns the numbers of all actions and the value; `live` is 1 on the cells of the board."""
        of, live = self.tensors, live.unsqueeze(1).to(obs.dtype)
        obs = obs.contiguous(memory_format=torch.channels_last)
        x = F.relu(F.conv2d(obs, of["embed"].t()[:, :, None, None], of["embed_bias"])) * live
        for block in range(self.blocks):
            first, second = (f"convolution{2 * block + part}" for part in (0, 1))
            inner = F.relu(self.convolve(x, first)) * live
            x = F.relu(x + self.convolve(inner, second)) * live
        with torch.autocast(x.device.type, enabled=False):
            heads = F.conv2d(x.float(), of["heads"].t()[:, :, None, None], of["heads_bias"]) * live.float()
            actions = (heads.shape[1] - 1) // of["wait"].shape[0] - 1
            wait = of["wait_bias"][:1] + (heads[:, actions].flatten(1) @ of["wait"][0])[:, None]
            cells = heads[:, :actions].permute(0, 2, 3, 1).flatten(1)
            neurons = F.relu(F.relu(heads[:, -1]).flatten(1) @ of["hidden"] + of["hidden_bias"])
            return torch.cat([cells, wait], 1), neurons @ of["value"] + of["value_bias"]

    def convolve(self, x, name):
        return F.conv2d(x, self.tensors[name].permute(3, 2, 0, 1), self.tensors[name + "_bias"], padding=1)

    def arrays(self):
        """Returns the parameters as our file has them."""
        return {name: value.detach().cpu().numpy() for name, value in self.tensors.items()}

    @torch.no_grad()
    def take(self, arrays):
        """Takes other parameters."""
        for name, value in self.tensors.items():
            value.copy_(torch.from_numpy(arrays[name]), non_blocking=True)

    def take_rounded(self, other):
        """Takes another network's parameters as bots will read them: of few bits."""
        self.take(contender.round_network(self.game, other.arrays()))


def random_tensors(shapes, seed):
    """Parameters at which signals neither fade nor grow; blocks begin close to what goes around them."""
    rng = np.random.default_rng(seed)
    channels, cells = shapes["embed"][1], shapes["wait"][1]
    of_block = math.sqrt(2 / (9 * channels))
    deviations = {"embed": 0.35, "heads": 0.3 / math.sqrt(channels), "wait": 0.01}
    deviations |= {"hidden": math.sqrt(2 / cells), "value": 0.3 / math.sqrt(shapes["hidden"][1])}
    tensors = OrderedDict()
    for name, shape in shapes.items():
        deviation = deviations.get(name, 0.0)
        if name.startswith("convolution") and not name.endswith("bias"):
            deviation = of_block * (1.0 if int(name[11:]) % 2 == 0 else 0.2)
        tensors[name] = (deviation * rng.standard_normal(shape)).astype(np.float32)
    # The value begins above 0 in a cell: below 0 everywhere, rectification would cut it off for good.
    tensors["heads"][:, -1] = np.abs(tensors["heads"][:, -1])
    return tensors


def log_probabilities(logits, mask):
    """Returns the logarithms of the probabilities of legal actions."""
    return torch.log_softmax(logits.masked_fill(mask == 0, WAITING), -1)


def draw(logs):
    """Draws actions by the logarithms of their probabilities (the Gumbel-max trick)."""
    noise = -torch.log(-torch.log(torch.rand_like(logs).clamp_(1e-20, 1 - 1e-7)))
    return (logs + noise).argmax(-1)


def best(logs):
    """Returns the most probable actions; waiting only if it is more probable than all others together."""
    acting = logs[:, :-1].argmax(-1)
    waits = (logs[:, -1] > math.log(0.5)) | (logs[:, :-1].max(-1).values == WAITING)
    return torch.where(waits, logs.shape[1] - 1, acting)


class Games:
    """Part of the games at once, with their latest outputs, and what was chosen since the last phase of learning."""

    def __init__(self, args, number, count, seed, device):
        self.args, self.device = args, device
        self.envs = contender.VectorEnv(args.game, count, seed=seed, threads=args.threads)
        self.envs.reset()
        self.arrays = {name: torch.from_numpy(getattr(self.envs, name)) for name in ("obs", "live", "mask")}
        self.pinned = {}
        if device.type == "cuda":
            # From pinned memory arrays reach the GPU while the processor works. Small ones may share pages with others.
            for name, tensor in self.arrays.items():
                if tensor.nbytes > 1 << 25:
                    torch.cuda.cudart().cudaHostRegister(tensor.data_ptr(), tensor.nbytes, 0)
                else:
                    self.pinned[name] = torch.empty_like(tensor, pin_memory=True)
        self.logits = torch.zeros(count, self.envs.num_actions, device=device)
        self.values = torch.zeros(count, device=device)
        rng = np.random.default_rng(seed + number)
        # Which seat a past checkpoint plays, -1 for none.
        self.past = np.where(rng.random(count) < args.past_share, rng.integers(0, 2, count), -1)
        self.event = torch.cuda.Event() if device.type == "cuda" else None
        self.clear()

    def clear(self):
        self.told, self.boards, self.masks, self.decisions, self.played = [], [], [], 0, 0
        self.current = np.full(self.envs.num_envs, -1)

    def send(self, name):
        """Returns an array on the device; it must not change before the event."""
        array = self.arrays[name]
        if name in self.pinned:
            array = self.pinned[name].copy_(array)
        return array.to(self.device, non_blocking=True)

    @torch.no_grad()
    def ask(self, network, old):
        """Evaluates the games whose turn begins and draws a choice of every game; the answer comes by `answer`."""
        envs = self.envs
        obs, live, mask = (self.send(name) for name in ("obs", "live", "mask"))
        fresh = envs.fresh.astype(bool)
        is_old = (envs.player == self.past) if old is not None else np.zeros_like(fresh)
        self.current[fresh] = -1
        self.played += int(fresh.sum())
        for asked, rows in ((network, np.flatnonzero(fresh & ~is_old)), (old, np.flatnonzero(fresh & is_old))):
            if len(rows) == 0:
                continue
            where = torch.from_numpy(rows).to(self.device)
            boards = (obs[where], live[where])
            with autocast(self.args, self.device):
                logits, values = asked(*boards)
            self.logits[where], self.values[where] = logits.float(), values.float()
            if asked is network:
                self.current[rows] = self.decisions + np.arange(len(rows))
                self.decisions += len(rows)
                self.boards.append((boards[0].to(board_type(self.device)), boards[1]))
        logs = log_probabilities(self.logits, mask)
        actions = draw(logs)
        of_actions = logs.gather(1, actions[:, None])[:, 0]
        answer = torch.stack([actions.float(), of_actions, self.values])
        # Without a GPU the mask is still the array that the next step writes.
        self.masks.append(mask if self.event else mask.clone())
        self.answered = torch.empty(answer.shape, pin_memory=self.event is not None)
        self.answered.copy_(answer, non_blocking=True)
        if self.event:
            self.event.record()

    def answer(self):
        """Plays what was drawn."""
        if self.event:
            self.event.synchronize()
        actions, logs, values = self.answered.numpy()
        envs = self.envs
        player, fresh = envs.player.copy(), envs.fresh.astype(bool)
        *_, reward, done = envs.step(actions)
        worth = np.clip(reward, -self.args.reward_limit, self.args.reward_limit)
        if self.args.shaping:
            ahead = np.clip(self.args.shaping * (envs.points[:, 0] - envs.points[:, 1]), -1, 1) * done
            worth = worth + np.stack([ahead, -ahead], 1)
        self.told.append((player, fresh, self.current.copy(), actions.astype(np.int64), logs, values, worth, done.copy()))

    @torch.no_grad()
    def last_values(self, network):
        """Returns what the games that go on are worth to both players."""
        obs, live = (self.send(name) for name in ("obs", "live"))
        with autocast(self.args, self.device):
            values = network(obs, live)[1].float().cpu().numpy()
        own = np.stack([values, -values], 1)
        return np.where(self.envs.player[:, None] == 0, own, -own)

    def batch(self, args, network):
        """Returns the decisions since the last phase, with advantages (GAE), and how many were played in all."""
        player, fresh, decision, actions, logs, values, worth, done = (np.stack(part) for part in zip(*self.told))
        rows = np.arange(self.envs.num_envs)
        coming, advantage = self.last_values(network), np.zeros((len(rows), 2), np.float32)
        of_decision = {name: np.zeros(self.decisions, np.float32) for name in ("advantage", "target", "log", "whole")}
        for step in reversed(range(len(player))):
            over = done[step].astype(bool)
            coming[over], advantage[over] = worth[step][over] / args.discount, 0.0
            begins, who, which = fresh[step], player[step], decision[step]
            surprise = args.discount * coming[rows, who] - values[step]
            gained = surprise + args.discount * args.trace * advantage[rows, who]
            is_own = begins & (which >= 0)
            of_decision["advantage"][which[is_own]] = gained[is_own]
            of_decision["target"][which[is_own]] = (values[step] + gained)[is_own]
            of_decision["whole"][which[is_own]] = 1.0
            advantage[rows[begins], who[begins]] = gained[begins]
            coming[rows[begins], who[begins]] = values[step][begins]
        chosen = decision >= 0
        np.add.at(of_decision["log"], decision[chosen], logs[chosen])
        # A turn that is not over yet is left out.
        of_decision["whole"][self.current[~self.envs.fresh.astype(bool) & (self.current >= 0)]] = 0.0
        obs, live = (torch.cat(part) for part in zip(*self.boards))
        masks = torch.stack(self.masks)[torch.from_numpy(chosen).to(self.device)]
        to = {name: torch.from_numpy(of).to(self.device) for name, of in of_decision.items()}
        to |= {"obs": obs, "live": live, "mask": masks}
        to |= {name: torch.from_numpy(of[chosen]).to(self.device) for name, of in (("of", decision), ("action", actions))}
        played = self.played
        self.clear()
        return to, played


def board_type(device):
    return torch.float16 if device.type == "cuda" else torch.float32


def autocast(args, device):
    return torch.autocast(device.type, torch.bfloat16, enabled=args.precision == "bf16")


def joined(parts):
    """Returns the decisions of all games as one batch."""
    first = np.cumsum([0] + [len(part["advantage"]) for part in parts])
    batch = {name: torch.cat([part[name] for part in parts]) for name in parts[0] if name != "of"}
    batch["of"] = torch.cat([part["of"] + int(at) for part, at in zip(parts, first)])
    return batch


def loss_of(args, logits, values, part):
    """Returns the loss of some decisions, and the mean divergence, entropy, error and share of clipped ones.

    `part` has their advantages, targets and former logarithms, and of every choice `of`, the decision, `mask` and
    `action`. The probability of a turn is the product over its choices.
    """
    count = len(values)
    logs = log_probabilities(logits[part["of"]], part["mask"])
    of_choice = logs.gather(1, part["action"][:, None])[:, 0]
    doubt = -(logs.exp() * logs.masked_fill(part["mask"] == 0, 0.0)).sum(1)
    of_turn = torch.zeros(count, device=values.device).index_add(0, part["of"], of_choice)
    difference = (of_turn - part["log"]).clamp(-20, 20)
    ratio = difference.exp()
    limited = ratio.clamp(1 - args.clip, 1 + args.clip)
    policy = -torch.minimum(ratio * part["advantage"], limited * part["advantage"]).mean()
    entropy, error = doubt.sum() / count, ((values - part["target"]) ** 2).mean()
    loss = policy - args.entropy * entropy + args.value * error
    with torch.no_grad():
        clipped = (limited != ratio).float().mean()
        seen = torch.stack([(ratio - 1 - difference).mean(), entropy, error, clipped])
    return loss, seen


class Learner:
    """Exact parameters with their optimiser, the rounded ones that play and learn, and the averaged ones."""

    def __init__(self, args, device):
        self.args, self.device = args, device
        if args.start:
            tensors = contender.load_network(args.game, args.start)
        else:
            shapes = contender.network_shapes(args.game, args.channels, args.blocks, args.hidden)
            tensors = random_tensors(shapes, args.seed)
        self.exact, self.network, self.averaged = (Network(args.game, tensors).to(device) for _ in range(3))
        self.optimiser = torch.optim.Adam(self.exact.parameters(), lr=args.rate)
        self.past, self.round, self.decisions, self.steps, self.seconds = [], 0, 0, 0, 0.0
        self.network.take_rounded(self.exact)

    def save(self, path):
        whole = {name: getattr(self, name).state_dict() for name in ("exact", "averaged", "optimiser")}
        whole |= {name: getattr(self, name) for name in ("past", "round", "decisions", "steps", "seconds")}
        torch.save(whole, path.with_suffix(".new"))
        path.with_suffix(".new").rename(path)

    def load(self, path):
        whole = torch.load(path, map_location=self.device, weights_only=False)
        for name, value in whole.items():
            if hasattr(value, "keys"):
                getattr(self, name).load_state_dict(value)
            else:
                setattr(self, name, value)
        self.network.take_rounded(self.exact)

    def learn(self, batch, rate):
        """Learns from a batch of decisions and returns the means of what was seen."""
        args = self.args
        whole = batch["whole"] > 0
        of_whole = batch["advantage"][whole]
        batch["advantage"] = (batch["advantage"] - of_whole.mean()) / (of_whole.std() + 1e-6)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        numbers, all_seen = torch.nonzero(whole)[:, 0], []
        place = torch.full((len(whole),), -1, device=self.device)
        for _ in range(args.epochs):
            order = numbers[torch.randperm(len(numbers), device=self.device)]
            for chosen in order.split(args.batch):
                if len(chosen) < args.batch // 2 and len(order) > args.batch:
                    continue
                place.fill_(-1)
                place[chosen] = torch.arange(len(chosen), device=self.device)
                of = place[batch["of"]]
                choices = torch.nonzero(of >= 0)[:, 0]
                part = {name: batch[name][chosen] for name in ("advantage", "target", "log")}
                part |= {"of": of[choices], "mask": batch["mask"][choices], "action": batch["action"][choices]}
                with autocast(args, self.device):
                    logits, values = self.network(batch["obs"][chosen].float(), batch["live"][chosen])
                loss, seen = loss_of(args, logits.float(), values.float(), part)
                if seen[0] > args.divergence:
                    return torch.stack(all_seen or [seen]).mean(0).tolist()
                self.network.zero_grad()
                loss.backward()
                self.step()
                all_seen.append(seen)
        return torch.stack(all_seen).mean(0).tolist()

    def step(self):
        """Moves the exact parameters by the gradient at the rounded ones (the straight-through estimator)."""
        for exact, rounded in zip(self.exact.parameters(), self.network.parameters()):
            exact.grad = rounded.grad
            if dist.is_initialized():
                dist.all_reduce(exact.grad, dist.ReduceOp.AVG)
        torch.nn.utils.clip_grad_norm_(self.exact.parameters(), self.args.longest)
        self.optimiser.step()
        self.network.take_rounded(self.exact)
        self.steps += 1
        stays = min(self.args.average, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            for mean, value in zip(self.averaged.parameters(), self.exact.parameters()):
                mean.lerp_(value, 1 - stays)

    def keep(self, rng):
        """Keeps a checkpoint as an opponent now and then."""
        if self.round % self.args.keep_every == 0:
            if len(self.past) >= self.args.kept:
                self.past.pop(int(rng.integers(len(self.past))))
            self.past.append(contender.round_network(self.args.game, self.averaged.arrays()))


@torch.no_grad()
def measure(args, network, opponent, device):
    """Returns the share of the points that the policy alone, with its most probable moves, wins against a bot."""
    nodes = args.opponent_nodes
    envs = contender.VectorEnv(args.game, args.match_games, seed=7, threads=args.threads, opponent=opponent, nodes=nodes)
    obs, mask, player = envs.reset()
    score = np.full(args.match_games, np.nan)
    while np.isnan(score).any():
        seats, (see, live, may) = player.copy(), (torch.from_numpy(array).to(device) for array in (obs, envs.live, mask))
        actions = best(log_probabilities(network(see, live)[0], may))
        obs, mask, player, reward, done = envs.step(actions.cpu().numpy())
        own = reward[np.arange(len(seats)), seats]
        score = np.where(np.isnan(score) & (done > 0), 0.5 + 0.5 * np.sign(own), score)
    return 100 * score.mean()


def main(words=None):
    args = arguments(words)
    rank, ranks = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))
    if ranks > 1:
        dist.init_process_group()
        args.device = f"cuda:{os.environ['LOCAL_RANK']}" if torch.cuda.is_available() else "cpu"
    device = torch.device(args.device)
    args.precision = args.precision or ("bf16" if device.type == "cuda" else "fp32")
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = args.precision != "fp32"
    torch.manual_seed(args.seed + rank)
    rng = np.random.default_rng(args.seed)
    learner = Learner(args, device)
    args.out.mkdir(parents=True, exist_ok=True)
    checkpoint = args.out / "checkpoint.pt"
    if checkpoint.exists():
        learner.load(checkpoint)
        print(f"resumed after {learner.decisions} decisions", flush=True)
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        SummaryWriter = None
    board = SummaryWriter(args.out) if SummaryWriter and rank == 0 else None
    # Two groups on a GPU: one is played while the other is evaluated.
    groups = 2 if device.type == "cuda" and args.games >= 2 else 1
    seeds = [1000 * args.seed + 10 * rank + number + 100_000 * learner.round for number in range(groups)]
    games = [Games(args, at, args.games // groups, seed, device) for at, seed in enumerate(seeds)]
    old = Network(args.game, learner.exact.arrays()).to(device)
    matched = -math.inf
    while True:
        began = time.time()
        done = max(learner.seconds / (60 * args.minutes), learner.decisions / args.decisions)
        if learner.past:
            old.take(learner.past[int(rng.integers(len(learner.past)))])
        opponent = old if learner.past and args.past_share > 0 else None
        games[0].ask(learner.network, opponent)
        for step in range(args.steps):
            for at, part in enumerate(games):
                if step + 1 < args.steps or at + 1 < groups:
                    # The next group's evaluation goes to the GPU before this group's games are played.
                    if groups > 1:
                        games[1 - at].ask(learner.network, opponent)
                part.answer()
                if groups == 1 and step + 1 < args.steps:
                    part.ask(learner.network, opponent)
        played = time.time()
        batches = [part.batch(args, learner.network) for part in games]
        batch = joined([of for of, _ in batches])
        count, in_all = int(batch["whole"].sum()), sum(played for _, played in batches)
        rate = args.rate_end + (args.rate - args.rate_end) * 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))
        divergence, entropy, error, clipped = learner.learn(batch, rate)
        del batch, batches
        learner.round += 1
        learner.decisions += count * ranks
        learner.keep(rng)
        spent = time.time() - began
        learner.seconds += spent
        done = max(learner.seconds / (60 * args.minutes), learner.decisions / args.decisions)
        if rank == 0:
            seen = {"round": learner.round, "decisions": learner.decisions, "seconds": round(learner.seconds, 1)}
            seen |= {"learned a second": round(count * ranks / spent), "played a second": round(in_all * ranks / spent)}
            seen |= {"share of playing": round((played - began) / spent, 2)}
            seen |= {"entropy": entropy, "value error": error, "divergence": divergence, "clipped": clipped}
            if learner.seconds - matched >= args.match_seconds or done >= 1:
                matched = learner.seconds
                old.take_rounded(learner.averaged)
                for name in filter(None, args.opponents.split(",")):
                    seen[f"against {name}"] = round(measure(args, old, name, device), 1)
                contender.save_network(args.game, args.out / "network.bin", learner.averaged.arrays())
                learner.save(checkpoint)
            with open(args.out / "metrics.jsonl", "a") as file:
                file.write(json.dumps(seen) + "\n")
            for name in (name for name in seen if board and name != "round"):
                board.add_scalar(name, seen[name], learner.decisions)
            print("  ".join(f"{name} {value:.6g}" for name, value in seen.items()), flush=True)
        if done >= 1:
            break


if __name__ == "__main__":
    main()
