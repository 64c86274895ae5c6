#!/usr/bin/env python3
"""What is a technique worth? Solves the same instances with and without it, until a sequential test has decided.

./dev ablate                                  lists the techniques (lib/base/ablation.def)
./dev ablate windows escapes [--maps DIR]     measures them: cost without the technique over cost with it
./dev ablate --against REV                    compares this tree with another commit: cost now over cost then

DIR holds the official maps (MAP/MAP.map, or all in one folder). Instances are drawn anew. A run has one thread and a limit
in processor time, so that a busy machine measures the same. Runs are kept in OUT/runs.csv: the same command goes on
where it was stopped.
"""
import argparse
import concurrent.futures
import csv
import itertools
import math
import os
import platform
import random
import re
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build-ablate"
PAPER = {"small-random": (45, 50, 55, 60), "medium-maze": (160, 170, 180, 190), "medium-room": (150, 164, 178, 192),
         "medium-warehouse": (204, 220, 236, 252), "large-maze": (264, 280, 296, 312)}
FRONTIER = {"small-random": (68,), "medium-maze": (220,), "medium-room": (220,), "medium-warehouse": (284,),
            "large-maze": (370,)}
OFFICIAL = {"empty-32-32": 500, "random-32-32-20": 300, "warehouse-10-20-10-2-1": 350, "ost003d": 600,
            "den520d": 900, "Paris_1_256": 750}
# The sequential tests, of the ratio of costs: a technique is kept once KEEP[1] explains the pairs this much better than
# KEEP[0], and removed once REMOVE[1] does so than REMOVE[0]; both errors are 5 %.
KEEP, REMOVE, LOST = (1.000, 1.005), (1.003, 0.998), (1.000, 1.005)
ENOUGH = math.log(0.95 / 0.05)
# One case of luck must not decide: ratios count for at most this. And no test decides on fewer pairs.
MOST_LOG_RATIO, LEAST_PAIRS = 0.10, 24
# A technique also stays where it brings so much to a family, beyond doubt.
WORTH_IN_A_FAMILY = 1.01
STUDENT_95 = 1.98  # of 100 pairs and more; small groups are shown with their number


def run(command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def techniques():
    text = (ROOT / "lib/base/ablation.def").read_text()
    return dict(re.findall(r'^TECHNIQUE\(\w+, "([\w-]+)", "([^"]*)"\)', text, re.M))


# ---- programs ----

def build(source, folder):
    """The program of a source tree, with switches where it has them."""
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS_RELEASE=-O3 -g1", "-DDIFFLNS_ABLATION=ON",
               "-DDIFFLNS_TESTS=OFF", "-DDIFFLNS_MPI=OFF"]
    if not (folder / "build.ninja").exists():
        run(["cmake", "-S", source, "-B", folder, "-G", "Ninja", *options], stdout=subprocess.DEVNULL)
    run(["cmake", "--build", folder, "--", "--quiet"])
    return folder / "difflns"


def build_revision(revision):
    commit = subprocess.check_output(["git", "rev-parse", "--short", revision], cwd=ROOT, text=True).strip()
    source = BUILD / f"source-{commit}"
    if not source.exists():
        source.mkdir(parents=True)
        archive = subprocess.Popen(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE)
        run(["tar", "x", "-C", source], stdin=archive.stdout)
        if archive.wait() != 0:
            sys.exit(f"ablate: git archive {commit} failed")
    return commit, build(source, BUILD / commit)


def build_clock():
    library = BUILD / "cpu_clock.so"
    source = ROOT / "tools/ablate/preload/cpu_clock.c"
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        run(["cc", "-O2", "-shared", "-fPIC", "-D_GNU_SOURCE", source, "-o", library])
    return library


# ---- cases ----

def generated(program, folder, family, agents, seed):
    stem = folder / f"{family}-{agents}-{seed}"
    if not stem.with_suffix(".scen").exists():
        run([program, "generate", family, "-N", agents, "--seed", seed, "--out", folder], stdout=subprocess.DEVNULL)
    return stem.with_suffix(".map"), stem.with_suffix(".scen")


