"""What a client accepts, read as the API machinery of Kubernetes reads it (VIS-220…227, VC-11…16)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from .status import StatusError, not_acceptable
from .url import Url

TRUE: Final = frozenset({"1", "t", "T", "true", "TRUE", "True"})
PRETTY_AGENTS: Final = ("curl", "Wget", "Mozilla/5.0")
# Clauses; Go sorts more of them in another way, whose order no client can rely on.
SORTED_BY_INSERTION: Final = 12
META: Final = frozenset({("meta.k8s.io", "v1"), ("meta.k8s.io", "v1beta1")})
PARTIAL: Final = frozenset({"PartialObjectMetadata", "PartialObjectMetadataList"})
AGGREGATED: Final = ("apidiscovery.k8s.io", "v2", "APIGroupDiscoveryList")


class Format(Enum):
    """A representation by its media type, the preferred one first."""

    JSON = "application/json"
    YAML = "application/yaml"
    PROTOBUF = "application/vnd.kubernetes.protobuf"


MEDIA_TYPES: Final = tuple(format_.value for format_ in Format)


@dataclass(frozen=True, slots=True)
class Clause:
    """One element of an Accept header."""

    type: str
    subtype: str
    quality: float = 1.0
    parameters: tuple[tuple[str, str], ...] = ()

    def covers(self, format: Format) -> bool:  # noqa: A002 - the word of the field
        """Tell whether a format is meant; capitals count (VC-14)."""
        kind, _, subtype = format.value.partition("/")
        return (self.type, self.subtype) in {(kind, subtype), (kind, "*"), ("*", "*")}

    @property
    def transform(self) -> tuple[str, str, str] | None:
        """Return group, version and kind that the object is transformed into, None for no transformation."""
        parameters = dict(self.parameters)
        if not parameters.keys() & {"as", "g", "v"}:
            return None
        return parameters.get("g", ""), parameters.get("v", ""), parameters.get("as", "")


@dataclass(frozen=True, slots=True)
class MediaType:
    """The negotiated media type."""

    format: Format = Format.JSON
    transform: tuple[str, str, str] | None = None
    pretty: bool = False


Transforms = Callable[[tuple[str, str, str] | None], bool]
"""Whether an endpoint can turn its object into a kind; None is the object as it is."""


def nothing_else(transform: tuple[str, str, str] | None) -> bool:
    """Allow only the untransformed object."""
    return transform is None


def partial_metadata(transform: tuple[str, str, str] | None) -> bool:
    """Allow what any resource without a table can be turned into; whether it is one comes later (VC-11)."""
    return transform is None or (transform[:2] in META and transform[2] in PARTIAL)


def aggregated_discovery(transform: tuple[str, str, str] | None) -> bool:
    """Allow nothing but the aggregated discovery document (VIS-304, VIS-305)."""
    return transform == AGGREGATED


@dataclass(frozen=True, slots=True)
class Accept:
    """What a request wants to read."""

    header: str = ""
    pretty: bool = False
    clauses: tuple[Clause, ...] = field(default=())

    @classmethod
    def of(cls, header: str | None, agent: str, url: Url) -> Accept:
        """Read the first Accept header, the User-Agent and the query."""
        return cls(header or "", _is_pretty(agent, url), _order(_clauses(header or "")))

    def agree(self, allowed: Transforms = nothing_else) -> MediaType:
        """Return the first format that is wanted and allowed. Raises StatusError 406 (VIS-223)."""
        if not self.header:
            return MediaType(pretty=self.pretty)
        for clause in self.clauses:
            for format_ in Format:
                if clause.covers(format_) and _takes(clause) and allowed(clause.transform):
                    pretty = self.pretty or ("pretty", "1") in clause.parameters
                    return MediaType(format_, clause.transform, pretty)
        raise refuse_formats()

    def names_any(self, media_types: tuple[str, ...]) -> bool:
        """Tell whether a route that produces these is meant at all:
        parameters do not count, `type/*` is unknown (VIS-226).
        """
        if not self.header:
            return True
        # go-restful looks at the header before the API machinery does, and knows fewer
        # forms.
        named = (clause.partition(";")[0].strip(" ") for clause in self.header.split(","))
        return any(media_type == "*/*" or media_type in media_types for media_type in named)


def refuse_formats() -> StatusError:
    """Return the refusal that names what can be produced."""
    return not_acceptable(f"only the following media types are accepted: {', '.join(MEDIA_TYPES)}")


def _takes(clause: Clause) -> bool:
    parameters = dict(clause.parameters)
    return parameters.get("stream", "") in {"", "watch"} and not parameters.get("sv")


def _is_pretty(agent: str, url: Url) -> bool:
    pretty = url.first("pretty")
    return pretty in TRUE if pretty else agent.startswith(PRETTY_AGENTS)


def _clauses(header: str) -> list[Clause]:
    clauses = []
    for piece in header.split(",") if header else ():
        media_type, *parameters = piece.strip(" ").split(";")
        kind, *subtype = media_type.split("/")
        # A bare `*` is what Java's URLConnection sends: goautoneg takes it for `*/*`.
        if kind.strip(" ") == "*" and not any(subtype):
            subtype = ["*"]
        if len(subtype) == 1 and subtype[0]:
            quality, parameters_ = _parameters(parameters)
            clauses.append(Clause(kind.strip(" "), subtype[0].strip(" "), quality, parameters_))
    return clauses


def _parameters(written: list[str]) -> tuple[float, tuple[tuple[str, str], ...]]:
    quality, parameters_ = 1.0, {}
    for parameter in written:
        key, *value = parameter.split("=")
        if len(value) != 1 or not value[0]:
            continue
        if key.strip(" ") == "q":
            quality = _quality(value[0])
        else:
            parameters_[key.strip(" ")] = value[0].strip(" ")
    return quality, tuple(parameters_.items())


def _quality(text: str) -> float:
    try:
        return float(text)
    # A quality that is no number counts as 0, and the clause goes last.
    except ValueError:
        return 0.0


def _order(clauses: list[Clause]) -> tuple[Clause, ...]:
    """Sort a few by insertion, as Go does: the order below is none that other ways of sorting agree on."""
    # sort.Sort of Go switches to another algorithm beyond 12 elements. The comparison
    # below is no total order, so each algorithm has its own outcome.
    if len(clauses) > SORTED_BY_INSERTION:
        return tuple(
            sorted(clauses, key=lambda clause: (-clause.quality, clause.type == "*", clause.subtype == "*"))
        )
    for start in range(1, len(clauses)):
        at = start
        while at and _goes_before(clauses[at], clauses[at - 1]):
            clauses[at - 1], clauses[at] = clauses[at], clauses[at - 1]
            at -= 1
    return tuple(clauses)


def _goes_before(clause: Clause, other: Clause) -> bool:
    return (
        clause.quality > other.quality
        or (clause.type != "*" and other.type == "*")
        or (clause.subtype != "*" and other.subtype == "*")
    )
