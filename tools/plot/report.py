"""The report of an experiment, from the files that `difflns bench` wrote: report.html and its charts as PNG and PDF.

The program has this file inside and runs it when an experiment is over; python3 report.py FOLDER does the same again.
Without matplotlib the report has tables only.
"""
import base64
import csv
import html
import io
import json
import math
import os
import sys
from collections import defaultdict
from pathlib import Path

try:
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
except ImportError:
    pyplot = None

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#80ba5a", "#4b4b4b", "#a5aa99",
          "#c0392b", "#1b6ca8")
MARKERS = "osD^vP*XphH<"
# Fewer cases than this have no interval: it would say more than is known.
LEAST_FOR_BAND = 5
CSS = """
:root { color-scheme: light; --rule: #d8dee4; --soft: #59636e; }
* { box-sizing: border-box; }
body { margin: 0; background: #f6f8fa; color: #1f2328; font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 36px 24px 80px; }
h1 { margin: 0 0 .3em; line-height: 1.2; } h2 { margin: 2em 0 .6em; font-size: 1.3rem; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
.kicker { margin: 0; color: var(--soft); font: .9rem ui-monospace, monospace; }
figure, .wide, dl { margin: 20px 0; padding: 14px; background: #fff; border: 1px solid var(--rule); border-radius: 10px; }
figure img { display: block; max-width: 100%; height: auto; margin: 0 auto; }
figcaption, .note { color: var(--soft); font-size: .87rem; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 9px; text-align: right; vertical-align: top; white-space: nowrap; }
thead th { color: var(--soft); white-space: normal; vertical-align: bottom; }
th:first-child { text-align: left; } tbody tr { border-top: 1px solid var(--rule); }
small { display: block; color: var(--soft); font-size: .78em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 20px; font-size: .88rem; }
dt { color: var(--soft); } dd { margin: 0; }
@media (max-width: 640px) { main { padding: 20px 12px 60px; } dl { grid-template-columns: 1fr; } }
"""


# ---- reading ----

def read(folder, name):
    path = folder / name
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write(path, data):
    """All of it or nothing."""
    temporary = path.with_name(path.name + ".report.tmp")
    temporary.write_bytes(data)
    os.replace(temporary, path)


def number(text):
    return float(text) if text not in ("", None) else math.nan


def unique(values):
    return list(dict.fromkeys(values))


def ranked_share(hits, count):
    """Wilson's interval of a share."""
    z = 1.959963984540054
    share = hits / count
    center = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return share, max(0, center - half) if hits else 0, min(1, center + half) if hits < count else 1


# ---- tables ----

def shown(value, digits=1, suffix=""):
    return f"{value:.{digits}f}{suffix}" if math.isfinite(value) else "–"


def between(low, high, digits=1):
    known = math.isfinite(low) and math.isfinite(high)
    return f"<small>{low:.{digits}f} to {high:.{digits}f}</small>" if known else ""


def table(head, rows):
    lines = ["<div class=\"wide\"><table><thead><tr>", *(f"<th>{html.escape(word)}</th>" for word in head), "</tr></thead><tbody>"]
    for row in rows:
        lines.append("<tr>" + "".join(f"<{'th' if i == 0 else 'td'}>{cell}</{'th' if i == 0 else 'td'}>"
                                      for i, cell in enumerate(row)) + "</tr>")
    return "\n".join(lines + ["</tbody></table></div>"])


def gap_of(row):
    """Cost above what no plan can be below, in percent."""
    bound = number(row.get("lower_bound")) if row.get("lower_bound") else number(row.get("sum_of_distances"))
    return 100 * (number(row["soc"]) / bound - 1) if row["status"] == "solved" and bound > 0 else math.nan


