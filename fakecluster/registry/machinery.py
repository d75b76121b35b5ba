"""The API machinery: `Api.handle` turns a request into an
outcome and never raises for bad input (AR-01, FK-060).

Order: handlers (authorization, extension servers) → pages, for a path that is no resource → route → verb. A
verb may wait for others; a failure at any step becomes a Status. Every request leaves one journal entry.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from copy import copy
from functools import partial
from typing import Any, Self

from msgspec.structs import replace

from ..api import routes, status
from ..api.admission import ADMIT_ALL, Admission
from ..api.context import Context
from ..api.encoding import SHAPES, Negotiate
from ..api.outcome import EMPTY, Outcome, Proxy, Request, Response, WebSocketMessages
from ..api.registry import Registry
from ..api.routes import RequestInfo
from ..api.steps import Begun, Computation, Steps, begin, in_turn
from ..api.trace import Trace
from ..base import work_budget
from ..base.clock import Clock
from ..base.json_types import Json
from ..codec import negotiation
from ..journal import Change, Entry
from ..schema.defaults import LIMIT, DefaultsTooLarge
from ..store import Store
from . import routing
from .action import Action, Answer, WriteConflict, respond
from .routing import NO_SUBRESOURCES, Subresources
from .verbs.writes import storage
from .warnings import headers

YAML_COST = 16
"""Bytes of JSON that are read in the time of a byte of YAML."""
MAP_BYTES = 32
"""Bytes as which a map counts beside its own: defaults and rules are about each."""
Handler = Callable[[Context, Request], "Outcome | None"]
Pages = Callable[[Context, Request], "Outcome | Steps[Outcome | None] | None"]


class Api(Context):
    """The front of one cluster: asks its handlers, then the verb of the path, and keeps the journal."""

    def __init__(
        self,
        store: Store,
        registry: Registry,
        clock: Clock,
        *,
        handlers: Sequence[Handler] = (),
        pages: Pages | None = None,
        subresources: Subresources = NO_SUBRESOURCES,
        admission: Admission = ADMIT_ALL,
        negotiate: Negotiate | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            store, registry, clock, negotiate=negotiate or negotiation.Negotiator(clock), **kwargs
        )
        self.handlers = tuple(handlers)
        self.pages = pages
        self.subresources = subresources
        self.admission = admission

    def with_clock(self, clock: Clock) -> Self:
        """Return the same cluster as seen with another clock."""
        view = copy(self)
        view.clock = clock
        return view

    def handle(self, request: Request) -> Begun:
        """Answer a request, unless it has to wait; bad input is answered with a Status."""
        info = routes.parse(request.method, request.path, request.query)
        # The warnings of the HTTP layer come first, and each text once.
        trace = Trace(warnings=dict.fromkeys(request.warnings))
        return begin(
            _within_budget(self._conclude(request, info, trace, self._dispatch(request, info, trace)))
        )

    def refuse(self, request: Request, error: status.StatusError) -> Begun:
        """Answer a request with a failure without a look at it, as a fault on purpose does (F-03)."""
        info = routes.parse(request.method, request.path, request.query)
        return begin(self._conclude(request, info, Trace(), _failing(error)))

    def _dispatch(self, request: Request, info: RequestInfo, trace: Trace) -> Steps[Outcome]:
        # An incomplete path has no attributes that could be authorized.
        routing.check_complete(request, info)
        # Authorization is the first handler: what a user may not see is not told to be absent.
        for handler in self.handlers:
            outcome = handler(self, request)
            if outcome is not None:
                return outcome
        # Paths without a resource, such as /healthz and discovery.
        if self.pages and not info.is_resource:
            page = self.pages(self, request)
            if isinstance(page, Generator):
                page = yield from page
            if page is not None:
                return page
        kind, verb = routing.resolve(self, self.subresources, request, info)
        # Before anything is changed: a client that accepts none of our forms must not have written (FK-027).
        encoder = self.negotiate(request, kind, SHAPES.get(info.verb, "object"))
        action = Action(
            api=self,
            request=request,
            info=info,
            kind=kind,
            trace=trace,
            admission=self.admission,
            namespace=info.namespace if kind.namespaced else "",
            accepted=encoder,
        ).with_size(_size(request))
        if kind.presentation.deprecation:
            action.warn(kind.presentation.deprecation)
        while True:
            try:
                result = verb(action)
                if isinstance(result, Generator):
                    result = yield from result
                return (yield from respond(result, partial(self._note_commit, request, info, trace)))
            except WriteConflict:
                continue

    def _conclude(
        self, request: Request, info: RequestInfo, trace: Trace, steps: Steps[Outcome]
    ) -> Steps[Outcome]:
        """Take the steps of a request, word its failure, and note it in the journal."""
        failed: Json = {}
        try:
            outcome = yield from steps
        except status.StatusError as error:
            failed = error.status
            outcome = yield from _failure(request, error)
        except DefaultsTooLarge:
            refused = storage.too_large(LIMIT)
            failed = refused.status
            outcome = yield from _failure(request, refused)
        except work_budget.TooMuchWork as error:
            refused = status.too_large(str(error))
            failed = refused.status
            outcome = yield from _failure(request, refused)
        except status.PlainError as error:
            outcome = Response(
                code=error.code,
                body=error.text.encode(),
                content_type="text/plain; charset=utf-8",
                headers=(("X-Content-Type-Options", "nosniff"),),
            )
        except Exception:
            # What was stored before a defect showed stays stored, and the journal tells it.
            self._note(request, info, trace, Response(code=500, body=b""), status.internal_crash().status)
            raise
        # What a server behind this one answers is known when it has answered.
        if isinstance(outcome, Proxy):
            return replace(
                outcome, answered=lambda code: self._note(request, info, trace, Response(code=code, body=b""))
            )
        if trace.warnings and not isinstance(outcome, WebSocketMessages):
            outcome = replace(outcome, headers=(*outcome.headers, *headers(trace.warnings)))
        self._note(request, info, trace, outcome, failed)
        return outcome

    def _note(
        self, request: Request, info: RequestInfo, trace: Trace, outcome: Outcome, failed: Json = EMPTY
    ) -> None:
        entry = _entry(self.clock.now(), request, info, trace, outcome, failed)
        if trace.entry is None:
            trace.entry = self.journal.record(entry)
        else:
            self.journal.complete(trace.entry, entry)

    def _note_commit(self, request: Request, info: RequestInfo, trace: Trace, answer: Answer) -> None:
        # Before the answer is there: what others commit while it is computed comes behind it in the journal.
        if trace.events:
            self._note(request, info, trace, Response(code=answer.code, body=b""))


def _within_budget(steps: Steps[Outcome]) -> Steps[Outcome]:
    """Take the steps of a request; what it does from one wait for others to the next has a budget."""
    answers: Any = None  # which begins the steps
    budget = work_budget.Budget()
    while True:
        # The budget is that of a context, as the steps of many requests take turns.
        before = work_budget.BUDGET.set(budget)
        try:
            wait = steps.send(answers)
        except StopIteration as done:
            outcome: Outcome = done.value
            return outcome
        finally:
            work_budget.BUDGET.reset(before)
        answers = yield wait
        # After a wait for others the budget begins anew; a computation apart is still the same work.
        if not isinstance(wait, Computation):
            budget = work_budget.Budget()


def _size(request: Request) -> int:
    """Return as how many bytes a body counts."""
    body = request.body
    # JSON is YAML as well, and is read fast whatever the header says.
    is_yaml = "yaml" in request.headers.get("content-type", "") and not body.startswith(b"{")
    return len(body) * (YAML_COST if is_yaml else 1) + MAP_BYTES * body.count(b"{")


def _failing(error: status.StatusError) -> Steps[Outcome]:
    yield from ()
    raise error


def _failure(request: Request, error: status.StatusError) -> Steps[Response]:
    """Return the answer to a request that failed;
    others are answered while one with very many errors is written.
    """
    size = len(error.status.get("message", "")) if request.shares_loop else 0
    write = partial(negotiation.of_failure, request, error.status)
    # Texts of very many errors take long to encode.
    content_type, body = yield from in_turn(size, write)
    return Response(code=error.code, body=body, content_type=content_type, headers=error.headers)


def _entry(
    current_time: float, request: Request, info: RequestInfo, trace: Trace, outcome: Outcome, failed: Json
) -> Entry:
    return Entry(
        time=current_time,
        audit_id=request.audit_id,
        user=request.user.name,
        user_agent=request.headers.get("user-agent", ""),
        manager=trace.manager,
        verb=info.verb,
        path=request.path,
        query=tuple(request.query),
        group=info.group,
        version=info.version,
        resource=info.resource,
        subresource=info.subresource,
        namespace=info.namespace,
        name=trace.name or info.name,
        code=200 if isinstance(outcome, Proxy) else outcome.code,
        reason=failed.get("reason", ""),
        message=failed.get("message", ""),
        dry_run=trace.dry_run,
        patch_type=request.headers.get("content-type", "") if info.verb == "patch" else "",
        # Not the bytes of an encoder, which hold on to its buffer.
        body=bytes(memoryview(request.body)),
        answered=len(outcome.body) if isinstance(outcome, Response) else 0,
        changes=_changes(trace),
        notes=trace.notes or EMPTY,
    )


def _changes(trace: Trace) -> tuple[Change, ...]:
    return tuple(
        Change(
            revision=event.revision,
            before=event.before.object if event.before else None,
            after=None if event.type == "DELETED" else event.after.object,
        )
        for event in trace.events
    )
