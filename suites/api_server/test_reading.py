"""API: lists, pages and watches (FK-130…159).

The cases are recorded exchanges with a real kube-apiserver: `fixtures/recordings`.
"""

from kueue_conformance import exchanges, scenario


@scenario(
    "API-130",
    "lists, pages and watches show one history",
    requirement="kubernetes-api#lists-and-watches",
    **exchanges(130, 159),
)
def test_lists_and_watches(api_server, exchange):
    api_server.must_answer(exchange)
