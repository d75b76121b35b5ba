"""A v0.20 whose definitions still limit fields as those of v0.19.2 do."""

from reference_impl.api.crds.edition import Edition
from reference_impl.api.crds.stored import IMMUTABLE, MUTABLE_ABOVE
from reference_impl.api.crds.vocabulary import CelRule, SchemaKeywords
from reference_impl.api.crds.workload import LIMITED_SLICES, NO_PODS_WOULD_DO
from reference_impl.api.releases import Row, by_release
from reference_impl.kueue.webhooks import answers

from ...killing.planes import instead, wrong

OLD = Edition("v0.19", (0, 19, 2))


@wrong((Edition, "has"), dialect="v0.20")
def still_pins_the_labels_of_a_flavor(has, edition, limit):
    """Breaks KV-22: labels of a flavor with a topology are immutable; ADM-785 must catch it."""
    is_rule = isinstance(limit, CelRule) and limit.message.startswith(("nodeLabels", "tolerations"))
    return has(OLD if is_rule else edition, limit)


@wrong((Edition, "has"), dialect="v0.20")
def still_pins_the_levels_of_a_topology(has, edition, limit):
    """Breaks KV-23: levels of a Topology are immutable; ADM-786 must catch it."""
    is_rule = isinstance(limit, CelRule) and limit.message in (IMMUTABLE, MUTABLE_ABOVE)
    return has(OLD if is_rule else edition, limit)


@wrong((Edition, "has"), dialect="v0.20")
def still_takes_any_size_of_slices(has, edition, limit):
    """Breaks KV-24: sizes of slices and counts of groups have no minimum; ADM-787 must catch it."""
    is_minimum = isinstance(limit, SchemaKeywords) and limit.since == LIMITED_SLICES
    return has(OLD if is_minimum else edition, limit)


@wrong((Edition, "has"), dialect="v0.20")
def still_wants_a_pod_at_least(has, edition, limit):
    """Breaks KV-59: a minCount of 0 is refused; ADM-788 may catch it."""
    is_minimum = isinstance(limit, SchemaKeywords) and NO_PODS_WOULD_DO in (limit.since, limit.gone)
    return has(OLD if is_minimum else edition, limit)


instead(
    answers,
    "SERVES_CONVERSION",
    by_release(Row("KV-32", (0, 6), value=False)),
    "Breaks KV-32: nothing converts what older releases have stored; ADM-832 may catch it.",
    called="still_serves_no_conversion",
    dialect="v0.20",
)
