"""Who asks: every credential, good and bad, alone and beside others (VIS-402…408, VC-18…21)."""

import asyncio
import random

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID as Usage

from reference_impl.kueue.visibility.attributes import User
from reference_impl.kueue.visibility.delegated.authentication import DelegatedAuthenticator
from reference_impl.kueue.visibility.delegated.certificates import CertificateError, verify
from reference_impl.kueue.visibility.delegated.identity import ANONYMOUS
from reference_impl.kueue.visibility.delegated.tokens import TokenError, Tokens
from reference_impl.kueue.visibility.delegated.trust import Trust
from reference_impl.kueue.visibility.guards import UnauthenticatedError
from reference_impl.runtime.serving.exchange import Request

from .authorities import DAY, NOW, Authority, config_map
from .doubles import REFUSED, asking, token_review

PROXIES, CLIENTS, FOREIGN = Authority("proxies"), Authority("clients"), Authority("foreign")
TRUST = Trust.of(config_map(PROXIES, CLIENTS))
NO_SIGNER = x509.KeyUsage(
    digital_signature=True,
    content_commitment=False,
    key_encipherment=True,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=False,
    crl_sign=False,
    encipher_only=False,
    decipher_only=False,
)
PROXY = PROXIES.issue("front-proxy-client")
OTHER_NAME = PROXIES.issue("somebody")
FORGED = FOREIGN.issue("front-proxy-client")
USER = CLIENTS.issue("vis-cert-user", ["vis-cert-group", "second"])
REMOTE = (("x-remote-user", "alice"), ("x-remote-group", "a"), ("x-remote-group", "b"))
GOOD, BAD = ("authorization", "Bearer good"), ("authorization", "Bearer bad")


async def review(path, options, body):
    good = body["spec"]["token"] == "good"
    return token_review(authenticated=good, user={"username": "tim"} if good else {})


def who(*headers, certificate=b"", trust=TRUST, at=NOW, reviews=None):
    client, reviewer, clock = asking(token_review())
    client.review = reviews or review
    authenticator = DelegatedAuthenticator(lambda: trust, Tokens(reviewer, clock), current_time=lambda: at)
    request = Request(method="GET", target="/", headers=headers, certificate=certificate)
    try:
        return asyncio.run(authenticator.authenticate(request))
    except UnauthenticatedError:
        return 401


def name(*headers, **rest):
    user = who(*headers, **rest)
    return user if user == 401 else user.name


@pytest.mark.parametrize(
    ("headers", "certificate", "expected"),
    [
        pytest.param(REMOTE, PROXY, "alice", id="front proxy"),
        pytest.param((*REMOTE, BAD), PROXY, "alice", id="front proxy and bad token"),
        pytest.param((), PROXY, 401, id="front proxy without user"),
        pytest.param((("x-remote-user", ""),), PROXY, 401, id="front proxy with empty user"),
        pytest.param((("x-remote-group", "a"),), PROXY, 401, id="front proxy with group alone"),
        pytest.param((GOOD,), PROXY, "tim", id="front proxy without user and good token"),
        pytest.param(REMOTE, OTHER_NAME, 401, id="front proxy of another name"),
        pytest.param((*REMOTE, GOOD), OTHER_NAME, "tim", id="front proxy of another name and good token"),
        pytest.param(REMOTE, FORGED, 401, id="forged front proxy"),
        pytest.param(REMOTE, b"", "system:anonymous", id="headers without certificate"),
        pytest.param((), USER, "vis-cert-user", id="certificate"),
        pytest.param(REMOTE, USER, "vis-cert-user", id="certificate and headers"),
        pytest.param((BAD,), USER, "vis-cert-user", id="certificate and bad token"),
        pytest.param((), FOREIGN.issue("x"), 401, id="foreign certificate"),
        pytest.param((), b"no certificate", 401, id="no certificate at all"),
        pytest.param((), CLIENTS.issue(""), 401, id="certificate without a name"),
        pytest.param((), CLIENTS.issue("x", end=NOW - DAY), 401, id="expired certificate"),
        pytest.param(REMOTE, PROXIES.issue("front-proxy-client", end=NOW - DAY), 401, id="expired proxy"),
        pytest.param((), b"", "system:anonymous", id="nothing"),
        pytest.param((GOOD,), b"", "tim", id="token"),
        pytest.param((BAD,), b"", 401, id="bad token"),
        pytest.param((("authorization", "bearer good"),), b"", "tim", id="lower case"),
        pytest.param((("authorization", "bearer nonsense"),), b"", 401, id="lower case and bad"),
        pytest.param((("authorization", "Bearer"),), b"", "system:anonymous", id="no token"),
        pytest.param((("authorization", "Bearer "),), b"", "system:anonymous", id="empty token"),
        pytest.param((("authorization", ""),), b"", "system:anonymous", id="empty value"),
        pytest.param((("authorization", "Basic dXNlcjpwYXNz"),), b"", "system:anonymous", id="basic"),
        pytest.param((("authorization", "Negotiate x"),), b"", "system:anonymous", id="negotiate"),
    ],
)
def test_who_asks(headers, certificate, expected):
    assert name(*headers, certificate=certificate) == expected


