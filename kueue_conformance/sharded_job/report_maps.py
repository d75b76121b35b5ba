"""Reports in ConfigMaps: written by the Pod of a shard, read by the one that puts them together.

A report is packed with gzip, for a ConfigMap holds 1 MiB. It belongs to the Job that wrote it: those of an
earlier Job of the same name do not count, and go with it.
"""

from __future__ import annotations

import base64
import gzip
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ..base.errors import EnvironmentProblem, UsageError
from ..programs.polling import still_missing

KEY = "report.yaml.gz"
_MOST_BYTES = 1 << 20
_NOT_FOUND, _CONFLICT = 404, 409


@dataclass(frozen=True, slots=True)
class Owner:
    """The Job to which ConfigMaps of shards belong."""

    name: str
    uid: str

    @classmethod
    def of(cls, text: str) -> Owner:
        """Return the owner that NAME/UID names. Raises UsageError."""
        name, _, uid = text.partition("/")
        if not name or not uid:
            raise UsageError(
                f"--owner is {text!r}, expected NAME/UID of a Job",
                hint="write the name and metadata.uid of the Job",
            )
        return cls(name, uid)

    def reference(self) -> dict[str, str]:
        """Return the owner reference of an object."""
        return {"apiVersion": "batch/v1", "kind": "Job", "name": self.name, "uid": self.uid}


class ReportMaps:
    """The ConfigMaps of a namespace, through the official client: `api` is a CoreV1Api."""

    def __init__(self, api: Any, namespace: str) -> None:
        self._api = api
        self._namespace = namespace

    def publish(self, name: str, report: str, owner: Owner | None) -> None:
        """Write a report into a ConfigMap, in place of an earlier one.

        Raises UsageError when it is too large, EnvironmentProblem when the server refuses it.
        """
        packed = gzip.compress(report.encode(), mtime=0)
        data = base64.b64encode(packed).decode()
        if len(packed) > _MOST_BYTES:
            raise UsageError(
                f"the report for ConfigMap {name!r} has {len(packed)} bytes with gzip, expected at most {_MOST_BYTES}",
                hint="run fewer profiles or dialects at once, or take more shards",
            )
        body = {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": name, "ownerReferences": [owner.reference()] if owner else []},
            "binaryData": {KEY: data},
        }
        with _refusals(f"ConfigMap {self._namespace}/{name} cannot be written"):
            if (
                _or_none(lambda: self._api.create_namespaced_config_map(self._namespace, body), _CONFLICT)
                is None
            ):
                self._api.replace_namespaced_config_map(name, self._namespace, body)

    def read(self, name: str, owner: Owner | None) -> str | None:
        """Return the report of a ConfigMap, None where there is none of this owner.

        Raises EnvironmentProblem.
        """
        with _refusals(f"ConfigMap {self._namespace}/{name} cannot be read"):
            config_map = _or_none(
                lambda: self._api.read_namespaced_config_map(name, self._namespace), _NOT_FOUND
            )
        if config_map is None:
            return None
        uids = {reference.uid for reference in config_map.metadata.owner_references or ()}
        if owner and owner.uid not in uids:
            return None
        try:
            return gzip.decompress(base64.b64decode((config_map.binary_data or {})[KEY])).decode()
        except (KeyError, ValueError, OSError, EOFError, zlib.error) as problem:
            raise EnvironmentProblem(
                f"ConfigMap {self._namespace}/{name} holds no report in binaryData[{KEY!r}]: {problem}",
                hint="delete it, and let its shard run again",
            ) from problem

    def wait(self, names: Sequence[str], owner: Owner | None, seconds: float) -> Mapping[str, str]:
        """Return the reports that are there when all are, or when the time is over, by their names."""
        reports: dict[str, str] = {}

        def missing() -> str:
            for name in names:
                if name not in reports and (report := self.read(name, owner)) is not None:
                    reports[name] = report
            return ", ".join(name for name in names if name not in reports)

        still_missing(missing, seconds)
        return {name: reports[name] for name in names if name in reports}


def connect(namespace: str) -> ReportMaps:
    """Return the ConfigMaps of a namespace of the cluster that KUBECONFIG names, or in which this Pod runs.

    Raises UsageError.
    """
    from kubernetes import client, config
    from kubernetes.config import ConfigException

    # Not `load_config`, which prints of a Pod that this might not work.
    in_pod = "KUBERNETES_SERVICE_HOST" in os.environ and not os.environ.get("KUBECONFIG")
    try:
        config.load_incluster_config() if in_pod else config.load_kube_config()
    except (ConfigException, OSError, TypeError, ValueError) as problem:
        raise UsageError(
            f"no cluster is named: {problem}", hint="set KUBECONFIG, or run it in a Pod with an account"
        ) from problem
    return ReportMaps(client.CoreV1Api(), namespace)


def _or_none(ask: Callable[[], Any], status: int) -> Any:
    from kubernetes.client import ApiException

    try:
        return ask()
    except ApiException as error:
        if error.status != status:
            raise
    return None


@contextmanager
def _refusals(problem: str) -> Iterator[None]:
    from kubernetes.client import ApiException
    from urllib3.exceptions import HTTPError

    try:
        yield
    except ApiException as error:
        raise EnvironmentProblem(
            f"{problem}: {error.status} {error.reason}",
            hint="check the rights of the account in its namespace",
        ) from error
    except HTTPError as error:
        raise EnvironmentProblem(f"{problem}: {error}", hint="check the address of the cluster") from error
