"""API: webhooks and aggregated servers (FK-300…329, FK-435…454).

The cases are recorded exchanges with a real kube-apiserver: `fixtures/recordings`.
"""

from kueue_conformance import exchanges, scenario


@scenario(
    "API-300",
    "webhooks get the requests that they ask for, and their answers take effect",
    requirement="kubernetes-api#admission",
    **exchanges(300, 329),
)
def test_admission(api_server, exchange):
    api_server.must_answer(exchange)


@scenario(
    "API-435",
    "an APIService delegates a group to another server",
    requirement="kubernetes-api#aggregation",
    **exchanges(435, 454),
)
def test_aggregation(api_server, exchange):
    api_server.must_answer(exchange)