def test_anonymous_has_one_group():
    assert who() == ANONYMOUS == User(name="system:anonymous", groups=("system:unauthenticated",))


def test_what_a_front_proxy_says():
    """VIS-402: groups in order, extra in lower case and decoded,
    no uid unless the cluster names a header for it.
    """
    headers = (
        *REMOTE,
        ("x-remote-group", ""),
        ("x-remote-uid", "u"),
        ("x-remote-extra-scopes", "s"),
        ("x-remote-extra-a%2fb", "1"),
        ("x-remote-extra-scopes", "t"),
    )
    named = Trust.of(config_map(PROXIES, CLIENTS, **{"requestheader-uid-headers": '["X-Remote-Uid"]'}))

    user = who(*headers, certificate=PROXY)

    assert user.groups == ("a", "b", "system:authenticated")
    assert user.extra == (("a/b", ("1",)), ("scopes", ("s", "t")))
    assert (user.uid, who(*headers, certificate=PROXY, trust=named).uid) == ("", "u")


def test_any_name_when_none_is_listed():
    trust = Trust.of(config_map(PROXIES, CLIENTS, names=()))

    assert name(*REMOTE, certificate=OTHER_NAME, trust=trust) == "alice"


def test_what_a_certificate_says():
    user = who(certificate=USER)

    assert user.groups == ("vis-cert-group", "second", "system:authenticated")
    ((key, (value,)),) = user.extra
    assert key == "authentication.kubernetes.io/credential-id"
    assert value.startswith("X509SHA256=")


def test_a_certificate_for_servers_is_none_for_clients():
    assert name(certificate=CLIENTS.issue("x", usage=Usage.SERVER_AUTH)) == 401
    assert name(certificate=CLIENTS.issue("x", usage=None)) == "x"


@pytest.mark.parametrize(
    "signer",
    [
        pytest.param(Authority("no-ca", ca=False), id="no authority"),
        pytest.param(Authority("no-key", usage=NO_SIGNER), id="a key that may not sign certificates"),
    ],
)
def test_what_may_not_sign(signer):
    assert name(certificate=signer.issue("x"), trust=Trust.of(config_map(PROXIES, signer))) == 401


def test_without_authority_of_clients_certificates_do_not_count():
    trust = Trust.of(config_map(PROXIES, CLIENTS, **{"client-ca-file": ""}))

    assert name(GOOD, certificate=USER, trust=trust) == "tim"
    assert name(certificate=USER, trust=trust) == 401


def test_the_token_alone_is_sent_and_asked_once_in_ten_seconds():
    """VIS-406."""
    client, reviews, clock = asking(
        token_review(
            authenticated=True,
            user={"username": "tim", "uid": "u", "groups": ["g"], "extra": {"k": ["v"]}},
        )
    )
    tokens = Tokens(reviews, clock)

    async def ask():
        first = await tokens.user("secret")
        clock.advance(9.9)
        second = await tokens.user("secret")
        clock.advance(0.2)
        await tokens.user("secret")
        return first, second

    first, second = asyncio.run(ask())

    assert first == second == User(name="tim", uid="u", groups=("g",), extra=(("k", ("v",)),))
    assert [(method, path) for method, path, _, _ in client.asked] == [
        ("POST", "/apis/authentication.k8s.io/v1/tokenreviews")
    ] * 2
    assert client.specs == [{"token": "secret"}] * 2
    assert "secret" not in repr(vars(tokens._known))


def test_a_bad_token_is_remembered_and_a_failure_to_answer_is_not():
    client, reviews, clock = asking(REFUSED, token_review(authenticated=False), token_review())
    tokens = Tokens(reviews, clock)

    async def ask():
        for _ in range(4):
            with pytest.raises(TokenError):
                await tokens.user("secret")

    asyncio.run(ask())

    assert len(client.asked) == 2


@pytest.mark.filterwarnings("ignore:Parsed a serial number")
def test_a_spoilt_certificate_is_refused_whatever_is_spoilt():
    chance = random.Random(1)
    for _ in range(500):
        spoilt = bytearray(USER)
        spoilt[chance.randrange(len(spoilt))] ^= chance.randrange(1, 256)
        with pytest.raises(CertificateError):
            verify(bytes(spoilt), TRUST.clients, NOW)
