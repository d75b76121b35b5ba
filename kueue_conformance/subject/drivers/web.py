"""`http: {method, url, body}`: sends the decision to a service."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import quote

from ...base.json_types import Json
from . import DriverContext, DriverFailed
from .decision import Decision, fill_template, placeholders_in

_SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpDriver:
    """Sends one request; any answer of 2xx is good."""

    url: str
    method: str = "POST"
    body: Json = None
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def tells(self) -> frozenset[str]:
        """The words in URL and body."""
        return placeholders_in([self.url, self.body, dict(self.headers)])

    def leaves(self, decision: Decision) -> frozenset[str]:
        """Return (): effects of the request are not known."""
        del decision
        return frozenset()

    def decide(self, decision: Decision, means: DriverContext, seconds: float) -> None:
        """Send the request."""
        del means
        # Imported on use: every command reads subject files (SH-22).
        import urllib3

        # Signs that have a meaning in a URL stay; what a message brings besides is escaped.
        url = quote(fill_template(self.url, decision), safe=":/?&=%#@!$'()*+,;[]~")
        try:
            answer = urllib3.request(
                self.method,
                url,
                body=self._bytes(decision),
                headers=self._headers(decision),
                # One request for one decision; urllib3 would also follow redirects and repeat a
                # GET.
                retries=False,
                timeout=seconds,
            )
        except (urllib3.exceptions.HTTPError, ValueError) as problem:
            raise DriverFailed(
                f"the driver's request {self.method} {url} got no answer: {problem}",
                hint="is the service running? the subject or you have to start it",
            ) from problem
        if not 200 <= answer.status < 300:
            text = answer.data.decode("utf-8", "replace")[:_SHOWN].strip()
            raise DriverFailed(
                f"the driver's request {self.method} {url} was answered with {answer.status}: {text or 'nothing'}",
                hint="check http in the subject file",
            )

    def undo(self, decision: Decision, means: DriverContext, keep: frozenset[str]) -> None:
        """Do nothing: only an `undo` of the subject file knows how."""

    def _bytes(self, decision: Decision) -> bytes | None:
        if self.body is None:
            return None
        body = fill_template(self.body, decision)
        return (body if isinstance(body, str) else json.dumps(body)).encode()

    def _headers(self, decision: Decision) -> dict[str, str]:
        kind = {} if isinstance(self.body, str) or self.body is None else {"Content-Type": "application/json"}
        return {**kind, **fill_template(dict(self.headers), decision)}
