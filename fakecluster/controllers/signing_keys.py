"""The private keys of a cluster that its controllers sign with."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ..auth.authentication.jwt import Signer

if TYPE_CHECKING:
    from ..auth.certificates import Authority, Certificates


class SigningKeys(Struct, frozen=True, dict=True):
    """The key of service account tokens, and the certificates of the server,
    None when it serves without TLS.
    """

    tokens: Signer = field(default_factory=Signer)
    certificates: Certificates | None = None

    @cached_property
    def authority(self) -> Authority | None:
        """What signs certificates: the server's authority, a new one where it serves without TLS, None where
        the authority's key is not here.
        """
        from ..auth.certificates import Authority  # takes a while to load, and most clusters sign nothing

        if self.certificates is None:
            return Authority.fresh()
        return self.certificates if isinstance(self.certificates, Authority) else None
