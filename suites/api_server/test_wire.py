"""API: paths, media types, errors, discovery, tables (FK-001…029,
FK-030…059, FK-360…389, FK-420…434, FK-520…599).

The cases are recorded exchanges with a real kube-apiserver: `fixtures/recordings`.
"""

from kueue_conformance import exchanges, scenario


@scenario(
    "API-001",
    "paths, methods and media types are answered as kube-apiserver answers them",
    requirement="kubernetes-api#surface",
    **exchanges(1, 29),
)
def test_surface(api_server, exchange):
    api_server.must_answer(exchange)


@scenario(
    "API-030",
    "a failed request is answered with a Status that has reason, message and causes",
    requirement="kubernetes-api#errors",
    **exchanges(30, 59),
)
def test_errors(api_server, exchange):
    api_server.must_answer(exchange)


@scenario(
    "API-360",
    "discovery and OpenAPI describe what is served",
    requirement="kubernetes-api#discovery",
    **exchanges(360, 389),
)
def test_discovery(api_server, exchange):
    api_server.must_answer(exchange)


@scenario(
    "API-420",
    "a client that requests a table gets the columns that kubectl prints",
    requirement="kubernetes-api#tables",
    **exchanges(420, 434),
)
def test_tables(api_server, exchange):
    api_server.must_answer(exchange)


@scenario(
    "API-520",
    "requests are classified, and the other encodings carry the same content",
    requirement="kubernetes-api#fairness-and-encodings",
    **exchanges(520, 599),
)
def test_fairness_and_encodings(api_server, exchange):
    api_server.must_answer(exchange)
