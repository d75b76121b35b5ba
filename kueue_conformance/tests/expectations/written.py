"""Expectation files for tests."""

from kueue_conformance.expectations import read

HEAD = "apiVersion: kueue-conformance.dev/v1\nkind: Expectations\n"
ENTRY = "  - {{id: {id}, reason: r, issue: '#1', expires: {expires}{more}}}\n"


def entry(scenario="CHK-010", *, expires="2099-01-01", **fields):
    """Return an entry in one line."""
    words = "".join(f", {key.replace('_', '-')}: {value}" for key, value in fields.items())
    return ENTRY.format(id=scenario, expires=expires, more=words)


def write(path, *entries, include=""):
    """Write a file with these entries and return its path."""
    include_line = f"include: [{include}]\n" if include else ""
    path.write_text(f"{HEAD}{include_line}expectations:\n{''.join(entries)}")
    return path


def read_entries(folder, *entries):
    """Return what a file with these entries expects."""
    return read([write(folder / "known.yaml", *entries)])
