"""Hooks of mkdocs: pages that stand outside docs/, links into the repository, and an anchor for every row of
the facts.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "CONTRIBUTING.md",
    "CHANGELOG.md": "CHANGELOG.md",
    "suites/README.md": "suites/README.md",
}
"""Pages of the repository that are not in docs/, and their places in the site."""
UNSEARCHED = ("kill-matrix", "kind-report/", "mutation")
"""Tables of results: their thousands of ids would hide what a reader looks for."""
_PART = re.compile(
    r"^```.*?^```|(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<path>(?!https?://|#)[^)#]*)(?P<anchor>#[^)]*)?\)|`[^`\n]+`",
    re.MULTILINE | re.DOTALL,
)
"""A block of code, a link within the repository, or code in a line: links in code are none."""
_ROW = re.compile(r"^\| ?(?P<id>[A-Z]{1,4}-[A-Z]?\d+[a-z]?)(?=[ |])", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that stand outside docs/."""
    for source, place in PAGES.items():
        files.append(File.generated(config, place, content=(ROOT / source).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Lead links to pages of the site, or name the file of the repository; give every row of the facts an
    anchor.
    """
    here = page.file.src_uri
    if here.startswith(UNSEARCHED):
        page.meta["search"] = {"exclude": True}
    if here.startswith("facts/"):
        markdown = _ROW.sub(r'| <a id="\g<id>"></a>\g<id>', markdown)
    return _PART.sub(lambda found: _led(found, here) if found["path"] else found[0], markdown)


def _led(found: re.Match[str], here: str) -> str:
    """Return a link as the site needs it."""
    source = next((file for file, place in PAGES.items() if place == here), f"docs/{here}")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), found["path"]))
    place = PAGES.get(target) or (target.removeprefix("docs/") if target.startswith("docs/") else "")
    if place and (ROOT / target).is_dir():
        place = f"{place}/README.md"
    if not place:  # a file of the repository is named, and not copied
        return found["text"] if found["text"].strip("`/") == target else f"{found['text']} (`{target}`)"
    path = posixpath.relpath(place, posixpath.dirname(here) or ".")
    return f"{found['image']}[{found['text']}]({path}{found['anchor'] or ''})"
