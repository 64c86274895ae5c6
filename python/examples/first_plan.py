"""A first plan: a crowded warehouse, solved, checked, drawn, and written as a page that plays it."""
import difflns
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

instance = difflns.generate("medium-warehouse", 220, seed=1)
plan = difflns.solve(instance.grid, instance.starts, instance.goals, time_limit=3)
print(plan)
print(f"{instance.sum_of_distances} steps if nobody were in the way; {len(difflns.check(plan))} violations")

fig, axes = plt.subplots(figsize=(5, 5))
axes.imshow(instance.grid, cmap="Greys")
for agent in range(0, plan.agents, 12):
    axes.plot(plan.paths[:, agent, 1], plan.paths[:, agent, 0], linewidth=1)
axes.set(title=f"every twelfth of {plan.agents} paths", xticks=[], yticks=[])
fig.savefig("first_plan.png", dpi=120)
with open("first_plan.html", "w", encoding="utf-8") as page:
    page.write(plan.to_html("A first plan"))
print("first_plan.png and first_plan.html written")
