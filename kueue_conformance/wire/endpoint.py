"""An API server for a client: its address, its CA, and the credentials of the users in vectors."""

from __future__ import annotations

import csv
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

USERS: Mapping[str, tuple[str, ...]] = {"admin": ("system:masters",), "alice": ("devs", "qa"), "bob": ()}
"""The users that vectors are asked by, with their groups."""

TOKEN = "{}-token"  # noqa: S105 - the form of a name, of no use elsewhere
"""Their bearer tokens: some exchanges send one in a body, so it has to be known.

The server lives on loopback for one run.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A server's address, and by user the headers that make a request that user's."""

    url: str
    users: Mapping[str, Sequence[tuple[str, str]]]
    tls: ssl.SSLContext | None = None
    anonymous_tls: ssl.SSLContext | None = None
    """Shows no certificate of a client, as `tls` may."""

    def token(self, user: str) -> str:
        """Return the bearer token of a user, empty for a user with other credentials."""
        value = dict(self.users[user]).get("Authorization", "")
        return value.removeprefix("Bearer ")

    @classmethod
    def by_token(cls, url: str, tokens: Mapping[str, str], ca: Path | None = None) -> Self:
        """Return a server that knows its users by bearer tokens."""
        # One context for both: a token is a header, so TLS itself shows no user.
        tls = ssl.create_default_context(cafile=ca) if url.startswith("https:") else None
        users = {name: [("Authorization", f"Bearer {token}")] for name, token in tokens.items()}
        return cls(url=url, users=users, tls=tls, anonymous_tls=tls)


def tokens(file: Path) -> dict[str, str]:
    """Return the bearer token of each user of a token file."""
    # newline="": the csv module reads line ends itself.
    with file.open(encoding="utf-8", newline="") as lines:
        return {row[1]: row[0] for row in csv.reader(lines) if len(row) > 1}
