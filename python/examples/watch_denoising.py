"""Watches diffusion denoise: the same draft with more and more steps, and how much of it is left to repair."""
import difflns
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

instance = difflns.generate("small-random", 30, seed=2)
model = difflns.Model()
steps, collisions, costs = [1, 2, 4, 8], [], []
for count in steps:
    drafts = model.sample(instance, count=4, seed=1, steps=count)
    collisions.append(sum(len(difflns.check(draft.plan, most=10000)) for draft in drafts) / len(drafts))
    costs.append(sum(draft.plan.soc for draft in drafts) / len(drafts))
    print(f"{count} steps: {collisions[-1]:.1f} violations, cost {costs[-1]:.0f} of a draft on average")

draft = model.sample(instance, count=1, seed=1)[0]
plan = difflns.Solver(iterations=2000).solve(instance, start=draft.plan)
print(f"repaired: {plan}")

fig, axes = plt.subplots(figsize=(5, 3))
axes.plot(steps, collisions, marker="o")
axes.set(xlabel="denoising steps", ylabel="violations per draft", title="Drafts before repair")
fig.tight_layout()
fig.savefig("watch_denoising.png", dpi=120)