def headline(runs, pairs):
    """A row a method over everything: what a reader wants to know first."""
    rows = []
    for method in unique(run["method"] for run in runs):
        own = [run for run in runs if run["method"] == method]
        solved = [run for run in own if run["status"] == "solved"]
        share, low, high = ranked_share(len(solved), len(own))
        gaps = [gap for gap in map(gap_of, own) if math.isfinite(gap)]
        pair = next((row for row in pairs if row["method"] == method and row["family"] == "all"), None)
        against = ("–", "–") if not pair else (
            f"{pair['wins']} / {pair['ties']} / {pair['losses']}",
            shown(number(pair["ratio"]), 3) + between(number(pair["ratio_low"]), number(pair["ratio_high"]), 3))
        rows.append([html.escape(method), f"{len(solved)} / {len(own)}",
                     shown(100 * share) + between(100 * low, 100 * high), *against,
                     shown(sum(gaps) / len(gaps), 2) if gaps else "–",
                     shown(sum(number(run["seconds"]) for run in own) / len(own), 3)])
    yardstick = pairs[0]["yardstick"] if pairs else "the first method"
    head = ["Method", "Solved", "Success %", f"Win / tie / loss against {yardstick}", f"Cost over {yardstick}'s",
            "Gap to the lower bound %", "Seconds"]
    return ("<h2>At a glance</h2>" + table(head, rows) +
            "<p class=\"note\">Small print: 95 % intervals (Wilson's of shares, bootstrap of the geometric mean of paired "
            "ratios; none from fewer than five cases). Costs are compared on cases both solved.</p>")


def summary_table(summary):
    rows = []
    for row in summary:
        cell = lambda name, low, high, digits: shown(number(row[name]), digits) + between(number(row[low]), number(row[high]), digits)
        rows.append([f"{html.escape(row['family'])} {row['agents']}", html.escape(row["method"]),
                     f"{row['solved']} / {row['cases']}", cell("success_pct", "success_low", "success_high", 1),
                     cell("soc", "soc_low", "soc_high", 1), cell("common_soc", "common_soc_low", "common_soc_high", 1),
                     cell("soc_over_distances", "soc_over_distances_low", "soc_over_distances_high", 3),
                     cell("runtime_s", "runtime_low", "runtime_high", 3), shown(number(row["candidates"]), 1),
                     shown(number(row["paper_success_pct"]), 0), shown(number(row["paper_soc"]), 1),
                     shown(number(row["paper_runtime_s"]), 1)])
    head = ["Setting", "Method", "Solved", "Success %", "SOC", "SOC, solved by all", "SOC / distances", "Seconds",
            "Candidates", "Paper: success %", "SOC", "Seconds"]
    return ("<h2>All figures</h2>" + table(head, rows) + "<p class=\"note\">SOC: sum of costs, mean over the solved cases; "
            "<em>solved by all</em>: over the cases every method of the setting solved, the fair comparison. "
            "Seconds: wall clock over all cases, failures included.</p>")


def starts_table(starts):
    rows = [[f"{html.escape(row['family'])} {row['agents']}", html.escape(row["start"]), row["budget"] or "–",
             shown(number(row["success_pct"])) + between(number(row["success_low"]), number(row["success_high"])),
             shown(number(row["median_iterations"]), 0), shown(number(row["soc_over_distances"]), 3)] for row in starts]
    return "<h2>Starts</h2>" + table(["Setting", "Start", "Budget, iterations", "Repaired within it %",
                                      "Median iterations", "SOC / distances"], rows)


def plain_table(title, rows):
    if not rows:
        return ""
    return f"<h2>{title}</h2>" + table(list(rows[0]), [[html.escape(value) or "–" for value in row.values()] for row in rows])


# ---- charts ----

