"""CHK: a check controller serves the checks that name it, and leaves all others alone (KEP-993, lines 249-252)."""

from kueue_conformance import always, never, scenario, within

KUEUE = ("scripted control plane",)


@scenario(
    "CHK-001", "a check becomes Active when its controllerName is the subject's",
    requirement="kep-993#controller-watches-checks", shows="CC-010 CC-014 CC-018", needs=KUEUE,
    clauses={"a": "the check becomes Active", "b": "the condition tells which generation it speaks of"},
)  # fmt: skip
def test_own_check_becomes_active(subject):
    check = subject.check()

    within("react", check.is_active, clause="a")
    within("react", check.is_active_for_its_generation, clause="b")
