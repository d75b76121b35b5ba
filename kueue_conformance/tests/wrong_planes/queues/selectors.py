"""Wrong about forms of selectors: of namespaces, of nodes, and of taints (Q-065, Q-158, Q-159)."""

from reference_impl.kueue.scheduling import flavor_fit
from reference_impl.pods import selectors, tolerations

from ...killing.planes import wrong

NEVER = {"key": "example.com/zone", "operator": "In", "values": []}
"""A requirement that no flavor of the scenarios meets."""


@wrong((selectors, "matches"))
def takes_an_absent_selector_for_an_empty_one(matches, selector, labels):
    """Breaks Q-065: admits from every namespace when there is no selector; QUE-621[absent] must catch it."""
    return matches(selector or {}, labels)


@wrong((selectors, "matches"))
def takes_an_empty_selector_for_an_absent_one(matches, selector, labels):
    """Breaks Q-065: admits from no namespace when the selector is empty; QUE-620[empty] must catch it."""
    return bool(selector) and matches(selector, labels)


@wrong((selectors, "matches"))
def reads_labels_or_requirements(matches, selector, labels):
    """Breaks Q-065: does not look at requirements beside labels;
    QUE-621[label-and-other-requirement] must catch it.
    """
    labels_alone = selector and selector.get("matchLabels")
    return matches({"matchLabels": labels_alone} if labels_alone else selector, labels)


@wrong((selectors, "matches"))
def reads_no_labels_beside_requirements(matches, selector, labels):
    """Breaks Q-065: does not look at labels beside requirements;
    QUE-621[requirement-and-other-label] must catch it.
    """
    requirements = selector and selector.get("matchExpressions")
    return matches({"matchExpressions": requirements} if requirements else selector, labels)


@wrong((selectors, "matches"))
def is_content_with_one_label(matches, selector, labels):
    """Breaks Q-065: admits from a namespace when one label of several holds;
    QUE-621[one-label-of-two] must catch it.
    """
    named = (selector or {}).get("matchLabels") or {}
    return matches(selector, {**labels, **named} if named.items() & labels.items() else labels)


@wrong((selectors, "matches"))
def is_content_with_one_requirement(matches, selector, labels):
    """Breaks Q-065: admits from a namespace when one requirement of several holds;
    QUE-621[last-of-several] must catch it.
    """
    requirements = (selector or {}).get("matchExpressions")
    if not requirements:
        return matches(selector, labels)
    return any(matches({**selector, "matchExpressions": [only]}, labels) for only in requirements)


@wrong((selectors, "matches"))
def reads_the_first_requirement(matches, selector, labels):
    """Breaks Q-065: looks at the first requirement of a selector alone;
    QUE-621[last-of-several] must catch it.
    """
    requirements = (selector or {}).get("matchExpressions") or ()
    return matches(selector and {**selector, "matchExpressions": [*requirements[:1]]}, labels)


@wrong((selectors, "satisfies"))
def needs_the_label_that_it_must_not_have(satisfies, expression, labels):
    """Breaks Q-065: takes NotIn for false where there is no such label;
    QUE-620[not-in-without-the-label] must catch it.
    """
    is_absent = expression["operator"] == "NotIn" and expression["key"] not in labels
    return not is_absent and satisfies(expression, labels)


@wrong((selectors, "satisfies"))
def knows_in_and_exists(satisfies, expression, labels):
    """Breaks Q-065: takes a requirement of an operator that it does not know for met;
    QUE-621[not-in-its-own] must catch it.
    """
    return expression["operator"] not in {"In", "Exists"} or satisfies(expression, labels)


@wrong((selectors, "satisfies"))
def takes_what_does_not_exist_for_an_empty_value(satisfies, expression, labels):
    """Breaks Q-065: takes DoesNotExist for In without values; QUE-620[does-not-exist] must catch it."""
    return expression["operator"] != "DoesNotExist" and satisfies(expression, labels)


