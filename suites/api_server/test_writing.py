"""API: creating, updating, deleting, dry runs, namespaces (FK-060…099, FK-100…129, FK-230…249, FK-340…359).

The cases are recorded exchanges with a real kube-apiserver: `fixtures/recordings`.
"""

from kueue_conformance import exchanges, scenario


@scenario(
    "API-060",
    "an object is created with the metadata that the server owns",
    requirement="kubernetes-api#creation",
    **exchanges(60, 99),
)
def test_creation(api_server, exchange):
    api_server.must_answer(exchange)


@scenario(
    "API-100",
    "updates are checked against the stored revision; deletion respects finalizers and preconditions",
    requirement="kubernetes-api#updates-and-deletion",
    **exchanges(100, 129),
)
def test_updates_and_deletion(api_server, exchange):
    api_server.must_answer(exchange)


@scenario(
    "API-230",
    "dry runs change nothing; unknown fields are dropped, warned about or refused as asked",
    requirement="kubernetes-api#dry-run-and-strictness",
    **exchanges(230, 249),
)
def test_dry_run_and_strictness(api_server, exchange):
    api_server.must_answer(exchange)


@scenario(
    "API-340",
    "a namespace that terminates accepts no new content",
    requirement="kubernetes-api#namespaces",
    **exchanges(340, 359),
)
def test_namespaces(api_server, exchange):
    api_server.must_answer(exchange)