class Charts:
    """Draws figures: into the page, and as NAME.png and NAME.pdf beside it."""

    def __init__(self, folder):
        self.folder, self.looks = folder, {}

    def look(self, method):
        index = self.looks.setdefault(method, len(self.looks))
        return {"color": COLORS[index % len(COLORS)], "marker": MARKERS[index % len(MARKERS)]}

    def figure(self, name, panels, caption, columns=3):
        """Panels are (title, x label, y label, function that draws on an axis)."""
        if not pyplot or not panels:
            return "" if pyplot else f"<p class=\"note\">{html.escape(name)}: no chart, python3-matplotlib is not installed.</p>"
        columns = min(columns, len(panels))
        lines = math.ceil(len(panels) / columns)
        figure, axes = pyplot.subplots(lines, columns, figsize=(4.6 * columns, 3.5 * lines), squeeze=False,
                                       layout="constrained")
        for axis, (title, x_label, y_label, draw) in zip(axes.flat, panels):
            draw(axis)
            axis.set_title(title, fontsize=10, wrap=True)
            axis.set_xlabel(x_label)
            axis.set_ylabel(y_label)
            axis.grid(True, alpha=0.25)
        for axis in axes.flat[len(panels):]:
            axis.set_visible(False)
        named = {label: handle for axis in axes.flat for handle, label in zip(*axis.get_legend_handles_labels())}
        if named:
            figure.legend(named.values(), named.keys(), loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=min(6, len(named)), frameon=False)
        for kind in ("pdf", "png"):
            picture = io.BytesIO()
            figure.savefig(picture, format=kind, dpi=130, bbox_inches="tight")
            write(self.folder / f"{name}.{kind}", picture.getvalue())
        pyplot.close(figure)
        data = base64.b64encode(picture.getvalue()).decode()
        return (f"<figure><img alt=\"{html.escape(name)}\" src=\"data:image/png;base64,{data}\"><figcaption>"
                f"{html.escape(caption)} Files: <a href=\"{name}.png\">PNG</a>, <a href=\"{name}.pdf\">PDF</a>."
                "</figcaption></figure>")

    def points(self, axis, method, x, y, low=None, high=None):
        """Points with their band; one point alone gets an error bar, and no line."""
        look = self.look(method)
        keep = [i for i in range(len(x)) if math.isfinite(y[i])]
        pick = lambda values: [values[i] for i in keep]
        line = "-" if len(keep) > 1 else "none"
        axis.plot(pick(x), pick(y), linestyle=line, markersize=7, linewidth=1.8, label=method, **look)
        if not low or not keep:
            return
        if len(keep) > 1:
            axis.fill_between(pick(x), pick(low), pick(high), color=look["color"], alpha=0.15, linewidth=0)
        elif math.isfinite(low[keep[0]]):
            axis.vlines(pick(x), pick(low), pick(high), color=look["color"], alpha=0.5)


def summary_panel(charts, summary, family, field, low, high, scale=1, logarithmic=False):
    def draw(axis):
        for method in unique(row["method"] for row in summary if row["family"] == family):
            rows = [row for row in summary if row["family"] == family and row["method"] == method]
            values = [[scale * number(row[name]) for row in rows] for name in (field, low, high)]
            charts.points(axis, method, [int(row["agents"]) for row in rows], *values)
        if logarithmic:
            axis.set_yscale("log")
        axis.set_xticks(sorted({int(row["agents"]) for row in summary if row["family"] == family}))
        if field == "success_pct":
            axis.set_ylim(-3, 103)
    return draw


def summary_charts(charts, summary):
    families = unique(row["family"] for row in summary)
    kinds = (("success", "Success", "%", "success_pct", "success_low", "success_high", False),
             ("cost", "Cost over the sum of distances", "ratio", "soc_over_distances", "soc_over_distances_low",
              "soc_over_distances_high", False),
             ("runtime", "Runtime", "seconds", "runtime_s", "runtime_low", "runtime_high", True))
    return "".join(charts.figure(name, [(family, "agents", f"{title}, {unit}" if unit == "%" else title if unit == "ratio" else unit,
                                         summary_panel(charts, summary, family, field, low, high, 1, logarithmic))
                                        for family in families], f"{title} over the number of agents.")
                   for name, title, unit, field, low, high, logarithmic in kinds)


def cactus(charts, runs, field, name, caption):
    """How many cases were solved within how many seconds."""
    def draw(axis):
        for method in unique(run["method"] for run in runs):
            times = sorted(number(run[field]) for run in runs if run["method"] == method and run["status"] == "solved"
                           and run.get(field))
            axis.step([max(t, 1e-3) for t in times], [i + 1 for i in range(len(times))], where="post", label=method, linewidth=1.8,
                      color=charts.look(method)["color"])
        axis.set_xscale("log")
    if not any(run.get(field) for run in runs):
        return ""
    return charts.figure(name, [("Cases solved", "seconds", "cases", draw)], caption)


def init_charts(charts, runs):
    """Share repaired within a number of iterations, setting by setting."""
    def panel(family, agents):
        def draw(axis):
            for method in unique(run["method"] for run in runs):
                own = [run for run in runs if (run["family"], run["agents"], run["method"]) == (family, agents, method)]
                done = sorted(int(run["iterations"]) for run in own if run["status"] == "solved")
                if own:
                    axis.step([max(1, n) for n in done], [100 * (i + 1) / len(own) for i in range(len(done))],
                              where="post", label=method, linewidth=1.8, color=charts.look(method)["color"])
            axis.set_xscale("log")
            axis.set_ylim(-3, 103)
        return draw
    settings = unique((run["family"], run["agents"]) for run in runs)
    return charts.figure("init", [(f"{family} {agents}", "iterations", "repaired, %", panel(family, agents))
                                  for family, agents in settings], "Share of the starts repaired within so many iterations.")


