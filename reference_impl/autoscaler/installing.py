"""Brings the kinds that an autoscaler answers into a cluster that has none (--install)."""

from __future__ import annotations

from reference_impl.api.crds import definitions_for_requests
from reference_impl.api.kinds import CRDS
from reference_impl.runtime.client import Client
from reference_impl.runtime.clock import Clock
from reference_impl.runtime.errors import OutsideError
from reference_impl.runtime.installing import (
    answers,
    apply,
    is_of_others,
    wait_until_established,
    wait_until_served,
)
from reference_impl.runtime.log import Logger

from .rules import AutoscalerRules

NAME = "kueue-autoscaler"


async def install(client: Client, clock: Clock, log: Logger, rules: AutoscalerRules) -> None:
    """Make the definitions of a dialect and return when requests are served; one that the cluster had stays.

    Raises OutsideError.
    """
    definitions = definitions_for_requests(rules.definition_source)
    if await is_of_others(client, definitions[0]):
        if not await answers(client, rules.request_resource):
            raise OutsideError(
                f"the cluster has a definition of its own, which does not serve {rules.request_resource}"
            )
        return
    for definition in definitions:
        await apply(client, CRDS, definition, manager=NAME)
    await wait_until_established(client, clock, log, definitions)
    await wait_until_served(client, clock, rules.request_resource)
