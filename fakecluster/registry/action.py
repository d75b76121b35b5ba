"""One request for a resource with everything known about it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Concatenate, ParamSpec, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ..api import options, status
from ..api.admission import Admission, Review
from ..api.context import Context
from ..api.encoding import Encoder, Shape
from ..api.kind import Kind, identity
from ..api.options import NO_OPTIONS, OptionsKind, WriteOptions
from ..api.outcome import Outcome, Request, Response
from ..api.routes import RequestInfo
from ..api.steps import LONG_BYTES, Steps, apart
from ..api.trace import Trace
from ..api.versions import to_served_version, to_storage_version
from ..base import work_budget
from ..base.json_types import Json
from ..conversion import on_demand
from ..store import Stored, encode

P = ParamSpec("P")
T = TypeVar("T")
ATTEMPTS = 5
"""How often a write is tried whose object another one changes meanwhile (FK-160)."""


class WriteConflict(Exception):
    """Another write has changed the object; the verb is to begin again from the stored one."""


class Answer(Struct, frozen=True):
    """The stored object that a verb answers with; its action decides on version and representation."""

    action: Action
    stored: Stored
    code: int = 200


Result = Outcome | Answer
"""What a verb returns."""
Verb = Callable[["Action"], Result | Steps[Result]]
"""What answers a request: at once, or in steps where it may have to wait for others."""
Writing: TypeAlias = Callable[Concatenate["Action", P], T]
"""A verb that writes, perhaps of more than the action."""


class Action(Struct, frozen=True, kw_only=True):
    """A request for a served resource."""

    api: Context
    request: Request
    info: RequestInfo
    kind: Kind
    trace: Trace
    admission: Admission
    """The plugins and webhooks that may change or refuse a write."""
    namespace: str
    """The namespace on the URL; empty for kinds without one."""
    accepted: Encoder
    """The representation that the client accepts: of the kind,
    of its list or of its events, as the verb answers.
    """
    options: WriteOptions = NO_OPTIONS
    """What a write is asked beside its body."""
    shown_as: Kind | None = None
    """The kind that answers have when it is not the one that is stored, as with a Scale."""
    show: Callable[[Json], Json] = identity
    """What an answer shows of the stored kind's object."""
    long: bool = False
    """Whether computations on its objects take so long that others should be answered meanwhile."""

    @property
    def name(self) -> str:
        """The name on the URL."""
        return self.info.name

    @property
    def current(self) -> Stored | None:
        """The stored object of the name on the URL, None when there is none."""
        stored = self.api.store.get(self.kind.stored_as, (self.namespace, self.name))
        return stored if stored is None or self.kind.schema.converter is None else self.trace.own_copy(stored)

    def with_request_options(self, kind: OptionsKind, *, apply: bool = False) -> Action:
        """Return the action with the options of its request. Raises 422."""
        return replace(self, options=options.of_write(self.request, kind, apply=apply))

    def existing(self) -> Stored:
        """Return the stored object of the name on the URL. Raises 404."""
        stored = self.current
        if stored is None:
            raise status.not_found(self.kind, self.name)
        return stored

    def begin_again(self) -> None:
        """Raise WriteConflict, so that the verb begins again; return after enough attempts (FK-160)."""
        # The first attempt counts: after ATTEMPTS the verb goes on and answers with the conflict.
        self.trace.attempts += 1
        if self.trace.attempts < ATTEMPTS:
            raise WriteConflict

    def admit(self, review: Review) -> Steps[Json]:
        """Return the object after mutating and validating admission,
        without validation by its kind between them.
        """
        new = yield from self.admission.mutate(self.api, review)
        yield from self.admission.validate(self.api, replace(review, new=new))
        return new

    def with_size(self, size: int) -> Action:
        """Return the action for `size` bytes of objects, computed apart from the loop beyond LONG_BYTES."""
        is_long = self.request.shares_loop and size > LONG_BYTES
        return replace(self, long=True) if is_long and not self.long else self

    def for_object(self, new: Json) -> Action:
        """Return the action for an object that may be larger than its body, such as one after admission."""
        # Webhooks and defaults can make a small body large.
        if self.long or not self.request.shares_loop:
            return self
        try:
            return self.with_size(len(encode(new)))
        except TypeError:  # it cannot be stored, which its commit says
            return self

    def compute(self, compute: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Steps[T]:
        """Return the result of a computation that changes nothing but the trace of the request."""
        # Where nobody shares the loop, nothing has to be put aside.
        if not self.request.shares_loop:
            return compute(*args, **kwargs)
        if not self.long:
            try:
                # Begun on the loop, as most computations are short; a long one is begun again apart.
                return work_budget.in_one_turn(compute, *args, **kwargs)
            except work_budget.TurnExceeded:
                pass
        return (yield from apart(partial(compute, *args, **kwargs)))

    def compute_with_conversions(
        self, compute: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> Steps[T]:
        """Return the result of a computation on objects in other versions, after asking for conversions."""
        if self.kind.schema.converter is None:
            return self.compute(compute, *args, **kwargs)
        # Tried first without conversions: those that are missing then are asked for all at once.
        attempt = partial(compute, *args, **kwargs)
        return on_demand.with_conversions(self.api.services, attempt, run=self.compute)

    def warn(self, text: str) -> None:
        """Add a Warning to the answer."""
        self.trace.warn(text)

    def encoder(self, shape: Shape = "object") -> Encoder:
        """Return the representation the client accepts. Raises 406."""
        return self.api.negotiate(self.request, self.shown_as or self.kind, shape)

    def answer(self, obj: Json, code: int = 200) -> Response:
        """Answer with an object of the served version."""
        encoder = self.encoder()
        body = encoder.object(self.shown_as or self.kind, self.show(obj))
        return Response(code=code, body=body, content_type=encoder.content_type)

    def to_store(self, obj: Json) -> Steps[Stored]:
        """Return an object of the served version as a draft in the version in which it is stored."""
        return self.draft(
            (yield from self.compute_with_conversions(to_storage_version, self.kind, self.draft(obj)))
        )

    def draft(self, obj: Json) -> Stored:
        """Return an object that is not stored yet as if it were, so that it can be converted."""
        name = (self.namespace, obj["metadata"].get("name", ""))
        return Stored(self.kind.stored_as, name, 0, obj)

    def answer_status(self, body: Json, code: int = 200) -> Response:
        """Answer with a Status."""
        encoder = self.encoder()
        return Response(code=code, body=encoder.status(body), content_type=encoder.content_type)


def with_options(kind: OptionsKind) -> Callable[[Writing[P, T]], Writing[P, T]]:
    """Decorate a verb that writes: its action carries the options of the request. Raises 422."""

    def decorate(verb: Writing[P, T]) -> Writing[P, T]:
        @wraps(verb)
        # Read before the verb, so that bad options are refused before the body is looked at.
        def with_options_read(action: Action, /, *args: P.args, **kwargs: P.kwargs) -> T:
            return verb(action.with_request_options(kind), *args, **kwargs)

        return with_options_read

    return decorate


def respond(result: Result, note: Callable[[Answer], None]) -> Steps[Outcome]:
    """Return the response to a request; a stored object may have to be converted before it is encoded.

    `note` is called before an answer has to wait.
    """
    if not isinstance(result, Answer):
        return result
    action = result.action
    # The stored object may be larger than the request.
    is_large = action.request.shares_loop and len(result.stored.json()) > LONG_BYTES
    if action.kind.schema.converter is None and not is_large:
        return _encode(result)
    note(result)
    return (yield from replace(action, long=is_large).compute_with_conversions(_encode, result))


def _encode(answer: Answer) -> Response:
    action, stored = answer.action, answer.stored
    # A view such as a Scale is made of the served version, so its bytes are not kept.
    if action.show is not identity:
        return action.answer(to_served_version(action.kind, stored), answer.code)
    encoder = action.accepted
    body = encoder.stored(action.kind, stored)
    return Response(code=answer.code, body=body, content_type=encoder.content_type)
