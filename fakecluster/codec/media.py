"""Media types: what an Accept header asks for, in order, and what of it can be served (FK-020…FK-027)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from ..base.caching import cache_short_texts

JSON = "application/json"
YAML = "application/yaml"
PROTOBUF = "application/vnd.kubernetes.protobuf"
SERVED_TYPES = (JSON, YAML, PROTOBUF)
CONVERSION_PARAMETERS = frozenset({"as", "g", "v"})
STREAMED_TYPES = (f"{JSON};stream=watch", f"{PROTOBUF};stream=watch")


PARAMETER = re.compile(r'\s*[^\s;="]+\s*=\s*("[^"]*"|[^\s;"]+)\s*')


class AcceptClause(Struct, frozen=True):
    """One alternative of an Accept header."""

    type: str
    params: Mapping[str, str] = field(default_factory=dict)
    quality: float = 1.0

    @property
    def target_kind(self) -> str:
        """The kind the answer shall be converted to, empty when it shall not."""
        return self.params.get("as", "")

    @property
    def converts(self) -> bool:
        """Whether the answer shall be converted to anything, if only to an unknown form."""
        return not CONVERSION_PARAMETERS.isdisjoint(self.params)

    def covers(self, media_type: str) -> bool:
        """Whether the alternative accepts a media type."""
        family, _, name = self.type.partition("/")
        return self.type in {media_type, "*/*"} or (name == "*" and media_type.startswith(f"{family}/"))


@cache_short_texts(512)
def clauses(accept: str) -> tuple[AcceptClause, ...]:
    """Return the alternatives, best first; equal ones stay in the client's order, wildcards behind."""
    accepted = [_clause(part) for part in accept.split(",") if part.strip()]
    return tuple(
        # sorted() is stable, so that equal qualities stay in the client's order.
        sorted(
            accepted, key=lambda clause: (-clause.quality, clause.type == "*/*", clause.type.endswith("/*"))
        )
    )


@cache_short_texts(512)
def is_routed(accept: str, produced: tuple[str, ...]) -> bool:
    """Whether the router of built-in kinds lets a request through:
    it compares names and knows one wildcard.
    """
    accepted_names = (
        {part.partition(";")[0].strip() for part in accept.split(",")} if accept.strip() else {"*/*"}
    )
    return "*/*" in accepted_names or bool(
        accepted_names.intersection(media_type.partition(";")[0] for media_type in produced)
    )


def content_type(header: str) -> str:
    """Return a Content-Type without its parameters; one that cannot be parsed is returned unchanged."""
    name, *params = header.strip().removesuffix(";").split(";")
    # mime.ParseMediaType fails as a whole on one bad parameter, and the header is then no known type.
    return name.strip().lower() if all(PARAMETER.fullmatch(parameter) for parameter in params) else header


def not_routed(produced: Sequence[str]) -> str:
    """Return the router's refusal."""
    return f"406: Not Acceptable\n\nAvailable representations: {', '.join(produced)}"


def not_served(accepted: Sequence[str] = SERVED_TYPES) -> str:
    """Return the 406 of the negotiation."""
    return f"only the following media types are accepted: {', '.join(accepted)}"


def _clause(text: str) -> AcceptClause:
    name, *parameters = (part.strip() for part in text.split(";"))
    params = {
        key.strip(): value.strip().strip('"')
        for key, _, value in (parameter.partition("=") for parameter in parameters)
    }
    return AcceptClause(name.lower(), params, _quality(params.pop("q", "")))


def _quality(text: str) -> float:
    try:
        return float(text) if text else 1.0
    except ValueError:
        return 1.0
