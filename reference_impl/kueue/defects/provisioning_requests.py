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
        "v0.19.5 (#14916)",
        "provisioning.request_naming",
        names.CUT_AT_THE_END,
        names.CUT_BEFORE_THE_NUMBER,
    ),
    Defect(
        "PA-064",
        "podSets on different flavors are merged, and all asked for on the first one's",
        "",
        "provisioning.merge_keys",
        merging.MERGE_KEYS,
        merging.MERGE_KEYS_WITH_FLAVORS,
    ),
    Defect(
        "PA-131",
        "the request of a running Workload is deleted when its configuration changes",
        "",
        "provisioning.keeps_request",
        requests.keep_no_request,
        requests.keep_used_request,
    ),
    Defect(
        "PA-133",
        "a request whose annotation overrides a parameter is deleted and made again without end",
        "",
        "provisioning.is_in_sync",
        requests.has_configured_parameters,
        requests.has_effective_parameters,
    ),
    Defect(
        "PC-03",
        "a request that is deleted while its Workload is sent back is made again, and the retry is lost",
        "",
        "provisioning.next_attempt",
        provisioning.next_attempt,
        provisioning.next_attempt_when_pending,
    ),
    Defect(
        "PC-07",
        "a request of a Workload that is gone is taken over by one of the same name, with its answers",
        "",
        "provisioning.is_own_request",
        requests.is_owned_by_name,
        requests.is_owned,
    ),
    Defect(
        "PC-08",
        "PodTemplates of a request that is gone, and those of others, are used for the next one of their name, for which every look ends in an error",
        "v0.20.0 (#13015)",
        "provisioning.is_usable_template",
        templates.is_any_template,
        templates.is_own_template,
    ),
    Defect(
        "PC-13",
        "room is asked for a Workload that runs already, when a check comes to its ClusterQueue or its configuration comes back",
        "",
        "provisioning.needs_request",
        defect_pairs.needs_always,
        defect_pairs.needs_before_admission,
    ),
)
