"""The one name that the selector of a list or watch lets through: authorization and priority and fairness
take such a request for one about that name (FK-003).
"""

from __future__ import annotations

from collections.abc import Sequence

from ...api.routes import RequestInfo
from ...base.numbers import integers
from ...meta import names
from . import field_terms, labelparser

BY_NAME = frozenset({"list", "watch"})
FIELDS, LABELS, NUMBER_PARAMETERS = "fieldSelector", "labelSelector", ("limit", "timeoutSeconds")


def name_from_selector(info: RequestInfo, query: Sequence[tuple[str, str]]) -> str:
    """Return the name, empty when there is none.

    There is none either where the options of the request cannot be read:
    what cannot be read restricts nothing.
    """
    if info.verb not in BY_NAME or info.verb_in_path or info.name:
        return ""
    # Of a repeated parameter Go's decoder takes the first value; in a dict the last one wins.
    options = dict(reversed(query))
    text = options.get(FIELDS, "")
    if "metadata.name" not in text or not _readable(options):
        return ""
    try:
        terms = field_terms.parse(text)
    except field_terms.FieldSelectorError:
        return ""
    name = next((term.value for term in terms if term.key == "metadata.name" and not term.negated), "")
    return "" if names.path_problems(name) else name


def _readable(options: dict[str, str]) -> bool:
    """Whether the other options can be read."""
    try:
        labelparser.parse(options.get(LABELS, ""))
    except labelparser.LabelSelectorError:
        return False
    return all(integers.fits(options[name], 64) for name in NUMBER_PARAMETERS if name in options)