@wrong((selectors, "satisfies"))
def compares_with_equality(satisfies, expression, labels):
    """Breaks Q-159: takes Gt and Lt for greater or equal and less or equal;
    QUE-622[greater-than-its-own] must catch it.
    """
    own = {"Gt", "Lt"} & {expression["operator"]} and labels.get(expression["key"]) in expression["values"]
    return bool(own) or satisfies(expression, labels)


@wrong((selectors, "satisfies"))
def compares_numbers_as_texts(satisfies, expression, labels):
    """Breaks Q-159: compares the numbers of Gt and Lt as texts; QUE-622[greater] must catch it."""
    operator, value = expression["operator"], labels.get(expression["key"], "")
    if operator not in {"Gt", "Lt"}:
        return satisfies(expression, labels)
    return value > expression["values"][0] if operator == "Gt" else value < expression["values"][0]


def with_terms(pod_spec, change):
    """Return the spec of a pod with other terms of its required node affinity."""
    terms = flavor_fit._required_terms(pod_spec)
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": change(terms)}}
    return {**pod_spec, "affinity": {"nodeAffinity": required}} if terms else pod_spec


@wrong((flavor_fit, "_matches_node_affinity"))
def reads_the_first_term(matches, pod_spec, labels, keys):
    """Breaks Q-159: looks at the first term of an affinity alone;
    QUE-622[second-of-two-terms] must catch it.
    """
    return matches(with_terms(pod_spec, lambda terms: terms[:1]), labels, keys)


@wrong((flavor_fit, "_matches_node_affinity"))
def reads_two_terms(matches, pod_spec, labels, keys):
    """Breaks Q-159: looks at two terms of an affinity; QUE-622[last-of-three-terms] must catch it."""
    return matches(with_terms(pod_spec, lambda terms: terms[:2]), labels, keys)


@wrong((flavor_fit, "_matches_node_affinity"))
def needs_every_term(matches, pod_spec, labels, keys):
    """Breaks Q-159: takes a flavor when all terms of an affinity hold;
    QUE-622[second-of-two-terms] must catch it.
    """
    terms = flavor_fit._required_terms(pod_spec)
    alone = [with_terms(pod_spec, lambda _, term=term: [term]) for term in terms] or [pod_spec]
    return all(matches(spec, labels, keys) for spec in alone)


@wrong((flavor_fit, "_matches_node_affinity"))
def needs_one_requirement_of_a_term(matches, pod_spec, labels, keys):
    """Breaks Q-159: takes a flavor when one requirement of a term holds;
    QUE-622[every-requirement-of-a-term] must catch it.
    """

    def split(terms):
        return [
            {"matchExpressions": [only]} for term in terms for only in term.get("matchExpressions") or [{}]
        ]

    return matches(with_terms(pod_spec, split), labels, keys)


@wrong((flavor_fit, "_matches_node_affinity"))
def mixes_the_requirements_of_terms(matches, pod_spec, labels, keys):
    """Breaks Q-159: reads all terms as one; QUE-622[last-of-three-terms] must catch it."""

    def merge(terms):
        requirements = [only for term in terms for only in term.get("matchExpressions") or ()]
        return [{"matchExpressions": requirements}]

    return matches(with_terms(pod_spec, merge), labels, keys)


@wrong((flavor_fit, "_required_terms"))
def requires_what_is_preferred(required_terms, pod_spec):
    """Breaks Q-159: takes a preferred term for a required one; QUE-622[preferred] must catch it."""
    node_affinity = (pod_spec.get("affinity") or {}).get("nodeAffinity") or {}
    preferred = node_affinity.get("preferredDuringSchedulingIgnoredDuringExecution") or ()
    return [*required_terms(pod_spec), *(weighted["preference"] for weighted in preferred)]


@wrong((flavor_fit, "_required_terms"))
def reads_no_affinity_beside_a_selector(required_terms, pod_spec):
    """Breaks Q-159: does not look at the affinity of a pod that has a node selector;
    QUE-623[selector-and-affinity] must catch it.
    """
    return () if pod_spec.get("nodeSelector") else required_terms(pod_spec)