def largest_component(rows):
    free = {(r, c) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter in ".GS"}
    best = set()
    while free:
        component, border = set(), [free.pop()]
        while border:
            row, col = border.pop()
            component.add((row, col))
            for cell in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
                if cell in free:
                    free.remove(cell)
                    border.append(cell)
        best = max(best, component, key=len)
    return sorted(best)


def drawn(maps, folder, name, agents, seed):
    """Fresh starts and goals on an official map."""
    map_file = next((place for place in (maps / name / f"{name}.map", maps / f"{name}.map") if place.exists()), None)
    if not map_file:
        sys.exit(f"ablate: --maps {maps}: {name}.map is not there")
    scenario = folder / f"{name}-{agents}-{seed}.scen"
    if not scenario.exists():
        rows = map_file.read_text().split("map\n", 1)[1].splitlines()
        chance, cells = random.Random(seed), largest_component(rows)
        pairs = zip(chance.sample(cells, agents), chance.sample(cells, agents))
        size = f"{len(rows[0])}\t{len(rows)}"
        lines = [f"0\t{name}.map\t{size}\t{start[1]}\t{start[0]}\t{goal[1]}\t{goal[0]}\t0" for start, goal in pairs]
        scenario.write_text("version 1\n" + "\n".join(lines) + "\n")
    return map_file, scenario


def cells_of(words, has_maps):
    cells = []
    for word in words.split(","):
        family, _, agents = word.partition(":")
        if word in ("paper", "frontier"):
            table = PAPER if word == "paper" else FRONTIER
            cells += [(name, number) for name, numbers in table.items() for number in numbers]
        elif word == "maps":
            cells += list(OFFICIAL.items()) if has_maps else []
        elif agents.isdigit() and (family in PAPER or family in OFFICIAL):
            cells.append((family, int(agents)))
        else:
            sys.exit(f"ablate: --settings {word}: expected paper, frontier, maps or FAMILY:AGENTS")
    return cells


def list_cases(options, program):
    """(family, agents, seed, map, scenario), each setting once before any has its second."""
    folder = Path(options.out) / "instances"
    folder.mkdir(parents=True, exist_ok=True)
    cells = cells_of(options.settings, options.maps)
    for number in range(options.pairs):
        for family, agents in cells:
            seed = options.seed + number
            files = (generated(program, folder, family, agents, seed) if family in PAPER
                     else drawn(Path(options.maps), folder, family, agents, seed))
            yield (family, agents, seed, *files)


# ---- runs ----

class Runs:
    """Every run made so far, in memory and in a file."""
    FIELDS = ("arm", "family", "agents", "seed", "seconds", "status", "soc", "first_seconds", "init")

    def __init__(self, path):
        self.known, self.lock = {}, threading.Lock()
        fresh = not path.exists()
        if not fresh:
            with open(path, newline="") as file:
                for row in csv.DictReader(file):
                    self.known[self.key(row)] = row
        self.file = open(path, "a", newline="")
        self.writer = csv.DictWriter(self.file, self.FIELDS)
        if fresh:
            self.writer.writeheader()

    @staticmethod
    def key(row):
        return tuple(str(row[field]) for field in Runs.FIELDS[:5])

    def add(self, row):
        with self.lock:
            self.known[self.key(row)] = row
            self.writer.writerow(row)
            self.file.flush()


class Arm:
    """A program, perhaps with a technique switched off."""

    def __init__(self, name, program, without=""):
        self.name, self.program, self.without = name, program, without

    def solve(self, case, seconds, clock):
        family, agents, seed, map_file, scenario = case
        environment = dict(os.environ, LD_PRELOAD=str(clock), DIFFLNS_WITHOUT=self.without)
        command = [self.program, "solve", "-m", map_file, "-i", scenario, "-N", agents, "-t", seconds, "-s", seed,
                   "--threads", 1, "--stop", "limit", "--quiet"]
        done = subprocess.run([str(word) for word in command], env=environment, text=True, capture_output=True)
        if done.returncode not in (0, 1, 3):
            sys.exit(f"ablate: {' '.join(map(str, command))}\n{done.stderr}")
        said = dict(word.split("=", 1) for word in done.stdout.split())
        return {"arm": self.name, "family": family, "agents": agents, "seed": seed, "seconds": seconds,
                "status": said["status"], "soc": said.get("soc", ""),
                "first_seconds": said.get("first_seconds", ""), "init": said.get("init", "")}


