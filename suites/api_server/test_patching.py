"""API: the kinds of patch, and server-side apply (FK-160…199, FK-200…229).

The cases are recorded exchanges with a real kube-apiserver: `fixtures/recordings`.
"""

from kueue_conformance import exchanges, scenario


@scenario(
    "API-160",
    "JSON, merge and strategic merge patches do what RFC 6902, RFC 7386 and Kubernetes say",
    requirement="kubernetes-api#patches",
    **exchanges(160, 199),
)
def test_patches(api_server, exchange):
    api_server.must_answer(exchange)


@scenario(
    "API-200",
    "server-side apply records the owners of fields",
    requirement="kubernetes-api#server-side-apply",
    **exchanges(200, 229),
)
def test_server_side_apply(api_server, exchange):
    api_server.must_answer(exchange)
