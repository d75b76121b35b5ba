"""Performs Calls: HTTP(S) requests to webhooks and extension servers, on connections that are kept for the
next one; their redirects and retries are those of client-go (FK-306, FK-307).

Failures come back as the sentence in which the real server's client, written in Go, tells them (FK-309…312).
"""

from __future__ import annotations

import asyncio
import ssl
import zlib
from functools import lru_cache
from urllib.parse import SplitResult, quote, urljoin, urlsplit

from msgspec.structs import replace

from ...api.outcome import Call, CallResult
from . import local_functions
from .allowed_networks import Reach
from .answer import NoAnswerError
from .link import ConnectTarget, client_context
from .local_functions import NO_FUNCTIONS, LocalFunctions
from .round_tripper import MAX_ANSWER_BYTES, TOO_LARGE, OutgoingRequest, RoundTripper

MAX_REDIRECTS = MAX_RETRIES = 10
PORTS = {"https": 443, "http": 80}
PATH_SAFE = "/%:@!$&'()*+,;=-._~"
DEADLINE_EXCEEDED = "context deadline exceeded"
BODY_READ_ERROR = "unexpected error when reading response body. Please retry. Original error: "
SAME_METHOD_REDIRECTS = frozenset({307, 308})
GET_REDIRECTS = frozenset({301, 302, 303})
TOO_MANY_REQUESTS = 429
SERVER_ERRORS = 500
LONGEST_DELAY_DIGITS = 9


class Caller:
    """Makes calls and keeps idle connections.

    Some URLs may be answered by functions of this process instead.
    """

    def __init__(self, inside: LocalFunctions = NO_FUNCTIONS, reach: Reach | None = None) -> None:
        self._inside = inside
        self._tripper = RoundTripper(_trusting, reach or Reach())

    async def perform(self, call: Call) -> CallResult:
        """Send the request and return the answer, or the text of why there is none."""
        function = self._inside.get(call.url.partition("?")[0])
        # A function stands for the URL whether or not its Service can be found.
        if call.unreachable and function is None:
            return CallResult(error=_unsent(call, call.unreachable))
        began = asyncio.get_running_loop().time()
        if function is None:
            result = await CallInProgress(call, self._tripper).run()
        else:
            result = await local_functions.call_function(function, call)
        return replace(result, seconds=asyncio.get_running_loop().time() - began)

    def close(self) -> None:
        """Close the idle connections."""
        self._tripper.close()


class CallInProgress:
    """One call on its way, through the redirects that it meets."""

    def __init__(self, call: Call, tripper: RoundTripper) -> None:
        self._call = call
        self._tripper = tripper
        self._timeout = call.timeout
        self._target: ConnectTarget | None = None
        self._has_head = False
        """Whether the head of an answer has come, and its body is being read."""

    async def run(self) -> CallResult:
        """Return the result of the call."""
        try:
            async with asyncio.timeout(self._timeout):
                return await self._follow_redirects()
        except NoAnswerError as error:
            return self._failure(str(error))
        except TimeoutError:
            return self._failure(DEADLINE_EXCEEDED)
        except OSError as error:
            return self._failure(
                await self._tripper.why(error, self._target) if self._target else DEADLINE_EXCEEDED
            )

    async def _follow_redirects(self) -> CallResult:
        redirects = retries = 0
        while True:
            call, result = self._call, await self._ask()
            further = next_call(call, result) if call.follow else None
            wait = retry_delay(result) if call.follow and retries < MAX_RETRIES else None
            if further is not None:
                self._call, redirects = further, redirects + 1
                # Go's client stops after ten.
                if redirects == MAX_REDIRECTS:
                    raise NoAnswerError(f"stopped after {MAX_REDIRECTS} redirects")
            elif wait is not None:
                retries += 1
                await asyncio.sleep(wait)
            else:
                return result

    async def _ask(self) -> CallResult:
        call, url = self._call, urlsplit(self._call.url)
        self._target, self._has_head = _target(call, url), False
        # Go's transport asks for gzip by itself and unpacks it unseen, unless the caller says otherwise.
        packing = not any(name.lower() == "accept-encoding" for name in call.headers)
        answer = await self._tripper.send(self._target, _request_of(call, url, packing=packing))
        self._has_head = True
        body = await self._tripper.whole(answer, call.longest)
        if packing and ("content-encoding", "gzip") in answer.headers:
            body = unpack(body, call.longest)
        self._has_head = False
        return CallResult(code=answer.code, headers=tuple(answer.headers), body=body)

    def _failure(self, why: str) -> CallResult:
        return CallResult(error=BODY_READ_ERROR + why if self._has_head else _unsent(self._call, why))


