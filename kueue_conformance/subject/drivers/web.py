"""`http: {method, url, body}`: sends the decision to a service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ...base.json_types import Json
from ..bounded_request import BoundedRequest, RequestFailed
from ..placeholders import placeholders_in
from . import DriverContext, DriverFailed
from .decision import Decision


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpDriver:
    """Sends one request; any answer of 2xx is good."""

    url: str
    method: str = "POST"
    body: Json = None
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    needs_workload = False

    @property
    def tells(self) -> frozenset[str]:
        """The words in URL, body and headers."""
        return placeholders_in([self.url, self.body, dict(self.headers)])

    def leaves(self, decision: Decision) -> frozenset[str]:
        """Return (): effects of the request are not known."""
        del decision
        return frozenset()

    def decide(self, decision: Decision, means: DriverContext, seconds: float) -> None:
        """Send the request."""
        del means
        request = BoundedRequest(url=self.url, method=self.method, body=self.body, headers=self.headers)
        try:
            answer = request.send(decision.words, seconds)
        except RequestFailed as problem:
            raise DriverFailed(f"the driver's request {problem.args[0]}", hint=problem.hint) from problem
        if not answer.is_good:
            sent = f"{self.method} {request.filled_url(decision.words)}"
            raise DriverFailed(
                f"the driver's request {sent} was answered with {answer.status}: {answer.text}",
                hint="check http in the subject file",
            )

    def undo(self, decision: Decision, means: DriverContext, keep: frozenset[str]) -> None:
        """Do nothing: only an `undo` of the subject file knows how."""
