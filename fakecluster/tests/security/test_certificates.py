"""Client certificates that are not good: those of our authority get an answer, those of others the alert of
TLS (FK-390, FK-391).
"""

from __future__ import annotations

import datetime as dt
import socket
import ssl
from urllib.parse import urlsplit

import pytest

from fakecluster import FakeCluster
from fakecluster.auth import certificates
from fakecluster.auth.certificates import Authority, identify
from fakecluster.tests.raw import HOST, codes

ASKED = b"GET /api/v1/namespaces HTTP/1.1\r\nConnection: close\r\n" + HOST
PAST, FUTURE = dt.datetime(2021, 1, 1, tzinfo=dt.UTC), dt.datetime(2099, 1, 1, tzinfo=dt.UTC)
UNTIMELY = [
    pytest.param("NOT_AFTER", PAST, id="expired"),
    pytest.param("NOT_BEFORE", FUTURE, id="not yet valid"),
]
VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(controllers="none") as cluster:
        yield cluster


def answer(cluster, pair, *headers, version=None):
    """Ask with a client certificate and return what comes back."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.maximum_version = version or ssl.TLSVersion.MAXIMUM_SUPPORTED
    identify(context, pair)
    where = urlsplit(cluster.url)
    with (
        socket.create_connection((where.hostname, where.port), timeout=10) as plain,
        context.wrap_socket(plain) as talk,
    ):
        talk.sendall(ASKED + b"".join(headers) + b"\r\n")
        return b"".join(iter(lambda: talk.recv(65536), b""))


def bearer(cluster):
    return b"Authorization: Bearer " + cluster.token().encode() + b"\r\n"


@pytest.mark.parametrize(("bound", "moment"), UNTIMELY)
def test_who_shows_an_untimely_certificate_is_not_known(cluster, monkeypatch, bound, moment):
    monkeypatch.setattr(certificates, bound, moment)
    pair = cluster._authority.client("eve", ["system:masters"])

    assert codes(answer(cluster, pair)) == [401]


def test_an_untimely_certificate_is_an_error_where_requests_without_credentials_are_let_in(monkeypatch):
    monkeypatch.setattr(certificates, "NOT_AFTER", PAST)
    with FakeCluster(controllers="none", anonymous=True) as cluster:
        pair = cluster._authority.client("eve", ["system:masters"])

        assert codes(answer(cluster, pair)) == [401]


@pytest.mark.parametrize(("bound", "moment"), UNTIMELY)
def test_a_token_counts_beside_an_untimely_certificate(cluster, monkeypatch, bound, moment):
    monkeypatch.setattr(certificates, bound, moment)
    pair = cluster._authority.client("eve", ["system:masters"])

    assert codes(answer(cluster, pair, bearer(cluster))) == [200]


@pytest.mark.parametrize("version", VERSIONS, ids=lambda tls_version: tls_version.name)
def test_a_certificate_of_another_authority_is_refused_with_the_reason(cluster, version):
    pair = Authority.fresh().client("eve", ["system:masters"])

    with pytest.raises(ssl.SSLError, match="alert unknown ca"):
        answer(cluster, pair, version=version)