def curve_charts(charts, points):
    def panel(instance):
        def draw(axis):
            last = max(number(point["seconds"]) for point in points)
            for method in unique(point["method"] for point in points if point["instance"] == instance):
                own = sorted((number(p["seconds"]), number(p["soc"])) for p in points
                             if p["instance"] == instance and p["method"] == method)
                times, costs = [], []
                for seconds, cost in own:
                    if not costs or cost < costs[-1]:
                        times.append(max(seconds, 1e-3))
                        costs.append(cost)
                look = charts.look(method)
                axis.step(times + [last], costs + costs[-1:], where="post", label=method, linewidth=1.8, color=look["color"])
                axis.plot(times[:1], costs[:1], markersize=7, **look)
            axis.set_xscale("log")
            axis.set_yscale("log")
        return draw
    instances = unique(point["instance"] for point in points)
    return charts.figure("anytime", [(name, "seconds", "sum of costs", panel(name)) for name in instances],
                         "The best plan's cost over time; a mark is the first plan.", 2)


def live_charts(charts, rows):
    def panel(field, low=None, high=None, logarithmic=False):
        def draw(axis):
            for method in unique(row["method"] for row in rows):
                own = [row for row in rows if row["method"] == method]
                bands = [[number(row[name]) for row in own] for name in (low, high)] if low else []
                charts.points(axis, method, [100 * number(row["share"]) for row in own], [number(row[field]) for row in own], *bands)
            if logarithmic:
                axis.set_yscale("log")
        return draw
    return charts.figure("live", [("Goals per tick", "free cells taken, %", "goals", panel("throughput", "low", "high")),
                                  ("Planning a tick, p99", "free cells taken, %", "ms", panel("plan_ms_p99", logarithmic=True))],
                         "Bands are 95 % intervals over seeds, a map and tasks of its own each.", 2)


# ---- the page ----

def circumstances(head):
    facts = "".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(str(value))}</dd>" for name, value in head.items()
                    if name not in ("experiment", "title", "about", "summary", "pairs"))
    return f"<dl>{facts}</dl>"


def body(folder, head, charts):
    runs, summary, pairs = (read(folder, name) for name in ("results.csv", "summary.csv", "pairs.csv"))
    starts, points, live = (read(folder, name) for name in ("init.csv", "curves.csv", "results.csv"))
    published = read(folder, "published.csv")
    if head["experiment"] == "anytime":
        return curve_charts(charts, points) + plain_table("Cost over others' at the same time", read(folder, "ratios.csv")) + \
            plain_table("Costs", runs)
    if head["experiment"] == "live":
        return live_charts(charts, live) + plain_table("All figures", live)
    page = headline(runs, pairs)
    if published:
        page += plain_table("Beside the published figures: mean sum of delays", published)
    page += init_charts(charts, runs) if starts else summary_charts(charts, summary)
    page += cactus(charts, runs, "first_seconds" if head["experiment"] == "standard" else "seconds", "cactus",
                   "How many cases had a plan after so many seconds.")
    return page + (starts_table(starts) if starts else "") + summary_table(summary) + plain_table("Case by case", pairs)


def main(folder):
    head = json.loads((folder / "bench.json").read_text())
    files = sorted(path.name for path in folder.glob("*.csv"))
    links = ", ".join(f"<a href=\"{name}\">{name}</a>" for name in files + ["bench.json"])
    page = (f"<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><meta name=\"viewport\" "
            f"content=\"width=device-width, initial-scale=1\"><title>{html.escape(head['title'])} · DiffLNS</title>"
            f"<style>{CSS}</style></head>\n<body><main><p class=\"kicker\">difflns bench {head['experiment']}</p>"
            f"<h1>{html.escape(head['title'])}</h1><p>{html.escape(head['about'])}</p>\n"
            f"{body(folder, head, Charts(folder))}<h2>How it was made</h2>{circumstances(head)}"
            f"<p>Data: {links}.</p></main></body></html>\n")
    write(folder / "report.html", page.encode())


main(Path(sys.argv[1]))
