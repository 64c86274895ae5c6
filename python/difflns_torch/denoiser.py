"""The denoising network (lib/diffusion/denoiser.c, docs/denoiser.md)."""
import math

import torch
from torch.nn import functional as F


def gelu(x):
    return F.gelu(x, approximate="tanh")


def sinusoid(number, width):
    half = width // 2
    angle = number * 10000.0 ** (-torch.arange(half, dtype=torch.float64, device=number.device) / half)
    return torch.cat([angle.sin(), angle.cos()], -1)


class Denoiser(torch.nn.Module):
    """Parameters have the names and shapes of the model file; computes in their precision."""

    def __init__(self, tensors, config):
        super().__init__()
        self.config, self.names = config, list(tensors)
        self.vector = torch.nn.ParameterList([torch.nn.Parameter(value) for value in tensors.values()])

    @property
    def p(self):
        return dict(zip(self.names, self.vector))

    def linear(self, name, x):
        weight, bias = self.p[name + ".weight"], self.p[name + ".bias"].flatten()
        return F.linear(x, weight.reshape(len(bias), -1), bias)  # files know columns as vectors

    def perceptron(self, name, x):
        return self.linear(name + ".1.layer", gelu(self.linear(name + ".0.layer", x)))

    def condition(self, sample):
        height, width = sample["map"].shape[:2]
        side = sample["start"].new_tensor([height, width])
        start, goal = (2 * sample["start"] + 1) / side - 1, (2 * sample["goal"] + 1) / side - 1
        sizes = side.new_tensor([math.log(width), math.log(height)])
        density = torch.log1p(len(start) / sample["free_cells"])
        step = self.linear("condition.step", sinusoid(sample["step"], self.config["condition_width"]).to(side))
        scene = self.linear("condition.map_size", sizes) + self.linear("condition.density", density)
        self.c_g = self.perceptron("condition.global", torch.cat([step, scene]))
        places = [self.perceptron("start", start), self.perceptron("goal", goal),
                  self.perceptron("relative_goal", goal - start)]
        self.c = self.perceptron("condition.agent", torch.cat([self.c_g.expand(len(start), -1)] + places, -1))
        self.gate = torch.softmax(self.linear("condition.scale_gate", self.c_g), -1)
        return sum(places)

    def pyramid(self, grid):
        features, x = [], grid.permute(2, 0, 1)[None]
        for s in range(self.config["scales"]):
            name = "pyramid.%d." % s
            kernel = self.p[name + "convolution.weight"]
            kernel = kernel.reshape(len(kernel), 3, 3, -1).permute(0, 3, 1, 2)
            x = F.conv2d(x, kernel, self.p[name + "convolution.bias"].flatten(), stride=1 if s == 0 else 2, padding=1)
            gain, shift = self.linear(name + "film", self.c_g).chunk(2)
            x = gelu((1 + gain[:, None, None]) * x + shift[:, None, None])
            features.append(x)
        for s in range(self.config["scales"] - 2, 0, -1):
            up = features[s + 1].repeat_interleave(2, 2).repeat_interleave(2, 3)
            features[s] = features[s] + up[:, :, :features[s].shape[2], :features[s].shape[3]]
        self.levels = [self.linear("pyramid.%d.project" % s, f.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
                       for s, f in enumerate(features)]

    def heads(self, x):
        return x.reshape(*x.shape[:-1], self.config["heads"], -1)

    def temporal(self, name, x):
        q, k, v = (self.heads(part) for part in self.linear(name + "qkv", x).chunk(3, -1))
        time = torch.arange(x.shape[1], device=x.device)
        window, stride = self.config["window"], self.config["stride"]
        seen = (time[:, None] // window == time[None] // window) | (time[None] % stride == 0)
        score = torch.einsum("ithd,iuhd->ihtu", q, k) / math.sqrt(q.shape[-1])
        score = score.masked_fill(~seen, -math.inf).softmax(-1)
        return self.linear(name + "out", torch.einsum("ihtu,iuhd->ithd", score, v).flatten(2))

    def social(self, name, x, sample):
        q, k, v = (self.heads(part) for part in self.linear(name + "qkv", x).chunk(3, -1))
        neighbor = sample["neighbor"].long()
        there = neighbor.clamp(min=0)
        radius = self.config["bias_radius"]
        offset = (sample["position"][:, None] - sample["position"][there]) / radius
        table = self.p[name + "geometric_bias"].reshape(-1, self.config["heads"]).T.reshape(1, -1, 2 * radius + 1, 2 * radius + 1)
        bias = F.grid_sample(table.to(offset), offset.flip(-1).flatten(1, 2)[None].clamp(-1, 1), align_corners=True)
        bias = bias[0].reshape(-1, *offset.shape[:3])  # heads, agents, neighbors, timesteps
        score = torch.einsum("ithd,imthd->himt", q, k[there]) / math.sqrt(q.shape[-1]) + bias
        score = score.masked_fill((neighbor < 0)[None, :, :, None], -math.inf).softmax(2)
        return self.linear(name + "out", torch.einsum("himt,imthd->ithd", score, v[there]).flatten(2))

    def sensing(self, name, x, sample):
        heads, points, scales = (self.config[key] for key in ("heads", "points", "scales"))
        agents, horizon, width = x.shape
        site = self.linear(name + "sites", x)
        offset = torch.tanh(site[..., :2 * heads * points]).reshape(agents, horizon, 2, heads, points)
        weight = site[..., 2 * heads * points:].reshape(agents, horizon, heads, scales * points).softmax(-1)
        weight = weight.reshape(agents, horizon, heads, scales, points)
        reach = self.p[name + "radius"].flatten()[0] * (1 + 0.2 * sample["entropy"])
        place = sample["position"][..., None, None] + reach[..., None, None, None] * offset
        mixed = []
        for h in range(heads):
            total = 0
            for s, level in enumerate(self.levels):
                size = width // heads
                last = place.new_tensor(level.shape[2:]) - 1
                at = place[:, :, :, h].permute(0, 1, 3, 2) / 2 ** s
                grid = (2 * at / last - 1).flip(-1).reshape(1, agents, horizon * points, 2)
                read = F.grid_sample(level[:, h * size:(h + 1) * size].to(grid), grid, align_corners=True,
                                     padding_mode="border").reshape(size, agents, horizon, points)
                total = total + self.gate[s] * torch.einsum("citp,itp->itc", read, weight[:, :, h, s])
            mixed.append(total)
        return self.linear(name + "out", torch.cat(mixed, -1))

    def feed_forward(self, name, x, _):
        return self.linear(name + "narrow", gelu(self.linear(name + "widen", x)))

    def forward(self, sample):
        places = self.condition(sample)
        self.pyramid(sample["map"])
        x = self.linear("token.features", sample["features"]) + places[:, None]
        width, horizon = x.shape[-1], x.shape[1]
        if self.config["temporal_encoding"]:
            time = torch.arange(horizon, device=x.device)[:, None]
            x = x + self.linear("token.clock", sinusoid(time, width).to(sample["position"]))
        updates = [("temporal.", lambda n, y, s: self.temporal(n, y)), ("social.", self.social),
                   ("sensing.", self.sensing), ("feed_forward.", self.feed_forward)]
        for index in range(self.config["layers"]):
            name = "block.%d." % index
            modulation = self.linear(name + "modulation", self.c).reshape(len(x), 1, 4, 2, width)
            for which, (part, update) in enumerate(updates):
                gain, shift = modulation[:, :, which].unbind(2)
                x = x + update(name + part, (1 + gain) * F.layer_norm(x, (width,)) + shift, sample)
        gain, shift = self.p["head.norm"]
        return self.linear("head.actions", (1 + gain) * F.layer_norm(x, (width,)) + shift)
