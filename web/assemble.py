#!/usr/bin/env python3
"""assemble.py BUILT PAGE: puts the page of `view`, the playground's own parts, the compiled library and the shipped
weights into one HTML file that asks nobody for anything."""
import base64
import json
import pathlib
import re
import sys

web = pathlib.Path(__file__).resolve().parent
root = web.parent
assets = root / "lib/page/assets"
built, page = map(pathlib.Path, sys.argv[1:])

OWN = {"more.css": ["playground.css"], "more.html": ["playground.html"],
       "start.js": ["instance.js", "share.js", "library.js", "chart.js", "editor.js", "fleet.js", "playground.js"]}
# Workers come from blobs, WebAssembly is compiled from bytes; nothing comes from a network.
POLICY = " 'wasm-unsafe-eval' blob:; worker-src blob:; connect-src data: blob:"


def text_for_script(text):
    return json.dumps(text).replace("</", "<\\/").replace("<!--", "<\\!--")


def bundled_maps():
    folder = root / "examples/data"
    return {path.stem: {end: path.with_suffix("." + end).read_text() for end in ("map", "scen")}
            for path in sorted(folder.glob("*.map"))}


def carried():
    worker = (built / "playground.js").read_text() + "\n" + (web / "worker.js").read_text()
    encode = lambda path: base64.b64encode(path.read_bytes()).decode()
    return "\n".join([
        f"const WORKER_CODE = {text_for_script(worker)};",
        f"const WASM_BASE64 = \"{encode(built / 'playground.wasm')}\";",
        f"const WEIGHTS_BASE64 = \"{encode(root / 'models/default.safetensors')}\";",
        f"const BUNDLED_MAPS = {text_for_script(bundled_maps())};"])


def part(match):
    name = match[1]
    if name == "policy":
        return POLICY
    if name == "title":
        return "Playground"
    if name == "data":
        return "null"
    own = "\n".join((web / file).read_text() for file in OWN.get(name, []))
    if name == "start.js":
        return carried() + "\n" + own
    return own if name in OWN else (assets / name).read_text()


html = re.sub(r"\{\{([a-z.]+)\}\}", part, (assets / "page.html").read_text())
page.write_text(html)
