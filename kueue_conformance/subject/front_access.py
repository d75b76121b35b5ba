"""Leads pods to a front in place of the API server, by another address, token and CA (H-47).

Such a client reads KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT,
and the files that are mounted at `MOUNT`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import yaml

from ..base.json_types import Json
from .manifests import LOADER

RUN_PODS = ("DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "StatefulSet")
MOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"
_VOLUME = "kueue-conformance-front"
_CONTAINERS = ("initContainers", "containers")


def account_of(objects: Sequence[Json]) -> str:
    """Return the user that the first pods of a manifest are to the API server."""
    return next(
        (_account(manifest) for manifest in objects if manifest["kind"] in RUN_PODS),
        "system:serviceaccount:default:default",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontAccess:
    """Where a front listens, and who comes there;
    the authority is in base64, as kubeconfigs and Secrets have it.
    """

    host: str
    port: str
    token: str
    authority: str
    account: str
    """Whose pods take it; those of others go to the API server."""

    @classmethod
    def of_kubeconfig(cls, path: str, account: str) -> Self:
        """Read what a front has written for one of its users."""
        kubeconfig = yaml.load(Path(path).read_text("utf-8"), Loader=LOADER)  # noqa: S506 - a safe loader
        cluster, user = kubeconfig["clusters"][0]["cluster"], kubeconfig["users"][0]["user"]
        server = urlsplit(cluster["server"])
        return cls(
            host=str(server.hostname),
            port=str(server.port),
            token=user["token"],
            authority=cluster["certificate-authority-data"],
            account=account,
        )

    def objects_through_front(self, obj: Json) -> list[Json]:
        """Return something that runs pods, with the Secret that leads them here; what runs those of others is
        as it was.
        """
        # Other pods of the manifest, a webhook or a database, are not the subject.
        if _account(obj) != self.account:
            return [obj]
        name = f"{obj['metadata']['name']}-front"
        metadata = {"name": name, "namespace": _namespace(obj)}
        secret = {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": metadata,
            "data": {"ca.crt": self.authority},
            # stringData is encoded by the API server; `data` wants base64, which the authority
            # already is.
            "stringData": {"token": self.token, "namespace": _namespace(obj)},
        }
        return [secret, _with_pod(obj, self._pod(_pod(obj), name))]

    def _pod(self, spec: Json, secret: str) -> Json:
        volume = {"name": _VOLUME, "secret": {"secretName": secret}}
        containers = {
            name: [self._container(container) for container in spec[name]]
            for name in _CONTAINERS
            if name in spec
        }
        return {**spec, **containers, "volumes": [*(spec.get("volumes") or ()), volume]}

    def _container(self, spec: Json) -> Json:
        ours = {"KUBERNETES_SERVICE_HOST": self.host, "KUBERNETES_SERVICE_PORT": self.port}
        # Of two variables of one name the last wins; the first is taken out so that no reader has
        # to know.
        env = [variable for variable in spec.get("env") or () if variable["name"] not in ours]
        # Two mounts at one path are refused by the API server.
        mounts = [
            mount for mount in spec.get("volumeMounts") or () if mount["mountPath"].rstrip("/") != MOUNT
        ]
        return {
            **spec,
            "env": [*env, *({"name": name, "value": value} for name, value in ours.items())],
            # The admission plugin ServiceAccount mounts a token of its own only where this path
            # is free.
            "volumeMounts": [*mounts, {"name": _VOLUME, "mountPath": MOUNT, "readOnly": True}],
        }


def _pod(obj: Json) -> Json:
    return (obj if obj["kind"] == "Pod" else obj["spec"]["template"])["spec"]


def _with_pod(obj: Json, pod: Json) -> Json:
    if obj["kind"] == "Pod":
        return {**obj, "spec": pod}
    return {**obj, "spec": {**obj["spec"], "template": {**obj["spec"]["template"], "spec": pod}}}


def _account(obj: Json) -> str:
    pod = _pod(obj)
    # serviceAccount is the deprecated name of the same field, and the server fills in both.
    name = pod.get("serviceAccountName") or pod.get("serviceAccount") or "default"
    return f"system:serviceaccount:{_namespace(obj)}:{name}"


def _namespace(obj: Json) -> str:
    return str(obj["metadata"].get("namespace") or "default")
