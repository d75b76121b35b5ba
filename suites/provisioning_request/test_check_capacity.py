"""PRQ: check-capacity requests, answered from the Nodes that there are (PR-125…127, PR-230)."""

from kueue_conformance import always, cross, listed, scenario, within
from kueue_conformance.stage.capacity_request import CHECK, FOUND, NOT_FOUND


@scenario(
    "PRQ-001", "a request whose pods all fit is Provisioned",
    requirement=("aep#conditions", "provisioning-request#check-capacity"), shows="PR-125 PR-230a PR-093 CV-01 TA-01",
    cases=listed("pods", (1,), (12,)), clauses={"a": "the capacity is found"},
)  # fmt: skip
def test_fits(autoscaling, pods):
    autoscaling.nodes(3, cpu="4")
    autoscaling.starts()

    request = autoscaling.requests(pods, cpu="1")

    within("answer", request.is_provisioned, clause="a")
