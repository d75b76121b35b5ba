"""What a cluster cannot be told is an error that names the nearest word, never a default (issue 16, 18)."""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster
from fakecluster.api.outcome import User
from fakecluster.auth.issuers import Issuers
from fakecluster.cluster.options import OptionError, Options

WRONG = [
    pytest.param({"authorization": "RBAC"}, "authorization is 'RBAC': .*did you mean 'rbac'", id="another case"),
    pytest.param({"authorization": "allow"}, "expected one of always-allow, rbac", id="another authorization"),
    pytest.param({"clock": "real"}, "clock is 'real': expected one of virtual, wall, hybrid", id="another clock"),
    pytest.param({"clock": "Wall"}, "did you mean 'wall'", id="clock in another case"),
    pytest.param({"authorisation": "rbac"}, "no option 'authorisation': .*did you mean 'authorization'", id="misspelt"),
    pytest.param({"controllers": "job"}, "no controller 'job': .*did you mean 'jobs'", id="controller"),
    pytest.param({"controllers": ["jobs", "all"]}, "no controller 'all'", id="all among others"),
    pytest.param({"controllers": 3}, "controllers is 3: expected names, `all` or `none`", id="no names"),
    pytest.param({"speed": 0}, "speed is 0: expected a number above 0", id="no speed"),
    pytest.param({"speed": -1.5}, "speed is -1.5", id="backwards"),
    pytest.param({"speed": float("nan")}, "speed is nan", id="no number"),
    pytest.param({"speed": float("inf")}, "speed is inf", id="endless"),
    pytest.param({"seed": -1}, "seed is -1: expected a whole number from 0", id="seed"),
    pytest.param({"seed": True}, "seed is True", id="seed that is a flag"),
    pytest.param({"seed": 1.5}, "seed is 1.5", id="seed that is not whole"),
    pytest.param({"patience": -1}, "patience is -1: expected seconds from 0", id="patience"),
    pytest.param({"max_requests_inflight": -1}, "max_requests_inflight is -1", id="fewer than none"),
    pytest.param(
        {"max_requests_inflight": 0, "max_mutating_requests_inflight": 0}, "no request would be served", id="no seat"
    ),
    pytest.param({"port": 65536}, "port is 65536: expected a port from 0 to 65535", id="port"),
    pytest.param({"port": "6443"}, "port is '6443'", id="port as text"),
    pytest.param({"tls": "no"}, "tls is 'no': expected True or False", id="flag"),
    pytest.param({"anonymous": "yes"}, "anonymous is 'yes'", id="anonymous"),
    pytest.param({"hosts": "example.com"}, "hosts is 'example.com': expected a list", id="one name for a list"),
    pytest.param({"tokens": {"": User(name="a")}}, "tokens is .*expected tokens without spaces", id="empty token"),
    pytest.param({"tokens": {"secret": "admin"}}, "each with a User", id="no user"),
    pytest.param({"services": {"hook": "127.0.0.1:1"}}, "expected namespace/name", id="service"),
    pytest.param({"outgoing": ["10.0.0.0/33"]}, "outgoing: '10.0.0.0/33' is no network", id="network"),
    pytest.param({"webhooks": {"https://a": "b"}}, "URLs, each with a function", id="webhook"),
    pytest.param({"converters": [1]}, "converters is", id="converter"),
    pytest.param({"tls": False, "certificates": object()}, "certificates are given but tls is False", id="unused"),
    pytest.param({"beside": object(), "clock": "wall"}, "shares its clock", id="two clocks"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "message"), WRONG)
def test_what_a_cluster_cannot_be_told_is_explained(value, message):
    with pytest.raises(ValueError, match=message):
        FakeCluster(**value)
    with pytest.raises(ValueError, match=message):
        Options.of(value)


def test_what_is_left_out_has_the_defaults_of_a_cluster_for_tests():
    options = Options.of({})

    assert (options.authorization, options.seats, options.settings(Issuers()).anonymous) == (
        "always-allow",
        600,
        False,
    )


@pytest.mark.parametrize(
    ("value", "anonymous"),
    [
        pytest.param({"authorization": "rbac"}, True, id="where rights are looked at"),
        pytest.param({"authorization": "rbac", "anonymous": False}, False, id="unless told otherwise"),
        pytest.param({"anonymous": True}, True, id="where it is asked for"),
    ],
)
def test_requests_without_credentials_are_let_in(value, anonymous):
    assert Options.of(value).settings(Issuers()).anonymous is anonymous


def test_names_may_be_gone_through_once_only():
    options = Options.of({"hosts": iter(["a.example"]), "controllers": iter(["jobs"])})

    assert (options.hosts, options.controllers) == (("a.example",), ("jobs",))


def test_an_error_of_options_is_one_of_their_own():
    with pytest.raises(OptionError):
        Options.of({"seeds": 1})
