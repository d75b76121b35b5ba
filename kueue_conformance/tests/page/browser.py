"""A headless Chromium that shows a page in a frame of a given width, and measures it from outside; the page
itself is left as it is.
"""

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome-headless-shell")
MEASURE = (Path(__file__).parent / "measure.js").read_text("utf-8")
WRAPPER = """<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<iframe id="page" width="{width}" height="800" style="border: 0" srcdoc="{page}"></iframe><pre id="found"></pre>
<script>{measure}</script>"""
FOUND = re.compile(r'<pre id="found">(.*?)</pre>', re.DOTALL)
LIGHT, DARK = 1, 0


def find():
    """Return the path of a Chromium, None when there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


def start(program, address, folder, *options):
    """Open an address; return the document at the end and what the console said."""
    words = [
        program,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--no-first-run",
        f"--user-data-dir={folder / 'profile'}",
        "--enable-logging=stderr",
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--virtual-time-budget=4000",
        *options,
        "--dump-dom",
        address,
    ]
    done = subprocess.run(words, capture_output=True, text=True, timeout=90, check=True)
    return done.stdout, [line for line in done.stderr.splitlines() if ":CONSOLE:" in line]


def measure(program, page, folder, *, width, scheme):
    """Show a page at a width in a color scheme; return what was measured, with what the console said."""
    file = folder / f"{width}-{scheme}.html"
    file.write_text(WRAPPER.format(width=width, page=html.escape(page), measure=MEASURE), "utf-8")
    shown, console = start(program, file.as_uri(), folder, f"--blink-settings=preferredColorScheme={scheme}")
    return {**json.loads(html.unescape(FOUND.search(shown)[1])), "console": console}
