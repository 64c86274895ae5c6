"""Training in PyTorch is training in C: the same losses step by step, by one process or two, and runs that move between
the two at any step.

usage: training.py DIFFLNS     exit 77 (skipped) where torch is not installed
"""
import json
import os
import socket
import subprocess
import sys
import tempfile

PACKAGES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "python")
DIFFLNS = os.path.abspath(sys.argv[1])
sys.path.insert(0, PACKAGES)
try:
    import numpy
    import torch  # noqa: F401
    from difflns_torch import files
except ImportError:
    print("torch is not installed: ./dev check torch installs it")
    sys.exit(77)

TOLERANCE = 1e-3  # of a loss; the two differ by rounding, which training amplifies
BETWEEN_PROCESSES = 1e-5
USUAL = "horizon=24,batch=4,epoch_batches=1,validation_epochs=1000,epochs=1000,generative_epochs=2,warmup_epochs=4,average=0.9"
VARIANTS = (("earlier_share=0.5", 20), ("scales=3,earlier_share=0.3", 4), ("trajectory=paper,attention=dense", 3))
failures = []


def expect(what, difference, limit):
    print("%s: off by %.1e" % (what, difference))
    if not difference <= limit:
        failures.append(what)


def start(words, **more):
    # PyTorch 1.13 uses AMX wherever a processor has it, and dies of it where the system does not let it.
    environment = dict(os.environ, PYTHONPATH=PACKAGES, OMP_NUM_THREADS="1", ONEDNN_MAX_CPU_ISA="AVX512_CORE", **more)
    return subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE, env=environment)


def losses_of(process):
    lines = process.communicate()[0].decode().splitlines()
    assert process.returncode == 0, process.args
    return [json.loads(line)["loss"] for line in lines if line.startswith("{")]


def in_c(*words):
    return losses_of(start([DIFFLNS, "train", "--data", "demos", "--threads", 1, "-q", *words]))


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


def in_torch(*words, processes=1):
    """Several processes as torchrun starts them; Debian's own does not get along with its Python 3.11."""
    command = [sys.executable, "-m", "difflns_torch", "--data", "demos", *words]
    if processes == 1:
        return losses_of(start(command))
    port = str(free_port())
    ranks = [start(command, RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(processes), MASTER_ADDR="127.0.0.1",
                   MASTER_PORT=port) for rank in range(processes)]
    return [losses_of(rank) for rank in ranks][0]


def farthest(ours, theirs):
    assert len(ours) == len(theirs) > 0
    return max(abs(a - b) for a, b in zip(ours, theirs))


def weights(path):
    return numpy.concatenate([value.flatten() for value in files.read_model(path)[0].values()])


def compare_variant(settings, steps):
    chosen = ["--config", "toy", "--set", USUAL + "," + settings]
    in_c(*chosen, "--epochs", 1, "-o", "first")
    ours = in_c(*chosen, "--epochs", steps, "--start", "first", "-o", "c")
    theirs = in_torch("--epochs", steps, "--start", "first", "-o", "torch")
    expect("%s, losses of %d steps" % (settings, steps), farthest(ours, theirs), TOLERANCE)
    return chosen


def compare_processes():
    one = in_torch("--epochs", 4, "--start", "first", "-o", "one")
    two = in_torch("--epochs", 4, "--start", "first", "-o", "two", processes=2)
    expect("two processes, losses", farthest(one, two), BETWEEN_PROCESSES)
    expect("two processes, weights", abs(weights("one") - weights("two")).max(), BETWEEN_PROCESSES)


def move_between(chosen):
    """Four steps in one go, and two here, two there."""
    whole = in_c(*chosen, "--epochs", 4, "--start", "first", "-o", "whole")
    there = in_c(*chosen, "--epochs", 2, "--start", "first", "-o", "there")
    there += in_torch("--resume", "--epochs", 4, "-o", "there")
    back = in_torch("--start", "first", "--epochs", 2, "-o", "back")
    back += in_c(*chosen, "--resume", "--epochs", 4, "-o", "back")
    expect("from C to torch", farthest(whole, there), TOLERANCE)
    expect("from torch to C", farthest(whole, back), TOLERANCE)
    expect("from C to torch, weights", abs(weights("whole") - weights("there")).max(), TOLERANCE)
    expect("from torch to C, weights", abs(weights("whole") - weights("back")).max(), TOLERANCE)


def compare_precision():
    """Eight bits of mantissa: about the same, not the same."""
    single = in_torch("--epochs", 2, "--start", "first", "-o", "single")
    mixed = in_torch("--epochs", 2, "--start", "first", "-o", "mixed", "--mixed", "bf16")
    expect("mixed precision", farthest(single, mixed), 0.05)
    expect("mixed precision is none" if single == mixed else "mixed precision is used", single == mixed, 0)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        losses_of(start([DIFFLNS, "expert", "--families", "random,small-random", "-N", "12,30", "--count", 24,
                         "--solver", "lns2", "--iterations", 6000, "--pairs", "--threads", 1, "-o", "demos", "-q"]))
        for settings, steps in VARIANTS:
            chosen = compare_variant(settings, steps)
        compare_processes()
        move_between(chosen)
        compare_precision()
    for what in failures:
        print("FAILED: " + what)
    sys.exit(1 if failures else 0)


main()
