"""What the network sees of a sample (lib/diffusion/inputs.c, trajectory.c, social_graph.c)."""
import numpy
import torch

from .samples import ACTIONS, UNREACHABLE

FORBIDDEN = -1e9
MOST_EVIDENCE = 30
BLOCKED_COST = 2


def likeliest_paths(scene, score, step_cost, distance_cost, device):
    """Squares [agents, T + 1] of each agent's most valuable legal path; score: [agents, T, 5]. In single precision and
    in the order of the C code's sums, so that ties fall alike."""
    agents, horizon = score.shape[:2]
    free = torch.as_tensor(scene.free, device=device)
    toll = torch.where(free, torch.tensor(-step_cost, dtype=torch.float32, device=device),
                       torch.tensor(FORBIDDEN, dtype=torch.float32, device=device))
    everybody, goal = torch.arange(agents, device=device), torch.as_tensor(scene.goal, device=device)
    distance = torch.as_tensor(numpy.where(scene.distance >= UNREACHABLE, 0, scene.distance), device=device).float()
    last = torch.where(free, -torch.tensor(step_cost, dtype=torch.float32, device=device) - distance_cost * distance,
                       torch.tensor(FORBIDDEN, dtype=torch.float32, device=device))
    last[everybody, goal] += step_cost
    inner = slice(scene.stride, scene.squares - scene.stride)

    def value(action, later, t):
        shifted = later[:, inner.start + scene.offset[action]:inner.stop + scene.offset[action]]
        return shifted + score[:, t, action, None]

    worth = [None] * horizon + [last]
    for t in range(horizon - 1, 0, -1):
        best = value(0, worth[t + 1], t)
        for action in range(1, ACTIONS):
            best = torch.maximum(best, value(action, worth[t + 1], t))
        now = torch.full_like(last, FORBIDDEN)
        now[:, inner] = best + toll[inner]
        now[everybody, goal] += step_cost
        worth[t] = now
    here = torch.as_tensor(scene.start, device=device)
    offset = torch.as_tensor(scene.offset, device=device)
    path = [here]
    for t in range(horizon):
        gain = worth[t + 1].gather(1, here[:, None] + offset) + score[:, t]
        here = here + offset[first_largest(gain)]
        path.append(here)
    return torch.stack(path, 1)


def first_largest(values):
    """argmax along the last axis that takes the first of equals on every device."""
    return (values == values.max(-1, keepdim=True).values).int().argmax(-1)


def trajectory(config, schedule, sample, device):
    """Squares [agents, T + 1] and positions [agents, T, 2] inferred from the noisy tokens."""
    scene = sample.scene
    noisy = torch.as_tensor(sample.noisy, device=device)
    if config["trajectory"] == "map":
        evidence = min(schedule.log_evidence(sample.k), MOST_EVIDENCE)
        score = torch.nn.functional.one_hot(noisy, ACTIONS).float() * evidence
        path = likeliest_paths(scene, score, config["map_step_cost"], config["map_distance_cost"], device)
        path = path.cpu().numpy()
        return path, scene.position(path[:, :-1]).astype("f4")
    here, path = scene.start, [scene.start]
    for t in range(sample.horizon):
        target, legal = scene.targets(here)
        token = sample.noisy[:, t, None]
        there = numpy.take_along_axis(target, token, 1)[:, 0]
        here = numpy.where(numpy.take_along_axis(legal, token, 1)[:, 0], there, here)
        path.append(here)
    path = numpy.stack(path, 1)
    step = numpy.array([[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]])
    return path, (scene.position(scene.start)[:, None] + step[sample.noisy].cumsum(1)).astype("f4")


def neighbors(config, schedule, scene, k, position, device):
    """[agents, M]: the agent itself, then those whose trajectories come nearest."""
    agents = scene.agents
    everybody = torch.arange(agents, device=device)
    if config["attention"] == "dense":
        rows = [[i] + [j for j in range(agents) if j != i] for i in range(agents)]
        return torch.tensor(rows, device=device)
    low, high = config["neighbor_ratio_low"], config["neighbor_ratio_high"]
    ratio = low + (high - low) * (1 - schedule.kept[k])
    count = int(numpy.floor(ratio * agents + 0.5))
    count = min(max(min(count, config["neighbors_max"]), config["neighbors_min"]), agents - 1)
    nearest = torch.empty(agents, agents, device=device)
    total = torch.empty(agents, agents, device=device)
    for i in range(agents):
        apart = (position[i] - position).abs().sum(-1)
        nearest[i], total[i] = apart.min(-1).values, apart.sum(-1)
    nearest[everybody, everybody] = torch.inf
    start = torch.as_tensor(scene.start, device=device)
    order = torch.argsort(start).expand(agents, -1)  # the last key first, each sort stable
    for key in (total, nearest):
        order = order.gather(1, torch.sort(key.gather(1, order), dim=1, stable=True).indices)
    return torch.cat([everybody[:, None], order[:, :count]], 1)


def features(config, sample, path):
    """[agents, T, F] rows as dl_config_features lays them out."""
    scene = sample.scene
    here, then = path[:, :-1], path[:, 1:]
    parts = [numpy.eye(ACTIONS, dtype="f4")[sample.noisy]]
    target, legal = scene.targets(here)
    if config["trajectory"] == "map":
        parts.append((target == then[..., None]).astype("f4") * legal)
    if config["cost_to_go"]:
        agent = numpy.arange(scene.agents)[:, None]
        change = scene.distance[agent[..., None], target] - scene.distance[agent, here][..., None]
        parts.append(numpy.where(legal, change, BLOCKED_COST).astype("f4"))
    if config["occupancy"]:
        count = numpy.zeros((path.shape[1], scene.squares), numpy.int64)
        numpy.add.at(count, (numpy.broadcast_to(numpy.arange(path.shape[1]), path.shape), path), 1)
        count = numpy.minimum(count, 255)
        time = numpy.arange(sample.horizon)[:, None]
        for later, own in ((0, here), (1, then)):
            there = count[time + later, target] - (target == own[..., None])
            parts.append((there * legal).astype("f4"))
    return numpy.concatenate(parts, -1)


def build(config, schedule, sample, device):
    """The network's input as a dictionary of tensors."""
    scene = sample.scene
    path, position = trajectory(config, schedule, sample, device)
    position = torch.as_tensor(position, device=device)
    grid = numpy.zeros((scene.height, scene.width, 3), "f4")
    free = scene.free.reshape(scene.height + 2, scene.stride)[1:-1, 1:-1]
    grid[..., 0], grid[..., 1] = ~free, free
    goal = scene.position(scene.goal)
    grid[goal[:, 0], goal[:, 1], 2] = 1
    return {
        "features": torch.as_tensor(features(config, sample, path), device=device),
        "position": position,
        "entropy": torch.full(sample.clean.shape, schedule.entropy(sample.k), device=device),
        "neighbor": neighbors(config, schedule, scene, sample.k, position, device),
        "start": torch.as_tensor(scene.position(scene.start), device=device).float(),
        "goal": torch.as_tensor(goal, device=device).float(),
        "map": torch.as_tensor(grid, device=device),
        "step": torch.tensor([float(sample.k)], device=device),
        "free_cells": torch.tensor([float(scene.free.sum())], device=device),
    }