# ---- statistics ----

def geometric(logs):
    """Mean ratio and its 95 % interval."""
    mean = sum(logs) / len(logs)
    spread = math.sqrt(sum((x - mean) ** 2 for x in logs) / max(1, len(logs) - 1))
    half = STUDENT_95 * spread / math.sqrt(len(logs))
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def evidence(logs, bounds):
    """The log of how much better the second bound explains the ratios than the first."""
    if len(logs) < LEAST_PAIRS:
        return 0
    low, high = math.log(bounds[0]), math.log(bounds[1])
    mean = sum(logs) / len(logs)
    variance = max(1e-6, sum((x - mean) ** 2 for x in logs) / (len(logs) - 1))
    return len(logs) * (high - low) * (mean - (low + high) / 2) / variance


def sign_test(gained, lost):
    """How likely a difference like this is by chance alone."""
    count, extreme = gained + lost, max(gained, lost)
    return min(1.0, 2 * sum(math.comb(count, k) for k in range(extreme, count + 1)) / 2 ** count) if count else 1.0


class Trial:
    """The pairs of one arm: x is the log of its cost over the baseline's."""

    def __init__(self, arm, inverted):
        self.arm, self.inverted = arm, inverted
        self.pairs, self.logs, self.by_family, self.first_logs = 0, [], {}, []
        self.only_base = self.only_arm = self.solved_base = self.solved_arm = 0

    def add(self, family, base, other):
        self.pairs += 1
        base_solved, arm_solved = base["status"] == "solved", other["status"] == "solved"
        self.solved_base += base_solved
        self.solved_arm += arm_solved
        self.only_base += base_solved and not arm_solved
        self.only_arm += arm_solved and not base_solved
        if not (base_solved and arm_solved):
            return
        x = math.log(int(other["soc"]) / int(base["soc"]))
        x = max(-MOST_LOG_RATIO, min(MOST_LOG_RATIO, -x if self.inverted else x))
        self.logs.append(x)
        self.by_family.setdefault(family if family in PAPER else "official maps", []).append(x)
        if min(float(base["first_seconds"]), float(other["first_seconds"])) > 0:
            self.first_logs.append(math.log(float(other["first_seconds"]) / float(base["first_seconds"])))

    def decision(self):
        if sign_test(self.only_base, self.only_arm) < 0.05:
            return "keep: success" if self.only_base > self.only_arm else "remove: success"
        if self.inverted:
            found = evidence(self.logs, LOST)
            return "lost" if found > ENOUGH else "nothing lost" if found < -ENOUGH else None
        if evidence(self.logs, KEEP) > ENOUGH:
            return "keep"
        if evidence(self.logs, REMOVE) > ENOUGH:
            return "remove"
        return None

    def best_family(self):
        """Where it brings most, if that is beyond doubt."""
        best = None
        for family, logs in self.by_family.items():
            if len(logs) >= LEAST_PAIRS / 2:
                ratio, low, _ = geometric(logs)
                if ratio >= WORTH_IN_A_FAMILY and low > 1 and (not best or ratio > best[1]):
                    best = (family, ratio)
        return best

    def verdict(self):
        decided, family = self.decision(), self.best_family()
        if not self.inverted and family and (decided or "undecided")[0] in "ru":
            return f"keep: {family[0]} {family[1]:.3f}"
        return decided or "undecided"

    def row(self):
        if not self.logs:
            return f"| {self.arm.name} | {self.pairs} | – | – | – | – | undecided |"
        ratio, low, high = geometric(self.logs)
        first = f"{geometric(self.first_logs)[0]:.3f}" if self.first_logs else "–"
        families = ", ".join(f"{name} {geometric(logs)[0]:.3f} ({len(logs)})"
                             for name, logs in sorted(self.by_family.items()))
        return (f"| {self.arm.name} | {self.pairs} | {ratio:.4f} ({low:.4f} to {high:.4f}) | {first} | "
                f"{self.solved_base}/{self.solved_arm} | {families} | {self.verdict()} |")


