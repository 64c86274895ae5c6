"""The network of python/difflns_torch in double precision, compared with what the C network computed.

usage: parity.py DUMP_PROGRAM     exit 77 (skipped) where torch is not installed
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python"))
try:
    import torch
    from difflns_torch import files
    from difflns_torch.denoiser import Denoiser
except ImportError:
    print("torch is not installed: ./dev test --torch installs it")
    sys.exit(77)

TOLERANCE = 1e-4  # of the tensor's largest entry


def read_safetensors(path):
    tensors, metadata = files.read(path)
    return {name: torch.tensor(value.astype("f8")) for name, value in tensors.items()}, json.loads(metadata["config"])


def compare(name, ours, theirs):
    difference = (ours - theirs).abs().max().item() / max(theirs.abs().max().item(), 1e-3)
    if not difference <= TOLERANCE:
        print("%s: off by %.2e of its largest entry" % (name, difference))
    return difference


def check(program, seed, config):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sample.safetensors")
        if isinstance(config, dict):
            with open(os.path.join(folder, "config.json"), "w") as file:
                json.dump(config, file)
            config = file.name
        subprocess.run([program, path, str(seed), config], check=True)
        tensors, config = read_safetensors(path)
    group = {kind: {name.split(".", 1)[1]: value for name, value in tensors.items() if name.startswith(kind + ".")}
             for kind in ("parameter", "gradient", "input", "output")}
    network = Denoiser(group["parameter"], config)
    logits = network(group["input"])
    (logits * group["output"]["weight"]).sum().backward()
    worst = [compare("logits", group["output"]["logits"], logits.detach())]
    worst += [compare("gradient of " + name, group["gradient"][name], value.grad) for name, value in network.p.items()]
    print("seed %d: %d tensors, worst difference %.2e" % (seed, len(worst), max(worst)))
    return max(worst) <= TOLERANCE


def main():
    torch.set_num_threads(1)
    everything = {"base": "compact", "scales": 3}
    checks = [check(sys.argv[1], seed, config) for seed, config in ((1, "paper"), (2, "compact"), (3, everything))]
    sys.exit(0 if all(checks) else 1)


main()
