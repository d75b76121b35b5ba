"""A recording proxy that runs beside whatever else the process does."""

from __future__ import annotations

from types import TracebackType
from typing import IO, Self

from ..auth.certificates import Authority
from ..cluster import kubeconfig
from ..server.threads.loop import LoopThread
from .proxy import Proxy
from .redaction import redact
from .transcript import Exchange
from .upstream import Upstream


class Recorder:
    """Writes every finished exchange to a file, without the values of Secrets and without tokens.

    Use it in a `with` block.
    """

    def __init__(self, upstream: Upstream, file: IO[bytes], port: int = 0) -> None:
        self._authority = Authority.fresh()
        self._proxy = Proxy(upstream, self._keep)
        self._file = file
        self._port = port
        self._thread = LoopThread.share()
        self.url = ""

    @property
    def kubeconfig(self) -> str:
        """What clients need to be recorded."""
        return kubeconfig.render(
            server=self.url, user="recorded", token=self._proxy.token, ca=self._authority.pem
        )

    def __enter__(self) -> Self:
        try:
            port = self._thread.run(self._proxy.start(self._port, self._authority.server_context))
        except OSError:
            # The thread is shared; without this a port that is taken would leave it running.
            self._thread.release()
            raise
        self.url = f"https://127.0.0.1:{port}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        del kind, error, trace
        self._thread.run(self._proxy.stop())
        self._thread.release()

    def _keep(self, exchange: Exchange) -> None:
        self._file.write(redact(exchange).line())
        # A recording that is cut off is still a transcript up to there.
        self._file.flush()
