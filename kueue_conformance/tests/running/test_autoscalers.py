"""Which autoscaler is judged, by its text (--autoscaler)."""

import pytest

from kueue_conformance import autoscalers
from kueue_conformance.base.errors import ConformanceError


@pytest.mark.parametrize(
    ("text", "backend", "error"),
    [
        pytest.param(
            "referense",
            "fake",
            "unknown autoscaler 'referense'\n  hint: did you mean 'reference'?",
            id="unknown",
        ),
        pytest.param(
            "process:",
            "fake",
            "autoscaler 'process:' is incomplete or has extra text\n  hint: write --autoscaler process:./my-autoscaler",
            id="no command",
        ),
        pytest.param(
            "none:x",
            "fake",
            "autoscaler 'none:x' is incomplete or has extra text\n  hint: write --autoscaler none",
            id="too much",
        ),
        pytest.param(
            "process:./no-such-program --v=4",
            "fake",
            "the autoscaler cannot be started: there is no program './no-such-program --v=4'\n"
            "  hint: check the command after process: and that the file may be executed",
            id="no program",
        ),
        pytest.param(
            "found",
            "fake",
            "--autoscaler found judges an autoscaler that runs in the cluster, and a cluster of backend 'fake' has none\n"
            "  hint: use --backend kubeconfig:PATH, or --autoscaler process:COMMAND",
            id="nothing at work",
        ),
    ],
)
def test_a_wrong_text_is_refused(text, backend, error):
    with pytest.raises(ConformanceError) as caught:
        autoscalers.choose(text, backend)

    assert str(caught.value) == error


@pytest.mark.parametrize(("text", "name"), [("reference", "reference"), ("none", "none")])
def test_an_autoscaler_has_node_groups_and_flags(text, name):
    autoscaler = autoscalers.choose(text, "fake")

    assert autoscaler.name == name
    assert autoscaler.features >= {autoscalers.ANSWERS, autoscalers.CONFIGURED, autoscalers.NODE_GROUPS}


def test_what_is_found_has_neither():
    assert autoscalers.choose("found", "kubeconfig:x").features == {autoscalers.ANSWERS}
