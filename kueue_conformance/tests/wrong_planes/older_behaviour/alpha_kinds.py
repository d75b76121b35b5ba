"""A v0.20 whose alpha kinds and fields are missing, or stored as they come."""

from reference_impl.api.crds.edition import Edition
from reference_impl.api.crds.queues import MODE_BY_DEFAULT
from reference_impl.api.crds.vocabulary import CelRule, SchemaKeywords
from reference_impl.kueue import install

from ...killing.planes import wrong
from ..workloads.definitions import change_definition
from .definitions_of_fields import OLD


@wrong((install, "alpha_definitions"), dialect="v0.20")
def serves_orchestrators_by_another_name(definitions, dialect):
    """Breaks KV-63: an orchestrator of quotas has a short name of its own; ADM-820 may catch it."""

    def rename(spec):
        spec["names"]["shortNames"] = ["quota"]

    return change_definition(definitions(dialect), "DynamicQuotaOrchestrator", rename)


@wrong((install, "alpha_definitions"), dialect="v0.20")
def takes_a_provider_too_many(definitions, dialect):
    """Breaks KV-63: an orchestrator may name nine providers; ADM-821 may catch it."""

    def raise_limit(spec):
        (version,) = spec["versions"]
        fields = version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
        fields["capacityDiscovery"]["properties"]["providers"]["maxItems"] = 9

    return change_definition(definitions(dialect), "DynamicQuotaOrchestrator", raise_limit)


@wrong((Edition, "has"), dialect="v0.20")
def takes_less_than_nothing_of_a_provider(has, edition, limit):
    """Breaks KV-63: the capacity of a provider may count negatively; ADM-821 may catch it."""
    is_rule = isinstance(limit, CelRule) and "must be non-negative" in limit.message
    return not is_rule and has(edition, limit)


@wrong((install, "alpha_definitions"), dialect="v0.20")
def lets_the_controller_of_a_provider_change(definitions, dialect):
    """Breaks KV-63: another controller may take a CapacityProvider over; ADM-822 may catch it."""

    def drop_rules(spec):
        (version,) = spec["versions"]
        fields = version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]
        del fields["controllerName"]["x-kubernetes-validations"]

    return change_definition(definitions(dialect), "CapacityProvider", drop_rules)


@wrong((install, "definitions"), dialect="v0.20")
def still_drops_effective_quotas(definitions, dialect):
    """Breaks KV-63: the status of a Cohort has no effectiveQuotas; ADM-823 may catch it."""

    def drop_quotas(spec):
        (version,) = spec["versions"]
        del version["schema"]["openAPIV3Schema"]["properties"]["status"]["properties"]["effectiveQuotas"]

    return change_definition(definitions(dialect), "Cohort", drop_quotas)


@wrong((Edition, "has"), dialect="0.21.0")
def still_wants_a_mode_of_a_migration(has, edition, limit):
    """Breaks KV-76: a migration without a mode is refused; ADM-824 may catch it."""
    is_default = isinstance(limit, SchemaKeywords) and limit.since == MODE_BY_DEFAULT
    return has(OLD if is_default else edition, limit)
