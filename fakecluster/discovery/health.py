"""Health endpoints: /healthz, /livez, /readyz, the checks below them, `verbose` and `exclude` (FK-016).

The checks have the names that monitoring knows from a real server;
here they all pass as soon as anything answers.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..api import status
from ..api.outcome import Outcome, Request
from .responses import NO_SNIFF, TEXT, page

POST_START_HOOKS = tuple(
    f"poststarthook/{name}"
    for name in (
        "start-apiserver-admission-initializer",
        "generic-apiserver-start-informers",
        "priority-and-fairness-config-consumer",
        "priority-and-fairness-filter",
        "storage-object-count-tracker-hook",
        "start-apiextensions-informers",
        "start-apiextensions-controllers",
        "crd-informer-synced",
        "start-system-namespaces-controller",
        "peer-endpoint-reconciler-controller",
        "start-cluster-authentication-info-controller",
        "start-kube-apiserver-identity-lease-controller",
        "start-kube-apiserver-identity-lease-garbage-collector",
        "storage-readiness",
        "start-legacy-token-tracking-controller",
        "start-service-ip-repair-controllers",
        "rbac/bootstrap-roles",
        "scheduling/bootstrap-system-priority-classes",
        "priority-and-fairness-config-producer",
        "bootstrap-controller",
        "start-kubernetes-service-cidr-controller",
        "aggregator-reload-proxy-client-cert",
        "start-kube-aggregator-informers",
        "apiservice-status-local-available-controller",
        "apiservice-status-remote-available-controller",
        "apiservice-registration-controller",
        "apiservice-discovery-controller",
        "kube-apiserver-autoregistration",
    )
)
LATE_CHECKS = (
    "autoregister-completion",
    "poststarthook/apiservice-openapi-controller",
    "poststarthook/apiservice-openapiv3-controller",
)
LIVEZ = ("ping", "log", "loopback-serving-certificate", "etcd", *POST_START_HOOKS, *LATE_CHECKS)
READYZ = (
    "ping",
    "log",
    "etcd",
    "etcd-readiness",
    "informer-sync",
    *POST_START_HOOKS,
    *LATE_CHECKS,
    "shutdown",
)
CHECKS: Mapping[str, tuple[str, ...]] = {"healthz": LIVEZ, "livez": LIVEZ, "readyz": READYZ}


def health(request: Request, endpoint: str, check: str) -> Outcome:
    """Answer a health check. Raises PlainError for one that does not exist."""
    checks = CHECKS[endpoint]
    # A path below the endpoint is a check of its own, with a plain 404 where there is none.
    if check or request.path != f"/{endpoint}":
        if check not in checks:
            raise status.PlainError
        return page(b"ok", TEXT)
    if request.option("verbose") is None:
        return page(b"ok", TEXT, NO_SNIFF)
    # An excluded check still has a line, so that a reader sees that it was left out on purpose.
    left_out = {value for key, value in request.query if key == "exclude"}
    lines = [f"[+]{name} {'excluded: ok' if name in left_out else 'ok'}" for name in checks]
    unknown = ",".join(f'"{name}"' for name in sorted(left_out.difference(checks)))
    if unknown:
        lines.append(f"warn: some health checks cannot be excluded: no matches for {unknown}")
    return page("\n".join([*lines, f"{endpoint} check passed", ""]).encode(), TEXT, NO_SNIFF)
