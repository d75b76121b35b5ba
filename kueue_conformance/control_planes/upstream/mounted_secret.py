"""A Secret as a folder of files that is kept up to date, as a kubelet mounts it for a pod."""

from __future__ import annotations

import base64
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

from ...base.errors import EnvironmentProblem
from ...wire.client import ApiError, Client

_POLL_SECONDS = 0.2


class MountedSecret:
    """A context manager: inside, the files have the Secret's data."""

    def __init__(self, client: Client, namespace: str, name: str, folder: Path) -> None:
        self._client = client
        self._path = f"/api/v1/namespaces/{namespace}/secrets/{name}"
        self._folder = folder
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True, name=f"Secret {name}")

    def __enter__(self) -> Self:
        self._folder.mkdir()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending.set()
        self._thread.join()

    def _follow(self) -> None:
        while not self._ending.wait(_POLL_SECONDS):
            try:
                files = self._client.call("GET", self._path).get("data") or {}
            except (ApiError, EnvironmentProblem):
                continue
            for name, value in files.items():
                self._write(self._folder / name, base64.b64decode(value))

    def _write(self, file: Path, content: bytes) -> None:
        if file.exists() and file.read_bytes() == content:
            return
        new = file.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_bytes(content)
        new.replace(file)