def head():
    commit = subprocess.check_output(["git", "describe", "--always", "--dirty"], cwd=ROOT, text=True).strip()
    compiler = subprocess.check_output(["cc", "--version"], text=True).splitlines()[0]
    found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return f"commit {commit}, {compiler}, {found.group(1) if found else platform.machine()}"


def table(trials, inverted):
    what = "cost now / then" if inverted else "cost without / with"
    success = "solved now/then" if inverted else "solved with/without"
    lines = [f"| technique | pairs | {what} | first plan's time | {success} | by family (pairs) | decision |",
             "|---|--:|--:|--:|--:|---|---|"]
    return "\n".join(lines + [trial.row() for trial in trials])


# ---- the whole ----

def measure(options, base, trials, clock):
    out = Path(options.out)
    runs = Runs(out / "runs.csv")
    cases = list_cases(options, base.program)

    def result(arm, case):
        row = {"arm": arm.name, "family": case[0], "agents": case[1], "seed": case[2], "seconds": options.seconds}
        if Runs.key(row) not in runs.known:
            runs.add(arm.solve(case, options.seconds, clock))
        return runs.known[Runs.key(row)]

    def compare(case):
        going = [trial for trial in trials if trial.pairs < options.pairs and not trial.decision()]
        if going:
            first = result(base, case)
            return [(trial, case[0], first, result(trial.arm, case)) for trial in going]
        return []

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        while any(trial.pairs < options.pairs and not trial.decision() for trial in trials):
            batch = list(itertools.islice(cases, options.jobs))
            if not batch:
                break
            for found in pool.map(compare, batch):
                for trial, family, first, second in found:
                    trial.add(family, first, second)
            (out / "ablation.md").write_text(head() + "\n\n" + table(trials, bool(options.against)) + "\n")


def read_options():
    parser = argparse.ArgumentParser(prog="./dev ablate", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="techniques; none: list them")
    parser.add_argument("--against", metavar="REV", help="compare with this commit instead")
    parser.add_argument("--settings", default="paper,maps", help="paper, frontier, maps, FAMILY:AGENTS (paper,maps)")
    parser.add_argument("--maps", metavar="DIR", help="folder of the official maps and scenarios; none: without them")
    parser.add_argument("--seconds", type=float, default=2, help="of processor time for a run (2)")
    parser.add_argument("--pairs", type=int, default=120, help="the most for each technique (120)")
    parser.add_argument("--seed", type=int, default=30001, help="of the first instance of a setting (30001)")
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time (1)")
    parser.add_argument("--out", default=str(BUILD / "runs"), help="folder of runs.csv and ablation.md")
    return parser.parse_args()


def main():
    options, known = read_options(), techniques()
    if not options.names and not options.against:
        print("\n".join(f"{name:16} {text}" for name, text in known.items()))
        return
    for name in options.names:
        if name not in known:
            sys.exit(f"ablate: {name}: lib/base/ablation.def has {', '.join(known)}")
    BUILD.mkdir(exist_ok=True)
    Path(options.out).mkdir(parents=True, exist_ok=True)
    clock, program = build_clock(), build(ROOT, BUILD / "now")
    commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True).strip()
    base = Arm(f"now-{commit}", program)
    arms = [Arm(*build_revision(options.against))] if options.against else []
    arms += [Arm(name, program, name) for name in options.names]
    trials = [Trial(arm, bool(options.against)) for arm in arms]
    measure(options, base, trials, clock)
    print(head())
    print(table(trials, bool(options.against)))


if __name__ == "__main__":
    main()
