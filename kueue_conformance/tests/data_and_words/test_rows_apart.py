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
def ids_in_files():
    """Return the ids that any file names, ranges such as AC-280…349 written out."""
    ids = set()
    for file in files():
        if file.suffix in READ and ROOT / "docs/facts" not in file.parents:
            text = file.read_text("utf-8")
            ids |= set(ID.findall(text))
            for prefix, first, last in RANGE.findall(text):
                ids |= {f"{prefix}{number:0{len(first)}d}" for number in range(int(first), int(last) + 1)}
    return ids


def is_named(fact):
    return bool({fact.id, fact.id.rstrip("abcdefgh")} & ids_in_files())


def test_every_row_is_named_or_says_why_not():
    assert [
        fact.name
        for fact in facts_by_name().values()
        if not is_named(fact) and not fact.corrected and not reason(fact)
    ] == []


def test_every_reason_is_needed():
    used = {id(reason(fact)) for fact in facts_by_name().values() if not is_named(fact)}

    assert [reason_row for reason_row in reasons() if id(reason_row) not in used] == []


def test_rows_of_the_table_are_named_nowhere():
    rows_with_reason = {
        (reason_row["page"], row) for reason_row in reasons() for row in reason_row.get("rows", "").split()
    }

    assert [
        fact.name
        for fact in facts_by_name().values()
        if (fact.page, fact.id) in rows_with_reason and is_named(fact)
    ] == []


def test_kinds_are_known():
    assert {reason_row["kind"] for reason_row in reasons()} == KINDS
