#!/usr/bin/env python3
"""commands.py SOURCE BUILD WHAT...: what the manual tells people to type, typed.

WHAT is README, tutorial or man: each runs in an empty folder of its own, line by line, in order. A line ends well, or
with the status its comment names (`# exit status 3`). `python` runs README's lines of Python, `c` the programs of docs/c.md. `links` follows every link between our own documents instead,
`site` those of the pages made of them.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
failures = []


def indented(text):
    """The commands of a Markdown document: lines indented by four, outside of fences."""
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        elif line.startswith("    ") and not fenced:
            yield line.strip()


def fences(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.S | re.M)


def man_examples():
    page = subprocess.run([build / "difflns", "--man"], capture_output=True, text=True, check=True).stdout
    examples = page.split(".SH EXAMPLES")[1]
    return [line.replace("\\-", "-") for line in re.findall(r"\.RS\n(.*)\n\.RE", examples)]


def run(command, folder, expected=0, **more):
    environment = dict(os.environ, PATH=f"{build}:{os.environ['PATH']}", PYTHONPATH=str(source / "python"),
                       DIFFLNS_LIBRARY=str(build / "libdifflns.so"))
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, **more)
    if done.returncode != expected:
        failures.append(f"exit status {done.returncode}, expected {expected}: {command}\n{done.stdout}{done.stderr}")


def run_lines(lines):
    known = set(re.findall(r"^([a-z]+)\)", (source / "dev").read_text(), re.M))
    known |= {"check " + name for name in re.findall(r"^check_([a-z0-9]+)\(\)", (source / "tests" / "checks").read_text(), re.M)}
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "build").symlink_to(build)
        count = 0
        for line in lines:
            dev = re.match(r"\./dev ((?:check )?[a-z0-9]+)", line)
            if dev:  # what it does is tested where it belongs; that it exists, here
                if dev[1] not in known:
                    failures.append(f"no such command: {line}")
                continue
            status = re.search(r"# exit status (\d+)", line)
            run(["sh", "-c", line], folder, int(status[1]) if status else 0)
            count += 1
        if count < 3:
            failures.append(f"only {count} commands found")


def run_python(block):
    """With a small world for the names that the lines take for granted."""
    world = ("import numpy\ngrid = numpy.zeros((5, 5), bool)\nstarts = numpy.array([[0, 0], [4, 4]])\n"
             "goals = numpy.array([[4, 4], [0, 0]])\n")
    run(["/usr/bin/python3", "-c", world + block + "\nassert plan.soc >= 16\n"], "/")


def run_c():
    """Every C program of the guide prints the text that stands under it."""
    programs = re.findall(r"^```c\n(.*?)^```\n```text\n(.*?)^```", (source / "docs/c.md").read_text(), re.S | re.M)
    if len(programs) < 3:
        failures.append(f"only {len(programs)} programs found")
    for number, (program, wanted) in enumerate(programs):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "program.c").write_text(program)
            run(["cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", f"-I{source}/include", "program.c", f"-L{build}",
                 f"-Wl,-rpath,{build}", "-ldifflns", "-o", "program"], folder)
            done = subprocess.run(["./program"], cwd=folder, capture_output=True, text=True)
            if done.returncode != 0 or done.stdout != wanted:
                failures.append(f"program {number + 1} of docs/c.md: {done.stdout}{done.stderr}instead of {wanted}")


def anchors(text):
    """The names that a Markdown document's headings get."""
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def follow_links():
    pages = [source / "README.md", source / "CONTRIBUTING.md", *sorted((source / "docs").rglob("*.md"))]
    for page in pages:
        text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            if not file.exists():
                failures.append(f"{page.relative_to(source)}: {target}: no such file")
            elif anchor and anchor not in anchors(file.read_text()):
                failures.append(f"{page.relative_to(source)}: {target}: no such heading")


def read_site():
    """Builds the site and looks for what its pages refer to."""
    if not shutil.which("pandoc"):
        print("skipped: no pandoc")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        site = pathlib.Path(folder)
        (site / "playground").mkdir()
        (site / "playground/index.html").touch()
        run([source / "docs/site/build", folder], folder)
        pages = sorted(site.rglob("*.html"))
        if len(pages) < 20:
            failures.append(f"only {len(pages)} pages")
        for page in pages:
            text = page.read_text()
            for target in re.findall(r'(?:href|src)="([^"]+)"', text):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                file = (page.parent / name).resolve() if name else page
                if not file.exists():
                    failures.append(f"{page.name}: {target}: no such file")
                elif anchor and f'id="{anchor}"' not in file.read_text():
                    failures.append(f"{page.name}: {target}: no such heading")


for what in sys.argv[3:]:
    if what == "README":
        run_lines(indented((source / "README.md").read_text()))
    elif what == "python":
        for block in fences((source / "README.md").read_text(), "python"):
            run_python(block)
    elif what == "tutorial":
        run_lines(indented((source / "docs/tutorial.md").read_text()))
    elif what == "c":
        run_c()
    elif what == "man":
        run_lines(man_examples())
    elif what == "links":
        follow_links()
    elif what == "site":
        read_site()
    else:
        failures.append(f"{what}: expected README, python, tutorial, c, man, links or site")
print("\n".join(failures))
sys.exit(1 if failures else 0)
