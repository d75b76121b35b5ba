"""PRC: the Active condition of the AdmissionCheck,
and its message about the configuration (PA-020…PA-029, PC-20, PD-01).
"""

from kueue_conformance import always, either, never, rows, scenario, within

WRONG = {
    "no reference": (None, "missing parameters reference"),
    "wrong group": (
        {"group": "example.com"},
        'wrong group "example.com", expecting "kueue.x-k8s.io": bad parameters reference',
    ),
    "wrong kind": (
        {"kind": "Secret"},
        'wrong kind "Secret", expecting "ProvisioningRequestConfig": bad parameters reference',
    ),
}


def wrongly_configured(provisioning, mistake):
    """Return a check whose reference is wrong in a way, although a good configuration of that name exists."""
    changed, _ = WRONG[mistake]
    config = provisioning.make_config()
    return provisioning.make_check_with(
        None if changed is None else provisioning.reference(config, **changed)
    )


@scenario(
    "PRC-010",
    "a check is Active when its configuration exists",
    requirement=("provisioning-check#active", "docs-2024#parameters"),
    shows="PA-020 TB-65",
    since="0.19",
    also=("kep993",),
    clauses={"a": "not without it", "b": "when it is created", "c": "the ClusterQueue is active then"},
)
def test_configuration_comes(kueue_cluster, provisioning):
    check = provisioning.make_check_without_config()
    within("react", check.shows_why_inactive, clause="a")

    check.create_config()

    within("react", check.is_active, clause="b")
    within("react", kueue_cluster.make_queue([check]).is_active, clause="c")


@scenario(
    "PRC-011",
    "a check with a wrong reference is not Active, with the reason",
    requirement="provisioning-check#active",
    shows="PA-021 PA-023 PA-024 PA-026 TB-61 TB-62 TB-63 PA-170",
    since="0.19",
    cases=rows("mistake", *((example,) for example in WRONG)),
    clauses={"a": "it is not Active, with a reason", "b": "and never that it is"},
)
def test_wrong_references(provisioning, mistake):
    check = wrongly_configured(provisioning, mistake)

    within("react", check.shows_why_inactive, clause="a")
    never(check.was_active, clause="b")


@scenario(
    "PRC-012",
    "a wrong reference is reported with the recorded texts",
    requirement="provisioning-check#active-messages",
    shows="PA-021 PA-023 PA-024 PD-01",
    level="may",
    since="0.19",
    cases=rows("mistake", *((example,) for example in WRONG)),
    clauses={"a": "reason and text"},
)
def test_words_about_wrong_references(provisioning, mistake):
    check = wrongly_configured(provisioning, mistake)

    within("react", lambda: check.is_inactive_for("BadParametersRef", WRONG[mistake][1]), clause="a")


@scenario(
    "PRC-013",
    "a missing and an existing configuration are reported with the recorded texts",
    requirement="provisioning-check#active-messages",
    shows="PA-020 PA-025 PC-20",
    level="may",
    since="0.19",
    clauses={"a": "the missing configuration is named", "b": "that it is Active"},
)
def test_words_about_the_configuration(provisioning):
    check = provisioning.make_check_without_config()
    text = f'ProvisioningRequestConfig.kueue.x-k8s.io "{check.config}" not found'
    within("react", lambda: check.is_inactive_for("BadParametersRef", text), clause="a")

    check.create_config()

    within("react", lambda: check.is_active_for("Active", "The admission check is active"), clause="b")


@scenario(
    "PRC-260",
    "a check that stays Active when its configuration changes reports its newest generation, or the first one",
    requirement="provisioning-check#quirks",
    shows="KV-42 PA-027",
    level="may",
    since="0.19",
    clauses={"a": "observedGeneration of Active", "b": "it is Active all the time"},
)
def test_generation_of_an_active_check(provisioning, clock):
    check, other = provisioning.make_active_check(), provisioning.make_config()

    check.set_config(other)
    clock.advance_budget("react")

    either(
        "react",
        {
            "the newest": check.is_active_for_its_generation,
            "the first one": lambda: check.is_active() and check.is_active_for_its_generation().negate(),
        },
        until={"the first one": "<0.19.3, 0.20.0"},
        clause="a",
    )
    always(check.is_active, clause="b")


@scenario(
    "PRC-014",
    "a check is no longer Active when its configuration is deleted",
    requirement=("provisioning-check#active", "docs-2024#missing-or-inactive-check"),
    shows="PA-025 PA-030 TB-64",
    since="0.19",
    clauses={
        "a": "its condition reports it",
        "b": "its ClusterQueue is inactive",
        "c": "both are active when it is back",
    },
)
def test_configuration_goes(provisioning):
    queue = provisioning.make_queue()
    check = queue.checks[0]

    check.delete_config()
    within("react", check.shows_why_inactive, clause="a")
    within("react", queue.is_inactive, clause="b")
    check.create_config()

    within("react", lambda: check.is_active() and queue.is_active(), clause="c")


@scenario(
    "PRC-015",
    "checks of other controllers are left alone",
    requirement="provisioning-check#own-checks-only",
    shows="PA-028 TB-60",
    since="0.19",
    clauses={"a": "no condition is written, whatever the check refers to"},
)
def test_active_of_others(kueue_cluster, provisioning):
    ours = provisioning.make_active_check()

    other = kueue_cluster.make_check(active=False, parameters=provisioning.reference(ours.config))

    always(other.has_no_active_condition, clause="a")


@scenario(
    "PRC-016",
    "a foreign write to the Active condition is overwritten",
    requirement="provisioning-check#active",
    shows="PD-01",
    level="should",
    since="0.19",
    cases=rows("said usable", (False, True), (True, False)),
    clauses={"a": "the condition is written again"},
)
def test_overruled(provisioning, said, usable):
    check = provisioning.make_active_check() if usable else provisioning.make_check_without_config()
    right = check.is_active if usable else check.shows_why_inactive
    within("react", right)

    check.set_active(said)

    within("react", right, clause="a")


@scenario(
    "PRC-017",
    "a check with a second mistake in its reference reports the new mistake, or still the first one",
    requirement="provisioning-check#quirks",
    shows="PA-027 RG-K47 PD-01 KV-42",
    level="may",
    since="0.19",
    clauses={"a": "the new reason, or the first one", "b": "it is Active when all is well"},
)
def test_another_reason(provisioning, clock):
    check = wrongly_configured(provisioning, "wrong kind")
    within("react", check.shows_why_inactive)

    check.set_config("nothing")
    clock.advance_budget("react")

    missing = 'ProvisioningRequestConfig.kueue.x-k8s.io "nothing" not found'
    either(
        "react",
        {
            "the new reason": lambda: check.is_inactive_for("BadParametersRef", missing),
            "the first reason": lambda: check.is_inactive_for("BadParametersRef", WRONG["wrong kind"][1]),
        },
        until={"the first reason": "<0.19.3, 0.20.0"},
        clause="a",
    )
    check.set_config(provisioning.make_config())
    within("react", check.is_active, clause="b")
