"""CertificateSigningRequests are approved, signed by the cluster's authority, and cleaned up (FK-495)."""

import datetime as dt
import ipaddress
import json
import ssl
import urllib.request
from base64 import b64decode, b64encode
from types import SimpleNamespace

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from fakecluster import FakeCluster
from fakecluster.auth.certificates import private_pem
from fakecluster.controllers.certificates import signers
from fakecluster.controllers.certificates.signers import ADDRESS, DNS, EMAIL, URI, CertificateSubject

REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
CLIENT = "kubernetes.io/kube-apiserver-client"
KUBELET_CLIENT, KUBELET_SERVING = (
    "kubernetes.io/kube-apiserver-client-kubelet",
    "kubernetes.io/kubelet-serving",
)
KEY = ec.generate_private_key(ec.SECP256R1())
APPROVED = {"type": "Approved", "status": "True", "reason": "ByHand"}
CLIENT_USAGES = ("digital signature", "client auth")


def signing_request(common="jane", *organizations, names=()):
    oids = [
        *((NameOID.ORGANIZATION_NAME, organization) for organization in organizations),
        (NameOID.COMMON_NAME, common),
    ]
    builder = x509.CertificateSigningRequestBuilder(x509.Name([x509.NameAttribute(*oid) for oid in oids]))
    if names:
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return builder.sign(KEY, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def ask(world, request, signer=CLIENT, usages=CLIENT_USAGES, **spec):
    spec = {"request": b64encode(request).decode(), "signerName": signer, "usages": list(usages), **spec}
    return world.ask(
        "POST",
        REQUESTS,
        {
            "apiVersion": "certificates.k8s.io/v1",
            "kind": "CertificateSigningRequest",
            "metadata": {"name": "r"},
            "spec": spec,
        },
    )


def decide(world, condition=APPROVED):
    request = world.ask("GET", f"{REQUESTS}/r")
    world.ask("PUT", f"{REQUESTS}/r/approval", {**request, "status": {"conditions": [condition]}})
    return world.ask("GET", f"{REQUESTS}/r")


def certificate(request):
    return x509.load_pem_x509_certificate(b64decode(request["status"]["certificate"]))


def conditions(request):
    return [
        (condition["type"], condition["reason"], condition.get("message", ""))
        for condition in request["status"].get("conditions", ())
    ]


@pytest.fixture
def signing(make_world, authority):
    return make_world("all", authority)


def test_an_approved_request_is_signed_fk_495(signing, authority):
    ask(signing, signing_request("jane", "devs", "qa"))
    issued = certificate(decide(signing))

    issued.verify_directly_issued_by(authority.certificate)
    assert issued.subject.rfc4514_string() == "CN=jane,O=qa,O=devs"
    usages = issued.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert [usage.dotted_string for usage in usages] == ["1.3.6.1.5.5.7.3.2"]
    assert issued.extensions.get_extension_for_class(x509.BasicConstraints).value.ca is False


@pytest.mark.parametrize(
    ("seconds", "life"),
    [(None, 365 * 24 * 3600), (3600, 3900), (8 * 3600, 8 * 3600), (2**31 - 1, 365 * 24 * 3600)],
    ids=["a year", "an hour", "eight hours", "too long"],
)
def test_a_certificate_lives_as_long_as_was_asked_fk_495(signing, seconds, life):
    ask(signing, signing_request(), **({"expirationSeconds": seconds} if seconds else {}))
    issued = certificate(decide(signing))

    assert issued.not_valid_after_utc - issued.not_valid_before_utc == dt.timedelta(seconds=life)


def test_a_serving_certificate_has_the_names_that_were_asked_for_fk_495(signing):
    names = [x509.IPAddress(ipaddress.ip_address("10.0.0.1")), x509.DNSName("n1")]
    usages = ("digital signature", "key encipherment", "server auth")
    ask(signing, signing_request("system:node:n1", "system:nodes", names=names), KUBELET_SERVING, usages)
    issued = certificate(decide(signing)).extensions

    alternatives = issued.get_extension_for_class(x509.SubjectAlternativeName).value
    assert list(alternatives) == list(reversed(names))
    key_usage = issued.get_extension_for_class(x509.KeyUsage)
    assert (key_usage.critical, key_usage.value.key_encipherment, key_usage.value.key_agreement) == (
        True,
        True,
        False,
    )


@pytest.mark.parametrize(
    "condition", [{"type": "Denied", "status": "True", "reason": "No"}, None], ids=["denied", "pending"]
)
def test_what_is_not_approved_is_not_signed_fk_495(signing, condition):
    ask(signing, signing_request())
    decided = decide(signing, condition) if condition else signing.ask("GET", f"{REQUESTS}/r")

    assert "certificate" not in decided["status"]


def test_other_signers_are_left_to_others_fk_495(signing):
    ask(signing, signing_request(), "example.com/mine")

    assert "certificate" not in decide(signing)["status"]


def test_without_the_key_of_the_authority_nothing_is_signed_fk_495(make_world):
    world = make_world("all", SimpleNamespace())
    ask(world, signing_request())

    assert conditions(decide(world)) == [("Approved", "ByHand", "")]


def test_a_request_that_its_signer_does_not_allow_fails_fk_495(signing):
    ask(signing, signing_request(), usages=("server auth",))
    decided = decide(signing)

    assert conditions(decided)[1] == (
        "Failed",
        "SignerValidationFailure",
        "invalid usage for client certificate: server auth",
    )
    assert "certificate" not in decided["status"]


def test_a_kubelet_is_approved_without_a_person_fk_495(signing):
    ask(signing, signing_request("system:node:n1", "system:nodes"), KUBELET_CLIENT)
    signed = signing.ask("GET", f"{REQUESTS}/r")

    message = "Auto approving kubelet client certificate after SubjectAccessReview."
    assert conditions(signed) == [("Approved", "AutoApproved", message)]
    assert certificate(signed).subject.rfc4514_string() == "CN=system:node:n1,O=system:nodes"


NODE = CertificateSubject("system:node:n", ("system:nodes",), frozenset())
CLIENTS, SERVING = {"digital signature", "client auth"}, {"digital signature", "server auth"}


@pytest.mark.parametrize(
    ("check", "subject", "usages", "problem"),
    [
        ("client", NODE, ["client auth"], ""),
        ("client", NODE, ["digital signature"], "missing required usage for client certificate: client auth"),
        ("client", NODE, ["client auth", "any"], "invalid usage for client certificate: any"),
        ("kubelet_client", NODE, CLIENTS, ""),
        ("kubelet_client", NODE, CLIENTS | {"key encipherment"}, ""),
        (
            "kubelet_client",
            NODE,
            SERVING,
            "usages did not match [client auth digital signature key encipherment]",
        ),
        (
            "kubelet_client",
            CertificateSubject("n", ("system:nodes",), frozenset()),
            CLIENTS,
            "subject common name does not begin with system:node:",
        ),
        (
            "kubelet_client",
            CertificateSubject("system:node:n", ("a", "system:nodes"), frozenset()),
            CLIENTS,
            "subject organization is not system:nodes",
        ),
        (
            "kubelet_client",
            CertificateSubject("system:node:n", ("system:nodes",), frozenset({ADDRESS, EMAIL})),
            CLIENTS,
            "Email subjectAltNames are not allowed",
        ),
        ("kubelet_serving", NODE, SERVING, "DNS or IP subjectAltName is required"),
        (
            "kubelet_serving",
            CertificateSubject("system:node:n", ("system:nodes",), frozenset({DNS})),
            SERVING,
            "",
        ),
        (
            "kubelet_serving",
            CertificateSubject("system:node:n", ("system:nodes",), frozenset({DNS, URI})),
            SERVING,
            "URI subjectAltNames are not allowed",
        ),
        (
            "kubelet_serving",
            CertificateSubject("n", ("system:nodes",), frozenset({DNS})),
            CLIENTS,
            "usages did not match [digital signature key encipherment server auth]",
        ),
    ],
)
def test_signers_say_what_they_do_not_sign_fk_495(check, subject, usages, problem):
    assert getattr(signers, f"{check}_problem")(subject, usages) == problem


@pytest.mark.parametrize(
    ("condition", "hours"),
    [(None, 24), (APPROVED, 1), ({"type": "Denied", "status": "True", "reason": "No"}, 1)],
    ids=["pending", "issued", "denied"],
)
def test_old_requests_go_fk_495(signing, condition, hours):
    ask(signing, signing_request())
    if condition:
        decide(signing, condition)
    signing.pass_time(hours * 3600 - 1)
    before = signing.names(REQUESTS)
    signing.pass_time(1)

    assert (before, signing.names(REQUESTS)) == (["r"], [])


def test_the_certificate_authenticates_fk_390(tmp_path):
    with FakeCluster() as cluster:
        requested = {
            "request": b64encode(signing_request("jane", "devs")).decode(),
            "signerName": CLIENT,
            "usages": ["client auth"],
        }
        manifest = {
            "apiVersion": "certificates.k8s.io/v1",
            "kind": "CertificateSigningRequest",
            "metadata": {"name": "r"},
            "spec": requested,
        }
        cluster.request("POST", REQUESTS, manifest)
        cluster.request("PUT", f"{REQUESTS}/r/approval", {**manifest, "status": {"conditions": [APPROVED]}})
        cluster.settle()
        shown = b64decode(cluster.request("GET", f"{REQUESTS}/r")["status"]["certificate"])
        (tmp_path / "jane.pem").write_bytes(shown + private_pem(KEY))
        context = ssl._create_unverified_context()
        context.load_cert_chain(tmp_path / "jane.pem")
        review = urllib.request.Request(
            f"{cluster.url}/apis/authentication.k8s.io/v1/selfsubjectreviews",
            b"{}",
            {"Content-Type": "application/json"},
        )
        user = json.load(urllib.request.urlopen(review, context=context))["status"]["userInfo"]

    assert (user["username"], user["groups"]) == ("jane", ["devs", "system:authenticated"])
