"""Requests of ours bear the kubeconfig's token, whatever generation of the client reads it."""

import pytest
from kubernetes.client import ApiClient, Configuration

from kueue_conformance.wire.authorization import bearer


@pytest.mark.parametrize(
    ("keys", "header"),
    [
        pytest.param({}, {}, id="no token"),
        pytest.param({"authorization": "Bearer secret"}, {"authorization": "Bearer secret"}, id="token"),
    ],
)
def test_the_token_is_a_header(keys, header):
    with ApiClient(Configuration(api_key=keys)) as api:
        assert bearer(api) == header
