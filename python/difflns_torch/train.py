"""The training loop: as lib/diffusion/train.c, over processes that torchrun starts."""
import contextlib
import json
import os
import time

import numpy
import torch
from torch import distributed
from torch.nn.parallel import DistributedDataParallel

from . import files, inputs, losses
from .demos import fingerprint, read_demos
from .denoiser import Denoiser
from .samples import Batches, Sample, Schedule

NOISE_LEVELS = 4
SUMS = 2 + len(losses.TERMS) + 2 * NOISE_LEVELS + 1  # samples, total, terms, tokens, correct, operations


class Ranks:
    """The processes of this run; one by itself without torchrun."""

    def __init__(self, device):
        self.size, self.rank = int(os.environ.get("WORLD_SIZE", 1)), int(os.environ.get("RANK", 0))
        self.device = torch.device(device)
        if self.device.type == "cuda":
            self.device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
            torch.cuda.set_device(self.device)
        if self.size > 1:
            distributed.init_process_group("nccl" if self.device.type == "cuda" else "gloo")

    def sum(self, numbers):
        total = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        if self.size > 1:
            distributed.all_reduce(total)
        return total.tolist()

    def end(self):
        if self.size > 1:
            distributed.destroy_process_group()


class Trainer:
    def __init__(self, options):
        self.options, self.ranks = options, Ranks(options.device)
        tensors, self.config = files.read_model(options.out if options.resume else options.start)
        self.config.update(options.settings)
        self.schedule = Schedule(self.config)
        self.examples = [example for path in options.data.split(",") for example in read_demos(path)]
        self.batches = Batches(self.examples, self.config)
        self.step, self.seconds, self.sums = 0, 0.0, [0.0] * SUMS
        self.shape = {name: value.shape for name, value in tensors.items()}
        vectors = None
        if self.ranks.rank == 0 or options.resume:
            self.data = fingerprint(self.examples)
        if options.resume:
            vectors = self.read_state()
            tensors = self.cut(vectors[0])
        if self.config["batch"] < self.ranks.size:
            raise ValueError("batch %d: expected at least one sample for each of %d processes" %
                             (self.config["batch"], self.ranks.size))
        network = Denoiser({name: torch.tensor(value) for name, value in tensors.items()}, self.config)
        self.network = network.to(self.ranks.device)
        self.model = self.network
        if self.ranks.size > 1:
            self.model = DistributedDataParallel(self.network)
        self.optimizer = self.make_optimizer()
        self.average = [value.detach().clone() for value in self.network.vector]
        if vectors:
            self.take_moments(vectors)
        self.epoch_batches = self.config["epoch_batches"] or len(self.batches.turn)
        self.began = time.time()

    def make_optimizer(self):
        decays = [value for name, value in self.network.p.items() if name.endswith(".weight")]
        others = [value for name, value in self.network.p.items() if not name.endswith(".weight")]
        groups = [{"params": decays, "weight_decay": self.config["weight_decay"]},
                  {"params": others, "weight_decay": 0.0}]
        return torch.optim.AdamW(groups, lr=self.config["learning_rate"], betas=(0.9, 0.999), eps=1e-8)

    # ---- files ----

    def cut(self, vector):
        """A vector of all parameters as tensors by name."""
        out, at = {}, 0
        for name, shape in self.shape.items():
            count = int(numpy.prod(shape))
            out[name] = vector[at:at + count].reshape(shape)
            at += count
        return out

    def join(self, tensors):
        return torch.cat([value.detach().flatten() for value in tensors]).float().cpu().numpy()

    def read_state(self):
        vectors, config, numbers = files.read_state(self.options.out + ".state")
        may_differ = ("epochs", "validation_epochs", "validation_steps", "sampling_steps", "sampler", "map_decoding", "decode_step_cost", "collision_cost", "path_collision_cost", "decode_sweeps")
        other = [name for name in config if name not in may_differ and config[name] != self.config.get(name)]
        if other:
            raise ValueError("%s.state: made with another configuration: %s" % (self.options.out, other[0]))
        if numbers[1] != self.data and not self.options.other_data:
            raise ValueError("%s.state: made with other demonstrations" % self.options.out)
        self.step, self.seconds, self.sums = numbers[0], numbers[2], numbers[4:]
        return vectors

    def take_moments(self, vectors):
        first, second, average = (self.cut(vector) for vector in vectors[1:])
        for index, (name, value) in enumerate(self.network.p.items()):
            self.optimizer.state[value] = {"step": torch.tensor(float(self.step)),
                                           "exp_avg": torch.tensor(first[name]).to(value),
                                           "exp_avg_sq": torch.tensor(second[name]).to(value)}
            self.average[index] = torch.tensor(average[name]).to(value)

    def save(self):
        if self.ranks.rank != 0:
            return
        seconds = self.seconds + time.time() - self.began
        card = {"demonstrations": len(self.examples), "data": "%016x" % self.data, "steps": self.step,
                "epochs": round(self.step / self.epoch_batches, 2), "batch": self.config["batch"],
                "seconds": round(seconds), "ranks": self.ranks.size, "torch": torch.__version__}
        average = {name: value.float().cpu().numpy() for name, value in zip(self.shape, self.average)}
        files.write_model(self.options.out, average, self.config, card)
        state = self.optimizer.state
        moments = [[state[value][key] if value in state else torch.zeros_like(value) for value in self.network.vector]
                   for key in ("exp_avg", "exp_avg_sq")]
        vectors = [self.join(list(self.network.vector))] + [self.join(values) for values in moments]
        numbers = [self.step, self.data, seconds, 0.0] + self.sums
        files.write_state(self.options.out + ".state", vectors + [self.join(self.average)], self.config, numbers)

    # ---- one step ----

    def epochs(self):
        return self.options.epochs or self.config["epochs"]

    def precision(self):
        if self.options.mixed == "none":
            return contextlib.nullcontext()
        return torch.autocast(self.ranks.device.type, torch.bfloat16)

    def learn(self, sample, weight):
        """Adds the sample's gradient; returns its sums."""
        seen = inputs.build(self.config, self.schedule, sample, self.ranks.device)
        with self.precision():
            logits = self.model(seen)
        total, terms, correct = losses.evaluate(self.config, self.schedule, sample, weight, logits)
        # the wrapper takes the mean over processes, which may have unequal numbers of samples
        (total * (self.ranks.size / self.config["batch"])).backward()
        level = (sample.k - 1) * NOISE_LEVELS // self.schedule.steps
        tokens, hits = [0.0] * NOISE_LEVELS, [0.0] * NOISE_LEVELS
        tokens[level], hits[level] = float(sample.clean.size), float(correct)
        return [1.0, total.item()] + terms + tokens + hits + [0.0]

    def train_step(self):
        batch = self.config["batch"]
        weight = losses.weights(self.config, self.step // self.epoch_batches)
        example = self.batches.get(self.step)
        own = range(self.ranks.rank, batch, self.ranks.size)
        sums = [0.0] * SUMS
        self.optimizer.zero_grad(set_to_none=False)
        for slot in own:
            sample = Sample(self.config, self.schedule, self.examples[example[slot]], self.step * batch + slot)
            apart = self.ranks.size > 1 and slot != own[-1]
            with self.model.no_sync() if apart else contextlib.nullcontext():
                sums = [a + b for a, b in zip(sums, self.learn(sample, weight))]
        sums = self.ranks.sum(sums)
        if self.config["gradient_clip"] > 0:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.config["gradient_clip"])
        warm = (self.step + 1) / self.config["rate_warmup"] if self.config["rate_warmup"] > 0 else 1
        for group in self.optimizer.param_groups:
            group["lr"] = self.config["learning_rate"] * min(warm, 1)
        self.optimizer.step()
        kept = min(self.config["average"], (self.step + 1) / (self.step + 10)) if self.config["average"] > 0 else 0
        with torch.no_grad():
            for mean, value in zip(self.average, self.network.vector):
                mean.mul_(kept).add_(value, alpha=1 - kept)
        self.step += 1
        self.sums = [a + b for a, b in zip(self.sums, sums)]

    def report(self):
        """A line of the log, with the fields of the C program's that are known here."""
        samples, total = self.sums[0], self.sums[1]
        terms = self.sums[2:2 + len(losses.TERMS)]
        weight = losses.weights(self.config, (self.step - 1) // self.epoch_batches)
        line = {"epoch": self.step // self.epoch_batches, "step": self.step, "loss": round(total / samples, 6)}
        line.update({name: round(term / samples, 6) for name, term, share in zip(losses.TERMS, terms, weight) if share})
        line["seconds"] = round(self.seconds + time.time() - self.began, 1)
        text = json.dumps(line)
        print(text, flush=True)
        with open(self.options.out + ".jsonl", "a") as file:
            file.write(text + "\n")

    def run(self):
        saved = time.time()
        if self.ranks.rank == 0 and not self.options.resume:
            open(self.options.out + ".jsonl", "w").close()
        while self.step < self.epochs() * self.epoch_batches:
            self.train_step()
            if self.step % self.epoch_batches == 0:
                if self.ranks.rank == 0:
                    self.report()
                self.sums = [0.0] * SUMS
                self.save()
                saved = time.time()
            elif time.time() - saved > self.options.checkpoint:
                self.save()
                saved = time.time()
        self.save()
        self.ranks.end()
