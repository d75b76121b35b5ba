"""Every row of the fact pages is named by a scenario, a module, a test or a document, or says why not."""

import re
from functools import cache

from kueue_conformance.catalogue.fact_text import KINDS, reason, reasons
from kueue_conformance.catalogue.facts import facts_by_name

from ..checkout import ROOT, files

ID = re.compile(r"\b[A-Z]{1,4}-?[A-Z]?\d+[a-z]?(?:-\d+)?\b")
RANGE = re.compile(r"\b([A-Z]{1,4}-[A-Z]?)(\d+)[a-z]?(?:…| to |–)(?:\1)?(\d+)")
READ = {".py", ".yaml", ".md", ".sh"}


@cache
def named():
    """Return the ids that any file names, ranges such as AC-280…349 written out."""
    found = set()
    for file in files():
        if file.suffix in READ and ROOT / "docs/facts" not in file.parents:
            text = file.read_text("utf-8")
            found |= set(ID.findall(text))
            for prefix, first, last in RANGE.findall(text):
                found |= {f"{prefix}{number:0{len(first)}d}" for number in range(int(first), int(last) + 1)}
    return found


def is_named(fact):
    return bool({fact.id, fact.id.rstrip("abcdefgh")} & named())


def test_every_row_is_named_or_says_why_not():
    assert [
        one.name
        for one in facts_by_name().values()
        if not is_named(one) and not one.corrected and not reason(one)
    ] == []


def test_every_reason_is_needed():
    used = {id(reason(one)) for one in facts_by_name().values() if not is_named(one)}

    assert [one for one in reasons() if id(one) not in used] == []


def test_rows_of_the_table_are_named_nowhere():
    listed = {(one["page"], row) for one in reasons() for row in one.get("rows", "").split()}

    assert [
        one.name for one in facts_by_name().values() if (one.page, one.id) in listed and is_named(one)
    ] == []


def test_kinds_are_known():
    assert {one["kind"] for one in reasons()} == KINDS
