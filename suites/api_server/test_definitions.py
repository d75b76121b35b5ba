"""API: CustomResourceDefinitions and their versions (FK-250…299, FK-330…339).

The cases are recorded exchanges with a real kube-apiserver: `fixtures/recordings`.
"""

from kueue_conformance import exchanges, scenario


@scenario(
    "API-250",
    "a CustomResourceDefinition is judged, served, and its schema holds",
    requirement="kubernetes-api#definitions",
    **exchanges(250, 299),
)
def test_definitions(api_server, exchange):
    api_server.must_answer(exchange)


@scenario(
    "API-330",
    "objects of a definition are converted between its versions",
    requirement="kubernetes-api#conversion",
    **exchanges(330, 339),
)
def test_conversion(api_server, exchange):
    api_server.must_answer(exchange)