@wrong((flavor_fit, "_required_terms"))
def takes_no_flavor_by_fields(required_terms, pod_spec):
    """Breaks Q-159: takes no flavor for pods that name a node by a field; QUE-622[field] must catch it."""
    return [
        {"matchExpressions": [NEVER]} if term.get("matchFields") else term
        for term in required_terms(pod_spec)
    ]


@wrong((flavor_fit, "_matches_node_affinity"))
def drops_terms_of_no_flavor(matches, pod_spec, labels, keys):
    """Breaks Q-159: leaves out a term whose keys no flavor has, and judges by the others;
    QUE-622[term-of-no-flavor] must catch it.
    """

    def with_keys(terms):
        return [
            term for term in terms if any(only["key"] in keys for only in term.get("matchExpressions") or ())
        ] or terms

    return matches(with_terms(pod_spec, with_keys), labels, keys)


@wrong((flavor_fit, "_matches_node_affinity"))
def judges_by_every_key(matches, pod_spec, labels, keys):
    """Breaks Q-159: takes no flavor for pods that select labels which no flavor has;
    QUE-622[selector-of-no-flavor] must catch it.
    """
    return matches(pod_spec, labels, keys | (pod_spec.get("nodeSelector") or {}).keys())


@wrong((flavor_fit, "_matches_node_affinity"))
def compares_one_label_of_a_selector(matches, pod_spec, labels, keys):
    """Breaks Q-159: takes a flavor with one of the labels that are selected;
    QUE-623[selector-of-both] must catch it.
    """
    selector = pod_spec.get("nodeSelector") or {}
    alone = [{**pod_spec, "nodeSelector": {key: value}} for key, value in selector.items()]
    return any(matches(spec, labels, keys) for spec in alone or [pod_spec])


@wrong((tolerations, "find_untolerated"))
def is_repelled_by_preferences(find_untolerated, taints, tolerated):
    """Breaks Q-158: takes PreferNoSchedule for NoSchedule; QUE-624[preferred] must catch it."""
    repelling = [{**taint, "effect": taint["effect"].removeprefix("Prefer")} for taint in taints]
    return find_untolerated(repelling, tolerated)


@wrong((tolerations, "find_untolerated"))
def ends_at_a_preference(find_untolerated, taints, tolerated):
    """Breaks Q-158: looks at no taint after a PreferNoSchedule;
    QUE-624[preferred-beside-another] must catch it.
    """
    effects = [taint["effect"] for taint in taints]
    end = effects.index("PreferNoSchedule") if "PreferNoSchedule" in effects else len(effects)
    return find_untolerated(taints[:end], tolerated)


@wrong((tolerations, "find_untolerated"))
def is_repelled_by_no_schedule_alone(find_untolerated, taints, tolerated):
    """Breaks Q-158: runs pods where a taint of NoExecute ends them; QUE-624[no-execute] must catch it."""
    return find_untolerated([taint for taint in taints if taint["effect"] == "NoSchedule"], tolerated)


@wrong((tolerations, "find_untolerated"))
def looks_at_the_first_taint(find_untolerated, taints, tolerated):
    """Breaks Q-158: looks at the first taint of a flavor alone; QUE-624[first-of-two] must catch it."""
    return find_untolerated(taints[:1], tolerated)


@wrong((tolerations, "find_untolerated"))
def looks_at_the_last_taint(find_untolerated, taints, tolerated):
    """Breaks Q-158: looks at the last taint of a flavor alone; QUE-624[second-of-two] must catch it."""
    return find_untolerated(taints[-1:], tolerated)


@wrong((tolerations, "find_untolerated"))
def reads_two_tolerations(find_untolerated, taints, tolerated):
    """Breaks Q-158: looks at two tolerations of a pod; QUE-624[last-of-three] must catch it."""
    return find_untolerated(taints, tolerated[:2])


@wrong((tolerations, "_tolerates"))
def needs_a_key(tolerates, toleration, taint):
    """Breaks Q-158: knows no toleration without a key; QUE-624[any-taint] must catch it."""
    return bool(toleration.get("key")) and tolerates(toleration, taint)


