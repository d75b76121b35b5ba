"""Performs Calls: HTTP(S) requests to webhooks and extension servers, on connections that are kept for the next one (FK-306).

Failures come back as the text that the real server, written in Go, gives them (FK-309…312).
"""

from __future__ import annotations

import asyncio
import ssl
from functools import lru_cache
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from ...api.outcome import Call, CallResult
from . import golang_errors, local
from .exchange import Cut, Exchange, Malformed, TooLarge
from .local import NOBODY, Inside
from .redirects import redirected, told_delay

REDIRECTS = RETRIES = 10
IDLE = 8
"""Connections kept for one server."""
Link = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Target(Struct, frozen=True):
    """Whom a call connects to, and as whom that one must show itself."""

    host: str
    port: int
    name: str
    ca: bytes | None
    secure: bool

    @classmethod
    def of(cls, call: Call, url: SplitResult) -> Target:
        """Return the target of a call."""
        secure, name = url.scheme == "https", url.hostname or ""
        port = url.port or (443 if secure else 80)
        host = call.address.host if call.address else name
        return cls(host, call.address.port if call.address else port, name, call.ca, secure)


class Caller:
    """Makes calls and keeps idle connections. Some URLs may be answered by functions of this process instead."""

    def __init__(self, inside: Inside = NOBODY) -> None:
        self._idle: dict[Target, list[Link]] = {}
        self._inside = inside

    async def perform(self, call: Call) -> CallResult:
        """Send the request and return the answer, or the text of why there is none."""
        function = self._inside.get(call.url.partition("?")[0])
        if call.unreachable and function is None:
            return CallResult(error=call.unreachable)
        began = asyncio.get_running_loop().time()
        answer = self._answered(call) if function is None else local.answered(function, call)
        result = await answer
        return replace(result, seconds=asyncio.get_running_loop().time() - began)

    async def _answered(self, call: Call) -> CallResult:
        url = urlsplit(call.url)
        target = Target.of(call, url)
        try:
            async with asyncio.timeout(call.timeout):
                return await self._followed(call)
        except TimeoutError:
            return CallResult(error="context deadline exceeded")
        except Cut as cut:
            return CallResult(error=str(cut))
        except TooLarge:
            return CallResult(error="http: response body too large")
        except Malformed as error:
            return CallResult(error=golang_errors.malformed(error.line))
        except OSError as error:
            return CallResult(error=await golang_errors.told(error, target))

    def close(self) -> None:
        """Close the idle connections."""
        for links in self._idle.values():
            for _, writer in links:
                writer.transport.abort()
        self._idle.clear()

    async def _followed(self, call: Call) -> CallResult:
        redirects = retries = 0
        while redirects < REDIRECTS:
            url = urlsplit(call.url)
            result = await self._ask(call, url, Target.of(call, url))
            further = redirected(call, result) if call.follow else None
            wait = told_delay(result) if call.follow and retries < RETRIES else None
            if further is not None:
                call, redirects = further, redirects + 1
            elif wait is not None:
                retries += 1
                await asyncio.sleep(wait)
            else:
                return result
        return CallResult(error=f"stopped after {REDIRECTS} redirects")

    async def _ask(self, call: Call, url: SplitResult, target: Target) -> CallResult:
        kept = self._kept(target)
        if kept is not None:
            try:
                return await self._exchange(call, url, target, kept)
            except (Cut, ConnectionError):
                # It went away while it was idle: nothing was answered, so the request is sent once more.
                pass
        return await self._exchange(call, url, target, await _connected(target))

    async def _exchange(self, call: Call, url: SplitResult, target: Target, link: Link) -> CallResult:
        exchange = Exchange(call, url)
        try:
            result = await exchange.run(*link)
        except BaseException:
            link[1].transport.abort()
            raise
        if exchange.keep_alive and len(self._idle.setdefault(target, [])) < IDLE:
            self._idle[target].append(link)
        else:
            link[1].close()
        return result

    def _kept(self, target: Target) -> Link | None:
        links = self._idle.get(target, [])
        while links:
            reader, writer = links.pop()
            if not reader.at_eof() and not writer.is_closing():
                return reader, writer
            writer.close()
        return None


async def _connected(target: Target) -> Link:
    context = context_of(target.ca) if target.secure else None
    name = target.name if context else None
    return await asyncio.open_connection(target.host, target.port, ssl=context, server_hostname=name)


@lru_cache(maxsize=128)
def context_of(ca: bytes | None) -> ssl.SSLContext:
    """Return the client's side of TLS: what the given authorities signed is trusted, or what this machine trusts."""
    context = ssl.create_default_context(cadata=ca.decode() if ca else None)
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    context.hostname_checks_common_name = False
    context.set_alpn_protocols(["http/1.1"])
    return context
