"""difflns_torch: the command line."""
import argparse
import json
import sys

from .demos import Damaged
from .train import Trainer


def setting(text):
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def settings(text):
    return dict(setting(part) for part in text.split(","))


def main():
    parser = argparse.ArgumentParser(prog="difflns_torch", description="Train a denoiser of difflns with PyTorch.")
    parser.add_argument("--data", required=True, help="files written by difflns expert, comma-separated")
    parser.add_argument("--start", help="model whose configuration and weights to begin with")
    parser.add_argument("-o", "--out", required=True, help="model to write, along with FILE.state and FILE.jsonl")
    parser.add_argument("--set", dest="settings", type=settings, default={}, help="name=value,name=value")
    parser.add_argument("--resume", action="store_true", help="continue from FILE.state, difflns train's or ours")
    parser.add_argument("--other-data", action="store_true", help="with --resume: other demonstrations than before")
    parser.add_argument("--epochs", type=int, default=0, help="total number of epochs; 0 = as configured")
    parser.add_argument("--mixed", choices=("none", "bf16"), default="none", help="precision of the network")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--checkpoint", type=float, default=300, help="seconds between checkpoints")
    options = parser.parse_args()
    if not options.start and not options.resume:
        parser.error("expected --start or --resume")
    try:
        Trainer(options).run()
    except (Damaged, ValueError, OSError) as error:
        print("difflns_torch: %s" % error, file=sys.stderr)
        return 1
    return 0


sys.exit(main())
