"""The training objective (lib/diffusion/losses.c, task_losses.c), in double precision like there."""
import numpy
import torch
from torch.nn import functional as F

from .inputs import first_largest
from .samples import ACTIONS, UNREACHABLE

TERMS = ("aux", "kl", "goal", "vertex", "edge", "valid")
FIRST_SHARE = 0.2
LEAST_WEIGHT = 0.1
MOVES = ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1))


def weights(config, epoch):
    since = epoch - config["generative_epochs"]
    share = 0
    if since >= 0:
        warm = since / config["warmup_epochs"] if config["warmup_epochs"] > 0 else 1
        share = FIRST_SHARE + (1 - FIRST_SHARE) * min(warm, 1)
    task = [share * config[name + "_weight"] for name in TERMS[2:]]
    return [1, config["kl_weight"]] + task


def divergence(schedule, k, noisy, clean, probability):
    """KL of the posterior's step from k to k - 1 under the true clean token and under the predicted ones."""
    tokens = ACTIONS
    stay = schedule.kept[k] / schedule.kept[k - 1]
    kept, rest = schedule.kept[k - 1], (1 - schedule.kept[k - 1]) / tokens
    transition = F.one_hot(noisy, tokens) * stay + (1 - stay) / tokens
    q = transition * (kept * F.one_hot(clean, tokens) + rest)
    q = q / q.sum(-1, keepdim=True)
    r = transition * (kept * probability + rest)
    r = r / r.sum(-1, keepdim=True)
    return torch.where(q > 0, q * (torch.log(torch.where(q > 0, q, torch.ones_like(q))) - torch.log(r)),
                       torch.zeros_like(q)).sum(-1)


def trace(scene, probability):
    """Which tokens are legal along the rollout of the likeliest ones: [N, T, 5]."""
    likeliest = first_largest(probability.detach()).cpu().numpy()
    here, legals = scene.start, []
    for t in range(likeliest.shape[1]):
        target, legal = scene.targets(here)
        legals.append(legal)
        choice = likeliest[:, t, None]
        there = numpy.take_along_axis(target, choice, 1)[:, 0]
        here = numpy.where(numpy.take_along_axis(legal, choice, 1)[:, 0], there, here)
    return numpy.stack(legals, 1)


def soft_distance(scene, position):
    """[N, T]: distance at fractional positions, bilinear over the free ones of the four cells around."""
    device = position.device
    row = position[..., 0].clamp(0, scene.height - 1)
    col = position[..., 1].clamp(0, scene.width - 1)
    top, left = row.detach().floor(), col.detach().floor()
    down, right = row - top, col - left
    distance = torch.as_tensor(scene.distance, device=device)
    agent = torch.arange(scene.agents, device=device)[:, None]
    weight, value = 0, 0
    for r in (0, 1):
        for c in (0, 1):
            square = ((top + r + 1) * scene.stride + left + c + 1).long()
            steps = distance[agent, square]
            there = (steps < UNREACHABLE).double()
            part = (down if r else 1 - down) * (right if c else 1 - right) * there
            weight = weight + part
            value = value + part * torch.where(there > 0, steps, torch.zeros_like(steps))
    safe = torch.where(weight > 0, weight, torch.ones_like(weight))
    mean = value / safe
    farthest = torch.full_like(mean, float(scene.free.sum()))
    without_slope = torch.where(weight > 0, mean, farthest).detach()
    return torch.where(weight < LEAST_WEIGHT, without_slope, mean)


def goal_progress(scene, position):
    if position.shape[1] < 2:
        return position.sum() * 0
    distance = soft_distance(scene, position)
    now, then = distance[:, :-1], distance[:, 1:]
    wanted = torch.where(now > 1, now - 1, torch.zeros_like(now))
    return F.relu(then - wanted).mean() / max(scene.height, scene.width)


def mean_of(values, near):
    count = near.sum()
    return (values * near).sum() / count if count > 0 else values.sum() * 0


def conflicts(position, vertex_radius, edge_radius):
    """Mean of exp(-distance) over the pairs that come near; and over those that nearly swap places."""
    pairs = torch.triu_indices(len(position), len(position), 1, device=position.device)
    a, b = position[pairs[0]], position[pairs[1]]
    apart = (a - b).abs().sum(-1)
    vertex = mean_of(torch.exp(-apart), apart <= vertex_radius)
    forth = (a[:, :-1] - b[:, 1:]).abs().sum(-1)
    back = (a[:, 1:] - b[:, :-1]).abs().sum(-1)
    return vertex, mean_of(torch.exp(-(forth + back) / 2), (forth <= edge_radius) & (back <= edge_radius))


def evaluate(config, schedule, sample, weight, logits):
    """The weighted total and the terms before weighting; task terms are 0 when all their weights are."""
    device = logits.device
    logits = logits.double()
    clean = torch.as_tensor(sample.clean, device=device)
    noisy = torch.as_tensor(sample.noisy, device=device)
    probability = logits.softmax(-1)
    zero = torch.zeros((), dtype=torch.float64, device=device)
    entropy = F.cross_entropy(logits.flatten(0, 1), clean.flatten())
    away = divergence(schedule, sample.k, noisy, clean, probability)
    terms = [entropy, away.mean(), zero, zero, zero, zero]
    if any(part > 0 for part in weight[2:]):
        scene = sample.scene
        legal = trace(scene, probability)
        move = torch.tensor(MOVES, dtype=torch.float64, device=device)  # an illegal one moves the soft trajectory, too
        start = torch.as_tensor(scene.position(scene.start), dtype=torch.float64, device=device)
        position = start[:, None] + (probability @ move).cumsum(1)
        vertex, edge = conflicts(position, config["vertex_radius"], config["edge_radius"])
        invalid = (probability * torch.as_tensor(~legal, device=device)).sum(-1).mean()
        terms[2:] = [goal_progress(scene, position), vertex, edge, invalid]
    total = sum(part * term for part, term in zip(weight, terms))
    correct = int((logits.argmax(-1) == clean).sum())
    return total, [float(term) for term in terms], correct
