"""Faults that a release of Kueue had and a later one mended, where no other wrong control plane has them."""

from dataclasses import replace

from reference_impl.kueue import composition
from reference_impl.kueue.deployment import users
from reference_impl.kueue.jobs import priority
from reference_impl.kueue.provisioning import names, templates
from reference_impl.kueue.provisioning.writing import StepExecutor
from reference_impl.kueue.quota.consumption import Consumption
from reference_impl.kueue.webhooks import workloads, writes
from reference_impl.runtime import recorder

from ...killing.planes import instead, wrong
from ..workloads.definitions import without

instead(
    recorder,
    "NOTE_LIMIT",
    10**6,
    "Breaks AC-274: emits notes that the API server refuses; ADM-058 may catch it.",
    called="emits_notes_of_any_length",
)


@wrong((StepExecutor, "_tell_change"))
def tells_no_change_of_a_check(_right, _self, _workload, _change):
    """Breaks PA-121: a new state of a check has no event; PRC-009 should catch it."""


@wrong((Consumption, "sample"))
def counts_no_consumption(right, self, local_queue, _usage, current_time):
    """Breaks AC-077: what a LocalQueue has consumed is cut to zero; QUE-234 must catch it."""
    return right(self, local_queue, {}, current_time)


@wrong((writes, "problems"))
def takes_a_reservation_without_an_admission(right, rules, *args):
    """Breaks AC-113: takes QuotaReserved of a Workload without an admission; ADM-166 should catch it."""
    return right(without(rules, workloads.admission), *args)


@wrong((composition, "dialect_of"), dialect="v0.20")
def still_cuts_the_number_of_a_request(right, config):
    """Breaks KV-41: a long name of a request is cut at its end, with its number; PRC-210 may catch it."""
    dialect = right(config)
    return replace(dialect, provisioning=replace(dialect.provisioning, request_naming=names.CUT_AT_THE_END))


@wrong((templates, "has_expected_contents"), dialect="v0.20")
def still_uses_templates_of_others(_, template, expected, workload):
    """Breaks KV-43: a template is used whatever its contents are; PRC-212 may catch it."""
    return True


@wrong((templates, "has_expected_contents"), dialect="v0.20")
def compares_a_template_by_its_spec(has_expected_contents, template, expected, workload):
    """Breaks KV-43: labels of a template's pods are not compared; PRC-212 may catch it."""
    specs = ({"template": {"spec": (obj.get("template") or {}).get("spec")}} for obj in (template, expected))
    return has_expected_contents(*specs, workload)


@wrong((priority, "report_missing_class"), dialect="v0.20")
def still_says_nothing_of_a_missing_class(_, missing):
    """Breaks KV-20: a Job that names a missing priority class has no event; ADM-789 should catch it."""
    return


@wrong((users, "_audiences"), dialect="v0.20")
def still_has_administrators_of_queues_alone(_, rules):
    """Breaks KV-64: batch administrators have no rights to checks and classes; VSB-160 may catch it."""
    return users.AUDIENCES
