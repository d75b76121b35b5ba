"""The server side of TLS: its certificate and the authorities of its clients can be exchanged while it runs.

The standard library can add authorities to a context, never take one away. Each exchange therefore makes a
context, and every new connection uses the newest.
"""

from __future__ import annotations

import ssl
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from .certificates import Identity

NO_CHECK_TIME: Final = ssl.VerifyFlags(0x200000)
"""X509_V_FLAG_NO_CHECK_TIME of OpenSSL: an expired certificate reaches the handler, which answers 401."""


def server_context(identity: Identity, authorities: bytes = b"") -> ssl.SSLContext:
    """Return the settings of a server; with authorities (PEM)
    a client is asked for a certificate and may have none.

    Raises ssl.SSLError and ValueError when a certificate or a key cannot be used.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.sslobject_class = _Handshake
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    with TemporaryDirectory(prefix="serving-") as folder:  # ssl reads files only
        files = Path(folder, "tls.crt"), Path(folder, "tls.key")
        files[0].write_bytes(identity.certificate)
        files[1].touch(0o600)
        files[1].write_bytes(identity.key)
        context.load_cert_chain(*files)
    if authorities:
        # Optional: most clients come through the API server or bring a token.
        context.verify_mode = ssl.CERT_OPTIONAL
        # An expired certificate is judged by the authenticator, whose refusal has a
        # text; a handshake has none.
        context.verify_flags |= NO_CHECK_TIME
        context.load_verify_locations(cadata=authorities.decode("ascii"))
    return context


class NewestContext(ssl.SSLContext):
    """The context of a listening socket: each connection gets the one that is `newest` when it begins."""

    newest: ssl.SSLContext

    @classmethod
    def of(cls, context: ssl.SSLContext) -> NewestContext:
        """Return a context that begins with this one."""
        tls_context = cls(ssl.PROTOCOL_TLS_SERVER)
        tls_context.newest = context
        return tls_context

    def wrap_bio(self, *args: Any, **kwargs: Any) -> ssl.SSLObject:
        """Begin a connection."""
        return self.newest.wrap_bio(*args, **kwargs)


class _Handshake(ssl.SSLObject):
    """A handshake whose refusal of a client's certificate is sent to the client.

    An event loop drops a connection at the first error of a handshake, together with the alert that is not
    yet written; asked once more for data it writes the alert first.
    """

    _refusal: ssl.SSLError | None = None

    def do_handshake(self) -> None:
        """Continue the handshake; a refusal is raised when the client sends again or closes."""
        if self._refusal is not None:
            raise self._refusal
        try:
            super().do_handshake()
        except ssl.SSLCertVerificationError as error:
            self._refusal = error
            # The loop asks for more data and writes the alert first.
            raise ssl.SSLWantReadError from error
