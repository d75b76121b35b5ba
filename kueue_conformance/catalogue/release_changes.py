"""What changes between two releases of Kueue, for those who live with it, as Markdown:
`python -m kueue_conformance.catalogue.release_changes > docs/changes-0.20.md`; a test fails when it is stale.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from ..base.resources import fixtures
from ..scenarios.versions import order_of
from .facts import Fact, announced, facts_by_name
from .inventory import inventory

PAGE = "kueue-0.20"
_RELEASE = re.compile(r"\d+\.\d+\.\d+")
_HEAD = """\
# What changes from Kueue {old} to {new}

What a program or a person that worked with {old} meets in {new}, and what to do about it. The facts, with pull requests and sources, are on the page
[Kueue 0.20](facts/kueue-0.20.md); `kueue-conformance explain KV-16` shows one with everything that is known of it. The scenarios show a change on a control plane:

```console
$ kueue-conformance run ADM-081 --dialect {old}
$ kueue-conformance run ADM-081 --dialect {new}
```

A first release beside 0.20.0 means that the change was brought back: you have it already from that patch on; one after {new} is what comes next. *Announced* stands where only release notes say it: no
release was seen to do so. A change without a scenario is not here: the page of facts says why it has none.

This file is made by `python -m kueue_conformance.catalogue.release_changes > docs/changes-0.20.md`.
"""


def change_facts() -> Mapping[str, Fact]:
    """Return by id the rows of the page of changes that are newer than the old release."""
    old = order_of(document()["from"])
    return {
        fact.id: fact
        for fact in facts_by_name().values()
        if fact.page == PAGE
        and any(order_of(first) > old for first in _RELEASE.findall(fact.cells.get("first release", "")))
    }


def document() -> Mapping[str, Any]:
    """Return what users do about each change, by audience (`fixtures/release-changes.yaml`)."""
    return dict(yaml.safe_load((fixtures() / "release-changes.yaml").read_text("utf-8")))


def scenarios_of(row: str) -> tuple[str, ...]:
    """Return the ids of the scenarios that show a row."""
    return tuple(scenario.id for scenario in inventory().values() if row in scenario.shows)


def lines() -> Iterator[str]:
    """Yield the page: a table for each audience, and what no scenario shows."""
    data, known = document(), change_facts()
    yield from _HEAD.format(old=data["from"], new=data["to"]).splitlines()
    for audience in data["audiences"]:
        yield from ("", f"## {audience['title']}", "")
        yield from (
            "| row | what changed | first release | what to do | scenarios |",
            "|---|---|---|---|---|",
        )
        yield from (_row(known[name], advice) for name, advice in audience["rows"].items())


def _row(fact: Fact, advice: str) -> str:
    how = " (announced)" if announced([fact.id]) else ""
    changed, first, shown = (
        fact.cells["what changed"],
        fact.cells["first release"],
        ", ".join(scenarios_of(fact.id)),
    )
    return f"| {fact.id} | {changed}{how} | {first} | {advice} | {shown} |"


if __name__ == "__main__":
    print("\n".join(lines()))  # noqa: T201 - its output is the file
