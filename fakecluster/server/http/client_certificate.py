"""Who is at the other end of a connection, as far as its client certificate tells (FK-390)."""

from __future__ import annotations

import hashlib
import ssl
import time
from typing import Any, Self

from msgspec import Struct

from ...api.outcome import User

UID = "1.3.6.1.4.1.57683.2"
"""The attribute of a subject that is the uid of the user."""
CREDENTIAL_ID = "authentication.kubernetes.io/credential-id"


class ClientCertificate(Struct, frozen=True, kw_only=True):
    """The names in a client certificate that one of our authorities signed,
    and from when to when it is good.
    """

    certificate: bytes = b""
    """The certificate itself, DER; empty when none was shown."""
    user: str = ""
    uid: str = ""
    groups: tuple[str, ...] = ()
    not_before: float = 0.0
    not_after: float = float("inf")

    @classmethod
    def of(cls, certificate: dict[str, Any] | None, encoded: bytes | None) -> Self:
        """Read user (CN, the last where there are several), uid and groups (O) from a certificate whose
        signature is verified, and keep it as it is `encoded`, DER.
        """
        if not certificate:
            return cls()
        names = [pair for relative_name in certificate.get("subject", ()) for pair in relative_name]
        # Of several names of a kind the last one counts, as in Go's pkix.Name.
        last = dict(names)
        return cls(
            certificate=encoded or b"",
            user=last.get("commonName", ""),
            uid=last.get(UID, ""),
            groups=tuple(value for key, value in names if key == "organizationName"),
            not_before=ssl.cert_time_to_seconds(certificate["notBefore"]),
            not_after=ssl.cert_time_to_seconds(certificate["notAfter"]),
        )

    @property
    def identity(self) -> User | None:
        """The user that the certificate names, None when there is none."""
        if not self.user:
            return None
        credential = f"X509SHA256={hashlib.sha256(self.certificate).hexdigest()}"
        return User(name=self.user, uid=self.uid, groups=self.groups, extra={CREDENTIAL_ID: (credential,)})

    @property
    def timely(self) -> bool:
        """Whether the certificate is good now, in real time as all certificates;
        a connection may outlive it.
        """
        return self.not_before <= time.time() <= self.not_after


ANONYMOUS_PEER = ClientCertificate()
