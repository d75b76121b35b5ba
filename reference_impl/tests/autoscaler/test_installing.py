"""--install: definitions come where there are none, and those of others stay."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from reference_impl.api.resource import Json
from reference_impl.autoscaler.dialects import NAMES, dialect
from reference_impl.autoscaler.installing import install
from reference_impl.runtime.clock import WallClock
from reference_impl.runtime.errors import ApiError, OutsideError
from reference_impl.runtime.log import Logger
from reference_impl.tests.test_installation import Recorder

OTHERS = ({"metadata": {"name": "provisioningrequests.autoscaling.x-k8s.io"}},)


class OfOthers(Recorder):
    """A cluster with a definition of its own, which serves nothing of ours."""

    async def list(self, resource: Any, namespace: str = "", **options: str) -> Json:
        if resource.kind == "ProvisioningRequest":
            raise ApiError(404, "NotFound", "not served")
        return await super().list(resource, namespace, **options)


def install_definitions(client: Any, name: str) -> list[tuple[str, list[str]]]:
    clock = WallClock()
    asyncio.run(install(client, clock, Logger(clock=clock, level="error"), dialect(name)))
    return [
        (obj["spec"]["names"]["kind"], [version["name"] for version in obj["spec"]["versions"]])
        for obj in client.applied
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_dialect_brings_its_definitions(name: str) -> None:
    expected = {"aep": [("ProvisioningRequest", ["v1alpha1aep"]), ("ProvisioningClass", ["v1alpha1"])]}
    assert install_definitions(Recorder(), name) == expected.get(
        name, [("ProvisioningRequest", ["v1", "v1beta1"])]
    )


def test_definitions_of_others_stay() -> None:
    assert install_definitions(Recorder(OTHERS), "ca-1.36") == []


def test_definitions_of_others_that_do_not_do_are_named() -> None:
    with pytest.raises(OutsideError, match="does not serve provisioningrequests"):
        install_definitions(OfOthers(OTHERS), "aep")
