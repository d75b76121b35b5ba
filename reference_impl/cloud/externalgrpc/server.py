"""Serves a model to any cluster-autoscaler over the `externalgrpc` protocol, without TLS."""

from __future__ import annotations

import asyncio
import math
import re
from typing import Any, Final

import grpc

from reference_impl.externalgrpc.messages import METHODS, SERVICE
from reference_impl.runtime.clock import Clock, pause
from reference_impl.runtime.errors import OutsideError

from ..actions import CallRefusal
from ..model import CloudModel
from .answers import CloudProviderResponses

STOP_SECONDS: Final = 0.5
CAPITAL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


class CloudServer:
    """Listens from `start` to `stop`; port 0 takes a free one."""

    name = "externalgrpc"

    def __init__(self, model: CloudModel, clock: Clock, host: str, port: int) -> None:
        self._clock, self._host, self.port = clock, host, port
        self._answers = CloudProviderResponses(model).by_name
        self._server: Any = None

    async def start(self) -> None:
        """Begin to answer. Raises OutsideError where the address cannot be used."""
        self._server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
        handlers = {name: self._handler(name) for name in METHODS}
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
        host = f"[{self._host}]" if ":" in self._host else self._host
        try:
            self.port = self._server.add_insecure_port(f"{host}:{self.port}")
        except RuntimeError:
            raise OutsideError(
                f"cannot listen on {host}:{self.port}: it is in use, or not of this machine; choose another --address"
            ) from None
        await self._server.start()

    async def stop(self) -> None:
        """Stop answering."""
        await self._server.stop(STOP_SECONDS)

    def _handler(self, name: str) -> Any:
        method = METHODS[name]

        async def call(request: Any, context: Any) -> Any:
            try:
                return self._answers[name](request)
            except CallRefusal as refusal:
                await self._hang(refusal.hangs_seconds)
                await context.abort(_code(refusal.code), refusal.message)

        return grpc.unary_unary_rpc_method_handler(
            call,
            request_deserializer=method.request.FromString,
            response_serializer=method.response.SerializeToString,
        )

    async def _hang(self, seconds: float) -> None:
        """Give no answer for so long; where that is for ever, until the caller no longer waits."""
        if math.isinf(seconds):
            await asyncio.Event().wait()
        elif seconds:
            await pause(self._clock, seconds)


def _code(name: str) -> grpc.StatusCode:
    return grpc.StatusCode[CAPITAL.sub("_", name).upper()]
