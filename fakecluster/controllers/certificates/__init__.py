"""CertificateSigningRequests are approved, signed and cleaned up (FK-495)."""

from .controller import CertificateController

__all__ = ["CertificateController"]
