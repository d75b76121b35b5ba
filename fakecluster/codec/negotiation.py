"""Chooses the representation of an answer: JSON, YAML, protobuf,
Table, PartialObjectMetadata (FK-010, FK-011, FK-020…027).
"""

from __future__ import annotations

from msgspec import Struct

from ..api import routes, status
from ..api.encoding import Encoder, Shape
from ..api.kind import Kind
from ..api.outcome import Request
from ..base.clock import Clock
from ..base.json_types import Json
from . import forms, media, partial, tables
from .forms import form_of
from .media import AcceptClause
from .object_encoders import SHARED_JSON, whole
from .protobuf.table import message_for

CONVERSIONS = ("meta.k8s.io/v1", "meta.k8s.io/v1beta1")
ANY_TYPE = AcceptClause("*/*")
ORDINARY_ACCEPTS = frozenset({"", "*/*", media.JSON})
"""What most clients accept, answered without further thought."""
POSTED_SUBRESOURCES = frozenset({"binding", "eviction", "token"})
TRUE_WORDS = frozenset({"1", "t", "T", "true", "TRUE", "True"})
BROWSER_AGENTS = ("curl", "Wget", "Mozilla/5.0")


class Negotiator(Struct, frozen=True):
    """Makes the encoder for a request; Table cells tell ages, so it knows the time."""

    clock: Clock

    def __call__(self, request: Request, kind: Kind | None, shape: Shape) -> Encoder:
        """Return the encoder. Raises 406 when nothing that the client accepts can be served."""
        accept = request.headers.get("accept", "")
        # The fast path of most requests, which skips the parsing of Accept.
        if accept in ORDINARY_ACCEPTS and not _pretty(request, ANY_TYPE):
            return SHARED_JSON
        # Built-in kinds stand behind go-restful, which looks at Accept itself before the negotiation and
        # answers 406 in other words.
        if kind is not None and not kind.custom:
            _check_router(accept, streams=shape != "object" and request.method == "GET")
        encoder = self._first(request, kind, shape, _media_types_for(shape))
        if encoder is not None:
            return encoder
        # Only a client that takes something else than a stream is told what streams there are.
        alone = shape == "watch" and self._first(request, kind, shape, (media.YAML,)) is not None
        raise status.not_acceptable(media.not_served(media.STREAMED_TYPES if alone else media.SERVED_TYPES))

    def _first(
        self, request: Request, kind: Kind | None, shape: Shape, offered: tuple[str, ...]
    ) -> Encoder | None:
        """Return the encoder of the first form that the client accepts."""
        # The first alternative that can be served decides, even if its form cannot have this object.
        for clause in media.clauses(request.headers.get("accept", "")) or [ANY_TYPE]:
            for media_type in offered:
                encoder = clause.covers(media_type) and self._encoder(
                    request, clause, media_type, kind, shape
                )
                if encoder:
                    return encoder
        return None

    def _encoder(
        self, request: Request, clause: AcceptClause, media_type: str, kind: Kind | None, shape: Shape
    ) -> Encoder | None:
        form = form_of(media_type, pretty=_pretty(request, clause), stream=shape == "watch")
        target_kind, messages = clause.target_kind, media_type == media.PROTOBUF
        if not clause.converts:
            return None if messages and not _has_message(kind) else whole(form)
        version = f"{clause.params.get('g', '')}/{clause.params.get('v', '')}"
        if version not in CONVERSIONS or kind is None:
            return None
        if target_kind == "Table" and not messages and _has_table(request, kind):
            include = tables.parse_include(request.option("includeObject"))
            return tables.TableEncoder(form, version, include, self.clock.now)
        if target_kind in partial.PARTIAL_KINDS:
            return partial.PartialEncoder(form, version, target_kind)
        return None


def of_failure(request: Request, failure: Json) -> tuple[str, bytes]:
    """Return content type and body of a Status;
    a client that accepts nothing of ours gets indented JSON (FK-027).
    """
    return encode_unconverted(request, failure) or (media.JSON, forms.write_indented(failure))


def encode_unconverted(request: Request, value: Json) -> tuple[str, bytes] | None:
    """Return content type and body of something that cannot be converted; None when the client accepts no
    form of it.
    """
    for clause in media.clauses(request.headers.get("accept", "")) or [ANY_TYPE]:
        for media_type in media.SERVED_TYPES if forms.has_message(value) else media.SERVED_TYPES[:2]:
            if clause.covers(media_type) and not clause.converts:
                form = form_of(media_type, pretty=_pretty(request, clause))
                return form.content_type, form.write(value)
    return None


def _pretty(request: Request, clause: AcceptClause) -> bool:
    """Whether JSON shall be indented: asked for, or the client is one that a person reads (FK-011)."""
    pretty = request.option("pretty") if request.query else None
    if pretty:
        return pretty in TRUE_WORDS
    # The real server indents for curl, wget and browsers without being asked.
    return clause.params.get("pretty") == "1" or request.headers.get("user-agent", "").startswith(
        BROWSER_AGENTS
    )


def _media_types_for(shape: Shape) -> tuple[str, ...]:
    return (media.JSON, media.PROTOBUF) if shape == "watch" else media.SERVED_TYPES


def _has_table(request: Request, kind: Kind) -> bool:
    """Whether an answer can be a table: reviews and objects that are only posted to a subresource cannot."""
    below = routes.parse(request.method, request.path, request.query).subresource
    return "list" in kind.verbs and below not in POSTED_SUBRESOURCES


def _has_message(kind: Kind | None) -> bool:
    return kind is not None and not kind.custom and bool(message_for(kind.api_version, kind.kind))


def _check_router(accept: str, *, streams: bool) -> None:
    produced = (*media.SERVED_TYPES, *media.STREAMED_TYPES) if streams else media.SERVED_TYPES
    if not media.is_routed(accept, produced):
        raise status.not_acceptable(media.not_routed(produced), {})