def _unsent(call: Call, why: str) -> str:
    return f'{call.method.capitalize()} "{call.url}": {why}'


def _target(call: Call, url: SplitResult) -> ConnectTarget:
    """Return what a call connects to. Raises NoAnswerError for a URL that leads nowhere."""
    if url.scheme not in PORTS:
        raise NoAnswerError(f'unsupported protocol scheme "{url.scheme}"')
    if not url.hostname:
        raise NoAnswerError("http: no Host in request URL")
    try:
        port = url.port or PORTS[url.scheme]
    except ValueError as error:
        raise NoAnswerError(f"dial tcp: address {url.netloc.rpartition(':')[2]}: invalid port") from error
    host, is_configured = url.hostname, False
    if call.address is not None:
        host, port, is_configured = call.address.host, call.address.port, call.address.is_configured
    return ConnectTarget(host, port, url.hostname, call.ca, url.scheme == "https", is_configured)


def _request_of(call: Call, url: SplitResult, *, packing: bool) -> OutgoingRequest:
    """Return the request; packed answers are a matter between
    the two servers when the caller says nothing about them.
    """
    path = quote(url.path or "/", safe=PATH_SAFE) + (f"?{url.query}" if url.query else "")
    headers = {"Host": url.netloc, "Content-Length": str(len(call.body)), **call.headers}
    if packing:
        headers["Accept-Encoding"] = "gzip"
    return OutgoingRequest(method=call.method, path=path, headers=tuple(headers.items()), body=call.body)


def _trusting(target: ConnectTarget) -> ssl.SSLContext | None:
    return context_of(target.ca) if target.secure else None


@lru_cache(maxsize=128)
def context_of(ca: bytes | None) -> ssl.SSLContext:
    """Return the client's side of TLS, made once for each set of authorities."""
    return client_context(ca)


def unpack(body: bytes, limit: int = 0) -> bytes:
    """Return the content of a packed body, of at most so many bytes.

    Raises NoAnswerError when it is too large, cut off or no gzip.
    """
    byte_limit = limit or MAX_ANSWER_BYTES
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        content = unpacker.decompress(body, byte_limit)
    except zlib.error as error:
        raise NoAnswerError("gzip: invalid header") from error
    # Bounded while it is unpacked: a small body may hold gigabytes.
    if unpacker.unconsumed_tail:
        raise NoAnswerError(TOO_LARGE.format(byte_limit))
    if not unpacker.eof:
        raise NoAnswerError("unexpected EOF")
    return content


def next_call(call: Call, result: CallResult) -> Call | None:
    """Return the call that a redirect asks for; None when the answer is none, or does not say where to go.

    Raises NoAnswerError for a place that cannot be read.
    """
    location = next((value for name, value in result.headers if name == "location"), "")
    if result.code not in SAME_METHOD_REDIRECTS | GET_REDIRECTS or not location:
        return None
    url = _join(call.url, location)
    # The address of the Service holds for its own host only.
    same_host = urlsplit(url).netloc == urlsplit(call.url).netloc
    redirected_call = replace(call, url=url, address=call.address if same_host else None)
    if result.code in SAME_METHOD_REDIRECTS:
        return redirected_call
    # Go drops the body with the method, and what describes it.
    headers = {name: value for name, value in call.headers.items() if name.lower() != "content-type"}
    return replace(redirected_call, method="GET", headers=headers, body=b"")


def retry_delay(result: CallResult) -> float | None:
    """Return the seconds after which a busy server wants to be asked once more; None when it does not say."""
    if result.code != TOO_MANY_REQUESTS and result.code < SERVER_ERRORS:
        return None
    retry_after = next((value for name, value in result.headers if name == "retry-after"), "")
    readable = retry_after.isascii() and retry_after.isdecimal() and len(retry_after) <= LONGEST_DELAY_DIGITS
    return float(retry_after) if readable else None


def _join(base: str, location: str) -> str:
    try:
        url = urljoin(base, location)
        urlsplit(url)
    except ValueError as error:
        why = "missing ']' in host" if "[" in location else "invalid character in host name"
        raise NoAnswerError(
            f'failed to parse Location header "{location}": parse "{location}": {why}'
        ) from error
    return url
