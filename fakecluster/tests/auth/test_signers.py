"""Certificate requests are approved and signed by users with a right on the signer (FK-495)."""

from __future__ import annotations

from base64 import b64encode

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from fakecluster import FakeCluster
from fakecluster.auth.certificates import Authority
from fakecluster.tests.auth.rights import ADMIN, allow, is_forbidden, rule

GROUP = "certificates.k8s.io"
REQUESTS = f"/apis/{GROUP}/v1/certificatesigningrequests"
WRITER = rule("patch", "certificatesigningrequests/approval certificatesigningrequests/status", GROUP)
KEY = ec.generate_private_key(ec.SECP256R1())
CLIENT = "kubernetes.io/kube-apiserver-client"


def request(signer, organization):
    subject = ((NameOID.ORGANIZATION_NAME, organization), (NameOID.COMMON_NAME, "jane"))
    name = x509.Name([x509.NameAttribute(oid, value) for oid, value in subject])
    signed = x509.CertificateSigningRequestBuilder(name).sign(KEY, hashes.SHA256())
    pem = signed.public_bytes(serialization.Encoding.PEM)
    usages = {"usages": ["digital signature", "client auth"]}
    return {
        "metadata": {"name": "jane"},
        "spec": {"request": b64encode(pem).decode(), "signerName": signer, **usages},
    }


REQUEST = request("a.example/one", "devs")
APPROVED, FAILED = (
    {"conditions": [{"type": name, "status": "True", "reason": "ByHand"}]} for name in ("Approved", "Failed")
)
CERTIFICATE = {"certificate": b64encode(Authority.fresh().pem).decode()}


def start(*disabled):
    return FakeCluster(authorization="rbac", controllers="none", disabled_admission_plugins=disabled)


@pytest.fixture
def cluster():
    with start() as cluster:
        cluster.request("POST", REQUESTS, REQUEST)
        allow(cluster, WRITER)
        yield cluster


def right(verb, name):
    return rule(verb, "signers", GROUP, name)


DECISIONS = [
    pytest.param("approval", APPROVED, [], True, id="approval"),
    pytest.param("approval", APPROVED, [right("approve", "a.example/one")], False, id="approval-by-approve"),
    pytest.param("approval", APPROVED, [right("approve", "a.example/*")], False, id="approval-by-approve-for-the-domain"),
    pytest.param("approval", APPROVED, [right("approve", "a.example/two")], True, id="approval-by-approve-for-another-signer"),
    pytest.param("approval", APPROVED, [right("approve", "b.example/*")], True, id="approval-by-approve-for-another-domain"),
    pytest.param("approval", APPROVED, [right("sign", "a.example/one")], True, id="approval-by-sign"),
    pytest.param("approval", {}, [], True, id="approval-without-a-change"),
    pytest.param("status", CERTIFICATE, [], True, id="certificate"),
    pytest.param("status", CERTIFICATE, [right("sign", "a.example/one")], False, id="certificate-by-sign"),
    pytest.param("status", CERTIFICATE, [right("sign", "a.example/two")], True, id="certificate-by-sign-for-another-signer"),
    pytest.param("status", CERTIFICATE, [right("approve", "a.example/one")], True, id="certificate-by-approve"),
    pytest.param("status", FAILED, [], True, id="failure"),
    pytest.param("status", FAILED, [right("sign", "a.example/*")], False, id="failure-by-sign-for-the-domain"),
    pytest.param("status", {}, [], False, id="status-without-a-change"),
]  # fmt: skip


@pytest.mark.parametrize(("subresource", "status", "rights", "forbidden"), DECISIONS)
def test_a_decision_about_a_certificate_needs_a_right_on_its_signer(
    cluster, subresource, status, rights, forbidden
):
    allow(cluster, *rights)

    patch = {"status": status}
    assert is_forbidden(cluster, "PATCH", f"{REQUESTS}/jane/{subresource}", patch) is forbidden


PLUGINS = [
    pytest.param("CertificateApproval", (False, True), id="approval"),
    pytest.param("CertificateSigning", (True, False), id="signing"),
]


@pytest.mark.parametrize(("plugin", "forbidden"), PLUGINS)
def test_a_plugin_that_is_disabled_asks_for_no_right(plugin, forbidden):
    with start(plugin) as cluster:
        cluster.request("POST", REQUESTS, REQUEST)
        allow(cluster, WRITER)

        approval = is_forbidden(cluster, "PATCH", f"{REQUESTS}/jane/approval", {"status": APPROVED})
        signing = is_forbidden(cluster, "PATCH", f"{REQUESTS}/jane/status", {"status": CERTIFICATE})

    assert (approval, signing) == forbidden


ORGANIZATIONS = [
    pytest.param(CLIENT, "system:masters", True, id="client-of-masters"),
    pytest.param(CLIENT, "devs", False, id="client-of-another-group"),
    pytest.param("a.example/one", "system:masters", False, id="another-signer"),
]


@pytest.mark.parametrize(("signer", "organization", "forbidden"), ORGANIZATIONS)
def test_a_client_certificate_of_system_masters_is_forbidden_to_every_user(signer, organization, forbidden):
    with start() as cluster:
        body = request(signer, organization)

        assert is_forbidden(cluster, "POST", REQUESTS, body, ADMIN) is forbidden
