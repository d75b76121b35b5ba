"""What the signers of Kubernetes itself sign (FK-495).

The order of the checks is that of kube-controller-manager, for the first that fails is what users read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from cryptography.x509 import CertificateSigningRequest

DNS, ADDRESS, EMAIL, URI = "DNS", "IP", "Email", "URI"
"""Kinds of subject alternative names."""
NODES, NODE = "system:nodes", "system:node:"
KUBELET_CLIENT = "kubernetes.io/kube-apiserver-client-kubelet"
KEY_ENCIPHERMENT = "key encipherment"


class CertificateSubject(Struct, frozen=True):
    """Whom a request names, and the kinds of further names that it asks for."""

    common_name: str
    organizations: tuple[str, ...]
    alternatives: frozenset[str]


Check = Callable[[CertificateSubject, Collection[str]], str]
"""Returns why a request is not signed; empty when it is."""


def subject_of(request: CertificateSigningRequest) -> CertificateSubject:
    """Return the subject of a request."""
    from cryptography import x509  # takes a while to load, and few look at certificates
    from cryptography.x509.oid import NameOID

    types = (
        (x509.DNSName, DNS),
        (x509.IPAddress, ADDRESS),
        (x509.RFC822Name, EMAIL),
        (x509.UniformResourceIdentifier, URI),
    )
    try:
        names = list(request.extensions.get_extension_for_class(x509.SubjectAlternativeName).value)
    except x509.ExtensionNotFound:
        names = []
    common, organizations = (
        [str(attribute.value) for attribute in request.subject.get_attributes_for_oid(oid)]
        for oid in (NameOID.COMMON_NAME, NameOID.ORGANIZATION_NAME)
    )
    kinds = frozenset(kind for name in names for type_, kind in types if isinstance(name, type_))
    return CertificateSubject(common[-1] if common else "", tuple(organizations), kinds)


def client_problem(subject: CertificateSubject, usages: Collection[str]) -> str:
    """Return why no certificate of a client of the API server is signed."""
    del subject
    for usage in usages:
        if usage not in {"digital signature", KEY_ENCIPHERMENT, "client auth"}:
            return f"invalid usage for client certificate: {usage}"
    return "" if "client auth" in usages else "missing required usage for client certificate: client auth"


def kubelet_client_problem(subject: CertificateSubject, usages: Collection[str]) -> str:
    """Return why no certificate by which a kubelet is a client is signed."""
    if subject.organizations != (NODES,):
        return "subject organization is not system:nodes"
    for kind in (DNS, EMAIL, ADDRESS, URI):
        if kind in subject.alternatives:
            return f"{kind} subjectAltNames are not allowed"
    return _node_problem(subject) or _usages_problem(usages, ("client auth", "digital signature"))


def kubelet_serving_problem(subject: CertificateSubject, usages: Collection[str]) -> str:
    """Return why no certificate by which a kubelet serves is signed."""
    if subject.organizations != (NODES,):
        return "subject organization is not system:nodes"
    if not subject.alternatives & {DNS, ADDRESS}:
        return "DNS or IP subjectAltName is required"
    for kind in (EMAIL, URI):
        if kind in subject.alternatives:
            return f"{kind} subjectAltNames are not allowed"
    return _usages_problem(usages, ("digital signature", "server auth")) or _node_problem(subject)


def _node_problem(subject: CertificateSubject) -> str:
    return (
        "" if subject.common_name.startswith(NODE) else "subject common name does not begin with system:node:"
    )


def _usages_problem(usages: Collection[str], required: tuple[str, ...]) -> str:
    if {*usages} - {KEY_ENCIPHERMENT} == {*required}:
        return ""
    return f"usages did not match [{' '.join(sorted((*required, KEY_ENCIPHERMENT)))}]"


def _no_problem(subject: CertificateSubject, usages: Collection[str]) -> str:
    del subject, usages
    return ""


SIGNERS: Mapping[str, Check] = {
    "kubernetes.io/kube-apiserver-client": client_problem,
    KUBELET_CLIENT: kubelet_client_problem,
    "kubernetes.io/kubelet-serving": kubelet_serving_problem,
    "kubernetes.io/legacy-unknown": _no_problem,
}
