"""API: authentication and authorization (FK-390…419).

The cases are recorded exchanges with a real kube-apiserver: `fixtures/recordings`.
"""

from kueue_conformance import exchanges, scenario


@scenario(
    "API-390", "who asks is known, and may do what RBAC grants",
    requirement="kubernetes-api#access", **exchanges(390, 419),
)  # fmt: skip
def test_access(api_server, exchange):
    api_server.must_answer(exchange)
