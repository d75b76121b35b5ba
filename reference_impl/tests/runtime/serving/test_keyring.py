"""When certificates and authorities are made anew, and in which steps."""

import base64

import pytest

from reference_impl.runtime.serving.keyring import Keyring, KeyringError, first, renew

NAMES = ("hook.team.svc",)
DAY = 86400.0
START = 1_800_000_000.0
RING = first(NAMES, START)


def steps(ring, days, names=NAMES):
    """Return the keyrings that follow each other at one moment until nothing is due."""
    rings = [ring]
    while (new := renew(rings[-1], names, START + days * DAY)) is not rings[-1]:
        rings.append(new)
    return rings


def test_a_new_keyring_is_signed_by_what_is_trusted():
    (authority,) = RING.authority_certificates()

    RING.leaf().verify_directly_issued_by(authority)


@pytest.mark.parametrize("days", [pytest.param(0, id="at once"), pytest.param(59, id="for two months")])
def test_nothing_is_due(days):
    assert steps(RING, days) == [RING]


@pytest.mark.parametrize(
    ("days", "names"),
    [
        pytest.param(61, NAMES, id="it ends soon"),
        pytest.param(100, NAMES, id="it has ended"),
        pytest.param(1, (*NAMES, "hook.other.svc"), id="it lacks a name"),
    ],
)
def test_a_certificate_is_signed_anew_by_the_same_authority(days, names):
    _, new = steps(RING, days, names)

    assert new.authorities == RING.authorities
    assert new.certificate != RING.certificate


def test_a_new_authority_is_trusted_before_it_signs():
    _, trusted, signed = steps(RING, 3600)

    assert (trusted.certificate, len(trusted.authority_certificates())) == (RING.certificate, 2)
    assert (signed.authorities, signed.leaf().issuer) == (
        trusted.authorities,
        trusted.authority_certificates()[0].subject,
    )


def test_an_authority_that_has_ended_is_forgotten():
    *_, signed, alone = steps(RING, 3700)

    assert (len(signed.authority_certificates()), len(alone.authority_certificates())) == (2, 1)
    assert alone.certificate == signed.certificate


def test_a_keyring_survives_a_secret():
    assert Keyring.read(RING.data()) == RING


OTHER = first(NAMES, START).data()
NONSENSE = base64.b64encode(b"nonsense").decode()


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        pytest.param({"ca.crt": ""}, "(?i)unable to load PEM", id="empty"),
        pytest.param({"tls.crt": NONSENSE}, "(?i)unable to load PEM", id="no certificate"),
        pytest.param({"tls.key": OTHER["tls.key"]}, "(?i)mismatch", id="key of another certificate"),
        pytest.param(
            {"ca.key": OTHER["ca.key"]}, "does not fit its certificate", id="key of another authority"
        ),
    ],
)
def test_what_is_no_keyring(change, complaint):
    with pytest.raises(KeyringError, match=complaint):
        Keyring.read(RING.data() | change)


def test_what_is_missing_is_named():
    with pytest.raises(KeyringError, match=r"tls\.crt is missing"):
        Keyring.read({})
