"""Defects in ProvisioningRequests: names, owners, templates, when they are created and deleted."""

from __future__ import annotations

from typing import Final

from ..provisioning import decide as provisioning
from ..provisioning import defect_pairs, merging, names, templates
from ..provisioning import fitting as requests
from .defect import Defect

DEFECTS: Final = (
    Defect(
        "PA-051",
        "requests with long names are deleted and made again without end, or refused for a name that was cut at a dot (PC-22)",
        fixed_in=("0.19.5", "0.20.0"),
        report=(14916,),
        member="provisioning.request_naming",
        observed=names.CUT_AT_THE_END,
        corrected=names.CUT_BEFORE_THE_NUMBER,
    ),
    Defect(
        "PA-064",
        "podSets on different flavors are merged, and all asked for on the first one's",
        fixed_in=(),
        report=(),
        member="provisioning.merge_keys",
        observed=merging.MERGE_KEYS,
        corrected=merging.MERGE_KEYS_WITH_FLAVORS,
    ),
    Defect(
        "PA-131",
        "the request of a running Workload is deleted when its configuration changes",
        fixed_in=(),
        report=(),
        member="provisioning.keeps_request",
        observed=requests.keep_no_request,
        corrected=requests.keep_used_request,
    ),
    Defect(
        "PA-133",
        "a request whose annotation overrides a parameter is deleted and made again without end",
        fixed_in=(),
        report=(),
        member="provisioning.is_in_sync",
        observed=requests.has_configured_parameters,
        corrected=requests.has_effective_parameters,
    ),
    Defect(
        "PC-03",
        "a request that is deleted while its Workload is sent back is made again, and the retry is lost",
        fixed_in=(),
        report=(),
        member="provisioning.next_attempt",
        observed=provisioning.next_attempt,
        corrected=provisioning.next_attempt_when_pending,
    ),
    Defect(
        "PC-07",
        "a request of a Workload that is gone is taken over by one of the same name, with its answers",
        fixed_in=(),
        report=(),
        member="provisioning.is_own_request",
        observed=requests.is_owned_by_name,
        corrected=requests.is_owned,
    ),
    Defect(
        "PC-08",
        "PodTemplates of a request that is gone, and those of others, are used for the next one of their name, for which every look ends in an error",
        fixed_in=("0.20.0",),
        report=(13015,),
        member="provisioning.is_usable_template",
        observed=templates.is_any_template,
        corrected=templates.is_own_template,
    ),
    Defect(
        "PC-13",
        "room is asked for a Workload that runs already, when a check comes to its ClusterQueue or its configuration comes back",
        fixed_in=(),
        report=(),
        member="provisioning.needs_request",
        observed=defect_pairs.needs_always,
        corrected=defect_pairs.needs_before_admission,
    ),
)
