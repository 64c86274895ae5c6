"""Trains a tiny diffusion model with the program difflns and draws drafts from it.

Takes the program from DIFFLNS_PROGRAM or the search path; two minutes of a core by default, or the seconds given.
"""
import os
import subprocess
import sys

import difflns

program = os.environ.get("DIFFLNS_PROGRAM", "difflns")
seconds = sys.argv[1] if len(sys.argv) > 1 else "120"
subprocess.run([program, "expert", "--families", "small-random", "-N", "12", "--count", "40", "--solver", "lns2", "--iterations", "500",
                "--quiet", "-o", "tiny.demos"], check=True)
subprocess.run([program, "train", "--data", "tiny.demos", "--config", "toy", "--time", seconds, "--quiet", "-o",
                "tiny.safetensors"], check=True)
model = difflns.Model("tiny.safetensors")
instance = difflns.generate("small-random", 12, seed=99)
draft = model.sample(instance, count=1)[0]
print(f"a draft costs {draft.plan.soc}, with {len(difflns.check(draft.plan, most=10000))} violations")
