"""ADM: alpha kinds and fields, which are stored and validated (KV-63, D7, D9 to D12)."""

from kueue_conformance import cross, either, rows, scenario

ALPHA = ("alpha APIs",)
TOO_MANY = [{"name": f"n{number}"} for number in range(65)]
PROVIDER = {"controllerName": "example.com/nodes", "orchestratedFlavors": [{"name": "h100"}]}
ORCHESTRATOR = {
    "capacityDiscovery": {"providers": [{"name": "nodes"}]},
    "capacityDistribution": {"subtreeRootQuotaRef": {"kind": "Cohort", "name": "pool"}},
}
RULE = {
    "name": "smaller",
    "activationPolicy": {"trigger": "InsufficientQuota"},
    "candidateSelectors": [
        {
            "scope": "WithinCohortTree",
            "numericLabels": [{"key": "example.com/size", "comparison": "LessThan", "minValue": 0}],
            "relativeWorkloadPriority": "LessThanOrEqual",
        }
    ],
}
RIGHT = {
    "CapacityProvider": PROVIDER,
    "DynamicQuotaOrchestrator": ORCHESTRATOR,
    "PreemptionConfig": {"rules": [RULE]},
}
"""A good spec of each kind."""
NAMES = {
    "CapacityProvider": ("cp", True),
    "DynamicQuotaOrchestrator": ("dqo", True),
    "PreemptionConfig": ("preempcfg", False),
}


def provider(**changes):
    """Return the spec of a CapacityProvider with these fields."""
    return {**PROVIDER, **changes}


def discovery(**changes):
    """Return the spec of an orchestrator of one provider with these fields."""
    return {"capacityDiscovery": {"providers": [{"name": "nodes", **changes}]}}


def rule(**changes):
    """Return the spec of a PreemptionConfig of one rule with these fields."""
    return {"rules": [{**RULE, **changes}]}


def selector(**changes):
    """Return the spec of a PreemptionConfig with one selector of these fields."""
    return rule(candidateSelectors=[{"scope": "AnyClusterQueue", **changes}])


@scenario(
    "ADM-820",
    "an alpha kind has its short name, one version and a status of its own where it has one",
    requirement="kueue-api#kinds",
    shows="KV-63",
    since="0.20.0",
    level="may",
    needs=ALPHA,
    cases=cross(kind=tuple(NAMES)),
    clauses={"a": "its short name", "b": "its status", "c": "its version"},
)
def test_names_of_an_alpha_kind(kueue_cluster, kind):
    short_name, has_status = NAMES[kind]

    served, defined = kueue_cluster.discovery_entry(kind), kueue_cluster.definition_of(kind)

    assert served.get("shortNames") == [short_name], f"a: {served}"
    assert served["hasStatus"] == has_status, f"b: {served}"
    assert [version["name"] for version in defined["spec"]["versions"]] == ["v1alpha1"], f"c: {defined}"


@scenario(
    "ADM-821",
    "an alpha object whose field is missing, too long or no value that there is is refused for this field",
    requirement="kueue-api#limits",
    shows="KV-63",
    since="0.20.0",
    level="may",
    needs=ALPHA,
    cases=rows(
        "kind field spec",
        ("CapacityProvider", "spec.controllerName", provider(controllerName="")),
        ("CapacityProvider", "spec.orchestratedFlavors", provider(orchestratedFlavors=[])),
        ("CapacityProvider", "spec.orchestratedFlavors", provider(orchestratedFlavors=TOO_MANY)),
        ("CapacityProvider", "spec.parameters.name", provider(parameters={"apiGroup": "a.b", "kind": "K"})),
        ("DynamicQuotaOrchestrator", "spec.capacityDiscovery", {}),
        (
            "DynamicQuotaOrchestrator",
            "spec.capacityDiscovery.providers",
            {"capacityDiscovery": {"providers": TOO_MANY[:9]}},
        ),
        (
            "DynamicQuotaOrchestrator",
            "spec.capacityDiscovery.providers[0].effectiveCapacityMultiplier",
            discovery(effectiveCapacityMultiplier="-0.1"),
        ),
        (
            "DynamicQuotaOrchestrator",
            "spec.capacityDistribution.subtreeRootQuotaRef.kind",
            {**ORCHESTRATOR, "capacityDistribution": {"subtreeRootQuotaRef": {"kind": "Node", "name": "a"}}},
        ),
        ("PreemptionConfig", "spec.rules[0].name", rule(name="A")),
        (
            "PreemptionConfig",
            "spec.rules[0].activationPolicy.trigger",
            rule(activationPolicy={"trigger": "Never"}),
        ),
        ("PreemptionConfig", "spec.rules[0].candidateSelectors[0].scope", selector(scope="Anywhere")),
        (
            "PreemptionConfig",
            "spec.rules[0].candidateSelectors[0].numericLabels[0].minValue",
            selector(numericLabels=[{"key": "a", "minValue": -1}]),
        ),
        (
            "PreemptionConfig",
            "spec.rules[0].candidateSelectors[0].relativeWorkloadPriority",
            selector(relativeWorkloadPriority="Less"),
        ),
    ),
    clauses={"a": "it is refused", "b": "a right one is taken"},
)
def test_limits_of_alpha_kinds(kueue_cluster, kind, field, spec):
    wrong, right = (kueue_cluster.try_to_create(kind, body) for body in (spec, RIGHT[kind]))

    assert wrong.is_invalid(field), f"a: {wrong}"
    assert right.is_accepted, f"b: {right}"


