"""The program itself: its configuration, the Deployment of its replicas, and how many of them may be away."""

from __future__ import annotations

import hashlib
from typing import Final

import yaml

from ...api.kinds import CONFIG_MAPS
from ...api.resource import Json, Resource
from ..config import API_VERSION, KIND, VISIBILITY_PORT
from .site import LABELS, NAME, Site, make_object

DEPLOYMENTS: Final = Resource(group="apps", version="v1", plural="deployments", kind="Deployment")
BUDGETS: Final = Resource(
    group="policy", version="v1", plural="poddisruptionbudgets", kind="PodDisruptionBudget"
)

WEBHOOK_PORT: Final = 9443
HEALTH_PORT: Final = 8081
METRICS_PORT: Final = 8080
PORTS: Final = {
    "webhooks": WEBHOOK_PORT,
    "visibility": VISIBILITY_PORT,
    "health": HEALTH_PORT,
    "metrics": METRICS_PORT,
}
FOLDER: Final = "/etc/kueue-reference"
FILE: Final = "config.yaml"
USER: Final = 65532
PROBES: Final = {
    "startupProbe": ("/healthz", {"periodSeconds": 1, "failureThreshold": 60}),
    "livenessProbe": ("/healthz", {"periodSeconds": 10, "failureThreshold": 3}),
    "readinessProbe": ("/readyz", {"periodSeconds": 2, "failureThreshold": 2}),
}
RESOURCES: Final = {
    "requests": {"cpu": "100m", "memory": "128Mi"},
    "limits": {"cpu": "2", "memory": "512Mi"},
}
STOPPING_SECONDS: Final = 10
# For so long a replica that goes still answers: until then some node may send calls of
# webhooks to it.
LEAVING_SECONDS: Final = 3


def configuration(site: Site) -> str:
    """Return the Configuration that every replica reads."""
    description = {
        "apiVersion": API_VERSION,
        "kind": KIND,
        "namespace": site.namespace,
        "leaderElection": {"leaderElect": True},
        "health": {"healthProbeBindAddress": f":{HEALTH_PORT}"},
        "metrics": {"bindAddress": f":{METRICS_PORT}"},
        "webhook": {"port": WEBHOOK_PORT},
        "visibilityServer": {"bindPort": VISIBILITY_PORT},
        "internalCertManagement": {"enable": True},
    }
    return yaml.safe_dump(description, sort_keys=False)


def program(site: Site) -> tuple[Json, ...]:
    """Return the configuration, the Deployment and the budget of disruptions."""
    selector = {"matchLabels": dict(LABELS)}
    deployment = {
        "replicas": site.replicas,
        "selector": selector,
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
        "template": {
            "metadata": {"labels": dict(LABELS), "annotations": {f"{NAME}/configuration": _digest(site)}},
            "spec": _pod(site),
        },
    }
    return (
        make_object(CONFIG_MAPS, NAME, site.namespace, data={FILE: configuration(site)}),
        make_object(DEPLOYMENTS, NAME, site.namespace, spec=deployment),
        make_object(BUDGETS, NAME, site.namespace, spec={"maxUnavailable": 1, "selector": selector}),
    )


def _digest(site: Site) -> str:
    # A Deployment restarts pods for a changed template, not for a changed ConfigMap.
    return hashlib.sha256(configuration(site).encode()).hexdigest()[:16]


def _pod(site: Site) -> Json:
    apart = {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "ScheduleAnyway"}
    return {
        "serviceAccountName": NAME,
        "terminationGracePeriodSeconds": STOPPING_SECONDS,
        "topologySpreadConstraints": [{**apart, "labelSelector": {"matchLabels": dict(LABELS)}}],
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": USER,
            "runAsGroup": USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [_container(site)],
        "volumes": [
            {"name": "configuration", "configMap": {"name": NAME}},
            {"name": "scratch", "emptyDir": {"medium": "Memory", "sizeLimit": "16Mi"}},
        ],
    }


def _chosen(site: Site) -> list[str]:
    gates = [f"--feature-gates={site.feature_gates}"] if site.feature_gates else []
    return [*gates, *(["--without-defects"] if site.without_defects else [])]


def _container(site: Site) -> Json:
    return {
        "name": NAME,
        "image": site.image,
        "imagePullPolicy": "IfNotPresent",
        "command": [NAME],
        "args": [
            f"--config={FOLDER}/{FILE}",
            f"--dialect={site.dialect}",
            "--log-level=info",
            *_chosen(site),
        ],
        "ports": [{"name": name, "containerPort": port, "protocol": "TCP"} for name, port in PORTS.items()],
        **{name: _probe(path, often) for name, (path, often) in PROBES.items()},
        "lifecycle": {"preStop": {"sleep": {"seconds": LEAVING_SECONDS}}},
        "resources": RESOURCES,
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        },
        "volumeMounts": [
            {"name": "configuration", "mountPath": FOLDER, "readOnly": True},
            {"name": "scratch", "mountPath": "/tmp"},  # noqa: S108 TLS keys pass through a file there
        ],
    }


def _probe(path: str, often: Json) -> Json:
    return {"httpGet": {"path": path, "port": "health"}, **often}
