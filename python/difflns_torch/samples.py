"""Which demonstrations train together, and how each is seen: as lib/diffusion/batches.c and examples.c do."""
import math

import numpy

from .streams import Stream

HELD_OUT, HELD_OUT_ONE_IN, TOO_FEW_TO_HOLD_OUT = 48, 20, 10
REST, GRAIN = 8, 8
UNREACHABLE = 1 << 30
ACTIONS = 5


class Schedule:
    """lib/diffusion/schedule.c: kept[k], the share of tokens that noise of level k leaves alone."""

    def __init__(self, config):
        def cosine(share):
            return math.cos((share + 0.008) / 1.008 * math.pi / 2) ** 2
        self.steps = config["diffusion_steps"]
        self.kept = [1.0]
        for k in range(1, self.steps + 1):
            step = cosine(k / self.steps) / cosine((k - 1) / self.steps)
            self.kept.append(self.kept[-1] * min(max(step, 0.001), 1))

    def log_evidence(self, k):
        other = (1 - self.kept[k]) / ACTIONS
        return math.log((self.kept[k] + other) / other) if other > 0 else math.inf

    def entropy(self, k):
        other = (1 - self.kept[k]) / ACTIONS
        same = self.kept[k] + other
        others = (ACTIONS - 1) * other * math.log(other) if other > 0 else 0
        return -(same * math.log(same) + others) / math.log(ACTIONS)


class Batches:
    """Team size is fixed within a batch and alternates from batch to batch; the order follows from (seed, epoch)."""

    def __init__(self, examples, config):
        self.batch, self.seed, self.order, self.epoch = config["batch"], config["seed"], {}, -1
        self.group, held = {}, 0
        for index, example in enumerate(examples):
            if len(examples) >= TOO_FEW_TO_HOLD_OUT and held < HELD_OUT and \
                    Stream(self.seed, "held", index).below(HELD_OUT_ONE_IN) == 0:
                held += 1
                continue
            self.group.setdefault(example.agents, []).append(index)
        batches = {agents: -(-len(group) // self.batch) for agents, group in self.group.items()}
        self.turn = [(agents, number) for number in range(max(batches.values()))
                     for agents in self.group if number < batches[agents]]

    def get(self, step):
        epoch, place = divmod(step, len(self.turn))
        if epoch != self.epoch:
            for agents, group in self.group.items():
                self.order[agents] = sorted(group)
                Stream(self.seed, "ordr", epoch << 32 | agents).shuffle(self.order[agents])
            self.epoch = epoch
        agents, number = self.turn[place]
        order = self.order[agents]
        return [order[(number * self.batch + i) % len(order)] for i in range(self.batch)]


class Scene:
    """A map in a frame of one blocked square, so that a step is a constant offset; and the agents on it."""

    def __init__(self, blocked, start, goal):
        self.height, self.width = blocked.shape
        self.stride = self.width + 2
        self.squares = (self.height + 2) * self.stride
        self.free = numpy.zeros((self.height + 2, self.stride), bool)
        self.free[1:-1, 1:-1] = ~blocked
        self.free = self.free.reshape(-1)
        self.offset = numpy.array([0, -self.stride, self.stride, -1, 1])
        self.start, self.goal = self.square(start), self.square(goal)
        self.agents = len(start)
        self.distance = self.distances()

    def square(self, at):
        return (at[:, 0] + 1) * self.stride + at[:, 1] + 1

    def position(self, square):
        """(row, column) in the last axis."""
        return numpy.stack([square // self.stride - 1, square % self.stride - 1], axis=-1)

    def distances(self):
        """[agents, squares]: steps to each agent's goal."""
        found = numpy.full((self.agents, self.squares), UNREACHABLE, numpy.int64)
        everybody = numpy.arange(self.agents)
        found[everybody, self.goal] = 0
        reached = found == 0
        front, steps = reached, 0
        inner = slice(self.stride, self.squares - self.stride)
        while front.any():
            steps += 1
            near = numpy.zeros_like(front)
            for offset in self.offset[1:]:
                near[:, inner] |= front[:, inner.start + offset:inner.stop + offset]
            front = near & self.free & ~reached
            found[front] = steps
            reached = reached | front
        return found

    def targets(self, here):
        """[..., 5] for squares here [..., agents]: where each action leads, and whether it may be taken."""
        target = here[..., None] + self.offset
        return target, self.free[target]


class Sample:
    """Training sample `number`: a demonstration seen in a random way, and noise."""

    def __init__(self, config, schedule, example, number):
        stream = Stream(config["seed"], "draw", number)
        symmetry = stream.below(8) if config["augmentation"] else 0
        last, first = example.length - config["horizon"], 0
        if last > 0 and stream.below(2):
            first = stream.below(last + 1)
        improving = example.earlier is not None and \
            Stream(config["seed"], "erly", number).unit() < config["earlier_share"]
        length = example.length
        if improving:  # both plans from the beginning: later, agents are elsewhere in the one than in the other
            first, length = 0, max(length, example.earlier.shape[1])
        wanted = -(-(length - first + REST) // GRAIN) * GRAIN
        self.horizon, self.number = min(wanted, config["horizon"]), number
        self.clean = self.read(example, example.action, symmetry, first)
        source = self.read(example, example.earlier, symmetry, 0) if improving else self.clean
        self.k = 1 + stream.below(schedule.steps)
        self.noisy = self.corrupt(source, schedule, stream)

    def read(self, example, action, symmetry, first):
        """The tokens [agents, horizon] of a plan as seen."""
        cells = self.see(example, action, symmetry, first)
        return ((cells[:, 1:] - cells[:, :-1])[..., None] == self.scene.offset).argmax(-1)

    def see(self, example, action, symmetry, first):
        """Makes the scene and returns the squares [agents, horizon + 1] of the plan as seen."""
        offset = numpy.array([0, -example.width, example.width, -1, 1])
        path = example.start[:, None] + numpy.concatenate(
            [numpy.zeros((example.agents, 1), int), numpy.cumsum(offset[action], 1)], 1)
        length = action.shape[1]
        until = numpy.minimum(first + numpy.arange(self.horizon + 1), length)

        def turn(square):
            row, col = square // example.width, square % example.width
            if symmetry & 1:
                col = example.width - 1 - col
            if symmetry & 2:
                row = example.height - 1 - row
            return numpy.stack([col, row] if symmetry & 4 else [row, col], -1)

        blocked = example.blocked.reshape(example.height, example.width)
        if symmetry & 1:
            blocked = blocked[:, ::-1]
        if symmetry & 2:
            blocked = blocked[::-1]
        if symmetry & 4:
            blocked = blocked.T
        self.scene = Scene(blocked, turn(path[:, min(first, length)]), turn(example.goal))
        at = turn(path[:, until])
        return (at[..., 0] + 1) * self.scene.stride + at[..., 1] + 1

    def corrupt(self, source, schedule, stream):
        """Token by token from one stream: what one draws moves on what the next one gets."""
        kept = schedule.kept[self.k]
        clean = source.reshape(-1).tolist()
        stream.reserve(3 * len(clean) + 64)
        noisy = [token if stream.unit() < kept else stream.below(ACTIONS) for token in clean]
        return numpy.array(noisy).reshape(source.shape)