@wrong((tolerations, "_tolerates"))
def tolerates_every_effect_without_a_key(tolerates, toleration, taint):
    """Breaks Q-158: takes a toleration without a key for one of every effect;
    QUE-624[any-taint-of-another-effect] must catch it.
    """
    return not toleration.get("key") or tolerates(toleration, taint)


@wrong((tolerations, "_tolerates"))
def needs_an_effect(tolerates, toleration, taint):
    """Breaks Q-158: knows no toleration without an effect; QUE-624[any-effect] must catch it."""
    return toleration.get("effect") == taint["effect"] and tolerates(toleration, taint)


@wrong((tolerations, "_tolerates"))
def compares_no_effects(tolerates, toleration, taint):
    """Breaks Q-158: does not compare effects; QUE-624[key-of-another-effect] must catch it."""
    return tolerates({**toleration, "effect": ""}, taint)


@wrong((tolerations, "_tolerates"))
def needs_an_operator(tolerates, toleration, taint):
    """Breaks Q-158: knows no toleration without an operator; QUE-624[operator-is-equal] must catch it."""
    return bool(toleration.get("operator")) and tolerates(toleration, taint)


@wrong((tolerations, "_tolerates"))
def takes_no_operator_for_exists(tolerates, toleration, taint):
    """Breaks Q-158: takes a toleration without an operator for one of every value;
    QUE-624[operator-is-equal-to-another] must catch it.
    """
    return tolerates({"operator": "Exists", **toleration}, taint)


@wrong((tolerations, "_tolerates"))
def needs_a_value(tolerates, toleration, taint):
    """Breaks Q-158: knows no value that is empty; QUE-624[value-is-empty] must catch it."""
    is_equal = toleration.get("operator", "Equal") == "Equal"
    return not (is_equal and not toleration.get("value")) and tolerates(toleration, taint)


@wrong((tolerations, "_tolerates"))
def takes_no_value_for_every_value(tolerates, toleration, taint):
    """Breaks Q-158: takes a toleration without a value for one of every value;
    QUE-624[value-is-empty-for-another] must catch it.
    """
    return tolerates(toleration if toleration.get("value") else {**toleration, "operator": "Exists"}, taint)


@wrong((tolerations, "_tolerates"))
def tolerates_for_ever_or_not_at_all(tolerates, toleration, taint):
    """Breaks Q-158: takes a toleration for some seconds for none; QUE-624[for-some-seconds] must catch it."""
    return "tolerationSeconds" not in toleration and tolerates(toleration, taint)


@wrong((flavor_fit, "check_flavor"))
def reads_no_tolerations_of_flavors(check_flavor, pod_spec, name, flavor, keys):
    """Breaks Q-158: does not look at the tolerations of a flavor; QUE-624[flavor] must catch it."""
    return check_flavor(pod_spec, name, {**flavor, "spec": {**flavor["spec"], "tolerations": []}}, keys)


@wrong((flavor_fit, "check_flavor"))
def reads_tolerations_of_flavors_or_of_pods(check_flavor, pod_spec, name, flavor, keys):
    """Breaks Q-158: looks at the tolerations of a flavor where its pods have none;
    QUE-624[flavor-and-pods] must catch it.
    """
    mine = pod_spec.get("tolerations") or flavor["spec"].get("tolerations") or []
    changed = {**flavor, "spec": {**flavor["spec"], "tolerations": []}}
    return check_flavor({**pod_spec, "tolerations": mine}, name, changed, keys)


@wrong((flavor_fit, "check_flavor"))
def takes_every_flavor_that_tolerates_something(check_flavor, pod_spec, name, flavor, keys):
    """Breaks Q-158: takes a flavor with a toleration for one that tolerates its taints;
    QUE-624[flavor-another] must catch it.
    """
    has_tolerations = bool(flavor["spec"].get("tolerations"))
    changed = {**flavor, "spec": {**flavor["spec"], "nodeTaints": []}} if has_tolerations else flavor
    return check_flavor(pod_spec, name, changed, keys)
