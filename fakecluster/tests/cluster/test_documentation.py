"""The examples of the documentation run as they stand: the Python blocks of a page, one after another."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
PAGES = DOCS / "laboratory"
APART = {"README", "languages", "perturbing", "pytest"}
"""Pages without examples, and those whose examples are projects of their own."""
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(
    "page",
    ["webhooks", *sorted(f"laboratory/{page.stem}" for page in PAGES.glob("*.md") if page.stem not in APART)],
)
def test_the_examples_of_a_page_run(page):
    blocks = BLOCK.findall((DOCS / f"{page}.md").read_text(encoding="utf-8"))
    assert blocks
    exec(compile("\n".join(map(_whole, blocks)), f"{page}.md", "exec"), {})


def _whole(block):
    return block if block.startswith(" ") else textwrap.dedent(block)


def test_the_index_names_every_page():
    index = (PAGES / "README.md").read_text(encoding="utf-8")

    assert {page.name for page in PAGES.glob("*.md")} == {*re.findall(r"\]\((\w+\.md)\)", index), "README.md"}
