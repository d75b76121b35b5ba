"""A server's certificate in a folder: `tls.crt` and `tls.key`, read again when they change (VIS-803).

A folder without them gets a certificate of its own, and the authority that has signed it as `ca.crt`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ..errors import OutsideError
from .certificates import Identity, fresh
from .tls import server_context

CERTIFICATE, KEY, AUTHORITY = "tls.crt", "tls.key", "ca.crt"
OWNER_ONLY: Final = 0o600


class CertificateFolder:
    """A folder as a kubelet mounts a Secret, or as an administrator keeps it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self, names: Sequence[str]) -> Identity:
        """Return the identity in the folder; where there is none, make one for these names and write it.

        Raises OutsideError.
        """
        try:
            if not (self.path / CERTIFICATE).exists() and not (self.path / KEY).exists():
                self._write(fresh(names))
            identity = self.read()
            server_context(identity)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise OutsideError(f"cannot use the certificates in {self.path}: {reason}") from None
        return identity

    def read(self) -> Identity:
        """Return the identity in the folder. Its authority is `ca.crt`, or else the certificate itself.

        Raises OSError.
        """
        certificate, key = ((self.path / name).read_bytes() for name in (CERTIFICATE, KEY))
        authority = self.path / AUTHORITY
        return Identity(certificate, key, authority.read_bytes() if authority.exists() else certificate)

    def _write(self, identity: Identity) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        (self.path / AUTHORITY).write_bytes(identity.authority)
        (self.path / CERTIFICATE).write_bytes(identity.certificate)
        descriptor = os.open(self.path / KEY, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY)
        with os.fdopen(descriptor, "wb") as file:
            file.write(identity.key)
