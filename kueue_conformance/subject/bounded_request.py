"""A request to a service of the user, which is answered within some seconds or has failed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import quote

from ..base.errors import EnvironmentProblem
from ..base.json_types import Json
from .bounded_call import TimeLimitExceeded, call_within
from .placeholders import replace_words

_SHOWN = 200
_LONGEST_ANSWER = 10_000_000
_SIGNS = ":/?&=%#@!$'()*+,;[]~{}"
"""What has a meaning in the URL of a subject file, and the braces of its placeholders."""


class RequestFailed(EnvironmentProblem):
    """A service gave no answer."""


@dataclass(frozen=True, slots=True)
class ServiceAnswer:
    """Status code and body of an answer."""

    status: int
    body: bytes

    @property
    def is_good(self) -> bool:
        """Whether the service did as it was asked."""
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """The beginning of the body, for a reader."""
        return self.body.decode("utf-8", "replace")[:_SHOWN].strip() or "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedRequest:
    """A request with placeholders in URL, body and headers."""

    url: str
    method: str = "GET"
    body: Json = None
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def filled_url(self, words: Mapping[str, str]) -> str:
        """Return the URL with the placeholders filled in, each word escaped."""
        # A word is escaped whole: an `&` or `#` of a message would otherwise end it.
        escaped = {word: quote(value, safe="") for word, value in words.items()}
        return str(replace_words(quote(self.url, safe=_SIGNS), escaped))

    def send(self, words: Mapping[str, str], seconds: float) -> ServiceAnswer:
        """Send it with the placeholders filled in. Raises RequestFailed when there is no answer in time."""
        # Imported on use: every command reads subject files (SH-22).
        import urllib3

        url = self.filled_url(words)
        try:
            # The time-out of urllib3 begins anew with each byte.
            return call_within(seconds, lambda: self._exchange(url, words, seconds))
        except (urllib3.exceptions.HTTPError, ValueError, TimeLimitExceeded) as problem:
            raise RequestFailed(
                f"{self.method} {url} got no answer: {problem}",
                hint="is the service running? the subject or you have to start it",
            ) from problem

    def _exchange(self, url: str, words: Mapping[str, str], seconds: float) -> ServiceAnswer:
        import urllib3

        # A pool of its own: a service that was started anew has closed the connections of the old one.
        with urllib3.PoolManager() as pool:
            answer = pool.request(
                self.method,
                url,
                body=self._bytes(words),
                headers=self._headers(words),
                # One request for one act; urllib3 would also follow redirects and repeat a GET.
                retries=False,
                timeout=seconds,
                preload_content=False,
            )
            return ServiceAnswer(answer.status, answer.read(_LONGEST_ANSWER))

    def _bytes(self, words: Mapping[str, str]) -> bytes | None:
        if self.body is None:
            return None
        body = replace_words(self.body, words)
        return (body if isinstance(body, str) else json.dumps(body)).encode()

    def _headers(self, words: Mapping[str, str]) -> dict[str, str]:
        kind = {} if isinstance(self.body, str) or self.body is None else {"Content-Type": "application/json"}
        return {**kind, **replace_words(dict(self.headers), words)}
