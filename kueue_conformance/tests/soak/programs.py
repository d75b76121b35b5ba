"""A program of the stack: started, killed, started again, measured."""

import contextlib
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path

READY_SECONDS = 120.0
STOP_SECONDS = 20.0


@dataclass(frozen=True, kw_only=True)
class Resources:
    """What a process holds: resident bytes, open descriptors, threads."""

    bytes: int
    descriptors: int
    threads: int


class Program:
    """A command, with a process of it at a time; what it prints goes into a file."""

    def __init__(self, name, command, folder, ready_word="ready"):
        """`ready_word` begins the line by which it says that it works; empty for one that says nothing."""
        self.name = name
        self.starts = 0
        self.log = folder / f"{name}.log"
        self._command = [str(word) for word in command]
        self._ready_word = ready_word
        self._process = None
        self._is_stopping = False

    def start(self):
        """Start it and wait until it is ready. Raises RuntimeError."""
        self.starts += 1
        begins_at = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as file:
            self._process = subprocess.Popen(self._command, stdout=file, stderr=file)
        if self._ready_word:
            self._await_ready(begins_at)

    def _await_ready(self, begins_at):
        waited = 0.0
        while waited < READY_SECONDS and self._process.poll() is None:
            with self.log.open("rb") as file:
                file.seek(begins_at)
                if any(line.startswith(self._ready_word.encode()) for line in file):
                    return
            threading.Event().wait(0.1)
            waited += 0.1
        raise RuntimeError(f"{self.name} does not become ready: {self._last_words()}")

    def kill(self):
        """End it as a crash does."""
        self._process.kill()
        self._process.wait()

    def stop(self):
        """Ask it to end, and kill it where it does not."""
        self._is_stopping = True
        if self._process is None or self._process.poll() is not None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()

    def resources(self):
        """Return what the process holds; None while there is none."""
        with contextlib.suppress(OSError, LookupError, ValueError):
            folder = Path(f"/proc/{self._process.pid}")
            status = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
            return Resources(
                bytes=int(status["VmRSS"].split()[0]) * 1024,
                descriptors=len(list((folder / "fd").iterdir())),
                threads=int(status["Threads"]),
            )
        return None

    def findings(self):
        """Yield what a program must not have done: ended of itself, printed a traceback."""
        if self._process.poll() is not None and not self._is_stopping:
            yield f"{self.name} ended with exit code {self._process.returncode}: {self._last_words()}"
        text = self.log.read_text("utf-8", "replace")
        if (at := text.find("Traceback (most recent call last)")) >= 0:
            yield f"{self.name} printed a traceback: {text[max(0, at - 300) : at + 2000]}"

    def _last_words(self):
        return self.log.read_text("utf-8", "replace")[-2000:]
