"""API: built-in kinds and what a cluster does by itself (FK-455…489, FK-490…494, FK-495…519).

The cases are recorded exchanges with a real kube-apiserver: `fixtures/recordings`.
"""

from kueue_conformance import exchanges, scenario


@scenario(
    "API-455",
    "the cluster's own controllers and allocators show in its objects",
    requirement="kubernetes-api#cluster-life",
    **exchanges(455, 489),
)
def test_cluster_life(api_server, exchange):
    api_server.must_answer(exchange)


@scenario(
    "API-490",
    "events and leases are checked and defaulted",
    requirement="kubernetes-api#events-and-leases",
    **exchanges(490, 494),
)
def test_events_and_leases(api_server, exchange):
    api_server.must_answer(exchange)


@scenario(
    "API-495",
    "built-in kinds have their defaults and rules",
    requirement="kubernetes-api#built-in-kinds",
    **exchanges(495, 519),
)
def test_built_in_kinds(api_server, exchange):
    api_server.must_answer(exchange)
