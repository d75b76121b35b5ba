"""A subject that runs where we do not see it: nothing is known of what it prints, nor whether it still lives."""

from __future__ import annotations

from .log import Line


class Unseen:
    """What is the same of every one; each is ended in its own way."""

    def ended(self) -> str:
        """Return nothing: it cannot be known, or somebody else starts it again."""
        return ""

    def log(self) -> list[Line]:
        """Return nothing: it prints where we do not see it."""
        return []

    def stop(self, seconds: float) -> bool:
        """End it; whoever runs it takes the time that it needs."""
        del seconds
        self.kill()
        return True

    def kill(self) -> None:
        """Leave it alone: whoever started it has to end it."""