@scenario(
    "ADM-822",
    "the controller of a CapacityProvider stays, and the whole capacity of a provider counts by default",
    requirement="kueue-api#rules",
    shows="KV-63",
    since="0.20.0",
    level="may",
    needs=ALPHA,
    clauses={"a": "another controller is refused, other flavors are taken", "b": "the multiplier is 1"},
)
def test_rules_of_alpha_kinds(kueue_cluster):
    nodes = kueue_cluster.make_object("CapacityProvider", spec=PROVIDER)
    orchestrator = kueue_cluster.make_object("DynamicQuotaOrchestrator", spec=ORCHESTRATOR)

    other = nodes.try_to_change(spec={"controllerName": "example.com/other"})
    flavors = nodes.try_to_change(spec={"orchestratedFlavors": [{"name": "a100"}]})

    assert other.is_invalid("spec.controllerName"), f"a: {other}"
    assert flavors.is_accepted, f"a: {flavors}"
    (first,) = orchestrator.spec["capacityDiscovery"]["providers"]
    assert first["effectiveCapacityMultiplier"] in (1, "1"), f"b: {first}"


@scenario(
    "ADM-823",
    "effectiveQuotas in the status of a Cohort are stored, and without effect while their gate is off",
    requirement="kueue-api#limits",
    shows="KV-63",
    since="0.20.0",
    level="may",
    clauses={"a": "they are there", "b": "without their orchestrator they are refused"},
)
def test_effective_quotas_are_stored(kueue_cluster):
    cohort = kueue_cluster.make_object("Cohort", spec={})
    nodes = {"apiGroup": "kueue.x-k8s.io", "kind": "DynamicQuotaOrchestrator", "name": "nodes"}
    flavor = {"name": "h100", "resources": [{"name": "cpu", "nominalQuota": "1"}]}
    groups = [{"coveredResources": ["cpu"], "flavors": [flavor]}]

    whole, headless = (
        cohort.try_to_change(status={"effectiveQuotas": {"resourceGroups": groups, **reference}})
        for reference in ({"orchestratorRef": nodes}, {"orchestratorRef": None})
    )

    assert whole.is_accepted, f"a: {whole}"
    assert cohort.status.get("effectiveQuotas") == {"resourceGroups": groups, "orchestratorRef": nodes}, "a"
    assert headless.is_invalid("status.effectiveQuotas.orchestratorRef"), f"b: {headless}"


@scenario(
    "ADM-824",
    "a concurrent admission's migration without a mode is refused, or moves Workloads to preferred flavors",
    requirement="kueue-api#quirks",
    shows="KV-76",
    since="0.18",
    level="may",
    clauses={"a": "refused, or TryPreferredFlavors", "b": "the other mode stays"},
)
def test_mode_of_a_migration(kueue_cluster):
    def policy(**migration):
        return {"concurrentAdmissionPolicy": {"migration": migration}}

    name = kueue_cluster.names.name("cluster-queue")
    without = kueue_cluster.try_to_create("ClusterQueue", policy(), name=name)
    retains = kueue_cluster.make_object("ClusterQueue", spec=policy(mode="RetainFirstAdmission"))

    preferred = policy(mode="TryPreferredFlavors")
    either(
        "react",
        {
            "it is refused": lambda: without.is_invalid("spec.concurrentAdmissionPolicy.migration.mode"),
            "it has a mode": lambda: (
                without.is_accepted
                and kueue_cluster.existing_object("ClusterQueue", name).has_fields(**preferred)
            ),
        },
        until={"it is refused": "<0.21.0-rc.0"},
        clause="a",
    )
    assert retains.has_fields(**policy(mode="RetainFirstAdmission")), "b"
