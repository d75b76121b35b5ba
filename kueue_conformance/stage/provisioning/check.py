"""An AdmissionCheck whose controller makes ProvisioningRequests, and the configuration that it refers to."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact
from ..checks.check import Check
from ..making import manifests

CONFIG = "ProvisioningRequestConfig"


def reference(config: str, *, group: str = "kueue.x-k8s.io", kind: str = CONFIG) -> Json:
    """Return the reference of an AdmissionCheck to its parameters."""
    return {"apiGroup": group, "kind": kind, "name": config}


class ProvisioningCheck(Check):
    """A check of the judged controller, with its configuration."""

    def __init__(self, context: CaseContext, name: str, config: str) -> None:
        super().__init__(context, name)
        self.config = config

    def is_inactive_for(self, reason: str, message: str) -> Fact:
        """Its Active condition is False with exactly this reason and text."""
        condition = self._active()
        observed = tuple(condition.get(key) for key in ("status", "reason", "message"))
        expected = ("False", reason, message)
        return Fact(
            observed == expected, f"AdmissionCheck {self.name} is Active {expected}", f"it is {observed}"
        )

    def is_active_for(self, reason: str, message: str) -> Fact:
        """Its Active condition is True with exactly this reason and text."""
        condition = self._active()
        observed = tuple(condition.get(key) for key in ("status", "reason", "message"))
        return Fact(
            observed == ("True", reason, message),
            f"AdmissionCheck {self.name} is Active",
            f"it is {observed}",
        )

    def set_config(self, config: str) -> None:
        """Refer to another configuration."""
        self.set_parameters(reference(config))

    def change_config(self, **spec: Json) -> None:
        """Change fields of the configuration; None removes a field."""
        self._context.client.merge(CONFIG, self.config, {"spec": spec})

    def set_retry_strategy(self, limit: int, *, wait: int = 0, longest: int = 1800) -> None:
        """Change how often and after which seconds the configuration has it try again."""
        self.change_config(retryStrategy=retry_strategy(limit, wait, longest))

    def delete_config(self) -> None:
        """Delete the configuration."""
        self._context.client.delete(CONFIG, self.config)

    def create_config(self, **spec: Json) -> None:
        """Create the configuration that it refers to."""
        self._context.client.create(config(self.config, **spec))


def retry_strategy(limit: int, wait: int, longest: int) -> Json:
    """Return a retry strategy: the number of retries, and the first and longest delay in seconds."""
    return {"backoffLimitCount": limit, "backoffBaseSeconds": wait, "backoffMaxSeconds": longest}


def config(
    name: str,
    *,
    class_name: str = "check-capacity.autoscaling.x-k8s.io",
    limit: int = 3,
    wait: int = 0,
    longest: int = 1800,
    parameters: Mapping[str, str] | None = None,
    manages: tuple[str, ...] = (),
    merges: str = "",
    node_labels: Mapping[str, str] | None = None,
    **spec: Json,
) -> Json:
    """Return a ProvisioningRequestConfig; `node_labels` are those whose value a class detail brings, by
    label. `spec` adds fields.
    """
    labels = [
        {"key": key, "valueFromProvisioningClassDetail": detail}
        for key, detail in (node_labels or {}).items()
    ]
    body = {
        "provisioningClassName": class_name,
        "retryStrategy": retry_strategy(limit, wait, longest),
        **({"parameters": dict(parameters)} if parameters else {}),
        **({"managedResources": list(manages)} if manages else {}),
        **({"podSetMergePolicy": merges} if merges else {}),
        **({"podSetUpdates": {"nodeSelector": labels}} if labels else {}),
        **spec,
    }
    return {"kind": CONFIG, "metadata": {"name": name}, "spec": body}


def check(name: str, controller: str, parameters: Json) -> Json:
    """Return the AdmissionCheck."""
    return manifests.admission_check(name, controller, parameters)
