"""API: authentication and authorization (FK-390…419).

The cases are recorded exchanges with a real kube-apiserver: `fixtures/recordings`.
"""

from kueue_conformance import exchanges, scenario


@scenario(
    "API-390",
    "users are authenticated, and authorized by RBAC",
    requirement="kubernetes-api#access",
    **exchanges(390, 419),
)
def test_access(api_server, exchange):
    api_server.must_answer(exchange)
