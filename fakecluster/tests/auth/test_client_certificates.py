"""Who is named by a client certificate (FK-390)."""

from __future__ import annotations

import hashlib
import http.client
import json
import ssl

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID, ObjectIdentifier

from fakecluster import FakeCluster
from fakecluster.auth.certificates import identify

NAME, GROUP, UID = NameOID.COMMON_NAME, NameOID.ORGANIZATION_NAME, ObjectIdentifier("1.3.6.1.4.1.57683.2")
REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
REVIEW = json.dumps({"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"})


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(controllers="none", anonymous=True) as cluster:
        yield cluster


@pytest.fixture
def who_am_i(cluster):
    """Returns status and user of a client with a subject, and its certificate."""

    def asked(*subject, purposes=(ExtendedKeyUsageOID.CLIENT_AUTH,)):
        name = x509.Name([x509.NameAttribute(kind, value) for kind, value in subject])
        pair = cluster._authority._issue(name, [(x509.ExtendedKeyUsage(purposes), False)])
        context = ssl.create_default_context(cadata=cluster._authority.pem.decode())
        identify(context, pair)
        link = http.client.HTTPSConnection(cluster.url.partition("://")[2], timeout=10, context=context)
        link.request("POST", REVIEWS, REVIEW, {"Content-Type": "application/json"})
        answer = link.getresponse()
        user = json.loads(answer.read()).get("status")
        link.close()
        return answer.status, user["userInfo"] if isinstance(user, dict) else {}, pair.certificate

    return asked


@pytest.mark.parametrize(
    ("subject", "name", "uid", "groups"),
    [
        pytest.param(
            [(NAME, "first"), (GROUP, "g"), (NAME, "last")], "last", None, ["g"], id="the last of two names"
        ),
        pytest.param([(GROUP, "b"), (GROUP, "a"), (NAME, "u")], "u", None, ["b", "a"], id="groups in order"),
        pytest.param([(NAME, "u"), (UID, "7")], "u", "7", [], id="uid"),
    ],
)
def test_a_subject_names_the_user(who_am_i, subject, name, uid, groups):
    status, user, _ = who_am_i(*subject)

    assert (status, user["username"], user.get("uid")) == (201, name, uid)
    assert user["groups"] == [*groups, "system:authenticated"]


def test_the_certificate_is_the_credential(who_am_i):
    _, user, certificate = who_am_i((NAME, "u"))
    encoded = x509.load_pem_x509_certificate(certificate).public_bytes(serialization.Encoding.DER)

    fingerprint = hashlib.sha256(encoded).hexdigest()
    assert user["extra"] == {"authentication.kubernetes.io/credential-id": [f"X509SHA256={fingerprint}"]}


def test_a_certificate_that_names_nobody_is_not_anonymous(who_am_i):
    assert who_am_i((GROUP, "g"))[0] == 401
