"""Compares ways to solve the same instances: cost over the sum of distances, and seconds."""
import time

import difflns

METHODS = {
    "first plan": {"stop": "first"},
    "settled (default)": {},
    "from LaCAM": {"init": "lacam", "stop": "first"},
    "from prioritized planning": {"init": "pp", "stop": "first"},
}

instances = [difflns.generate("small-random", 45, seed) for seed in range(1, 6)]
print(f"{'method':<28}{'solved':>8}{'cost':>8}{'seconds':>10}")
for name, options in METHODS.items():
    costs, seconds = [], 0.0
    for instance in instances:
        began = time.perf_counter()
        plan = difflns.Solver(time_limit=5, **options).solve(instance)
        seconds += time.perf_counter() - began
        if plan:
            costs.append(plan.soc / instance.sum_of_distances)
    mean = sum(costs) / len(costs) if costs else float("nan")
    print(f"{name:<28}{len(costs):>5}/{len(instances)}{mean:>8.2f}{seconds / len(instances):>10.3f}")
