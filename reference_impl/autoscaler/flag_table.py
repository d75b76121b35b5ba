"""cluster-autoscaler's flags, release by release: name, type, default, and what a flag does not do here.

They stand in `config/flags/flags.go`, in 1.30 to 1.32 in `main.go`; those of klog, component-base and leader
election are beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from reference_impl.api.releases import Version

FlagType = Literal["bool", "duration", "float", "int", "range", "text", "texts"]
OLDEST: Final[Version] = (1, 30)
NEWEST: Final[Version] = (1, 37)


class FlagRow(NamedTuple):
    """A flag with its default in a range of releases."""

    name: str
    type: FlagType
    default: str
    """As it is written on a command line; empty for a list without entries."""
    without: str = ""
    """What the flag does not do here; empty for one that does what it says."""
    since: Version = OLDEST
    until: Version = NEWEST

    @property
    def field(self) -> str:
        """Return the field of `Flags` that holds its value."""
        return SYNONYMS.get(self.name, self.name.replace("-", "_"))

    def is_of(self, release: Version) -> bool:
        """Tell whether a release has it."""
        return self.since <= release[:2] <= self.until


SYNONYMS: Final[Mapping[str, str]] = MappingProxyType({"max-empty-bulk-delete": "max_scale_down_parallelism"})
"""Flags that set what another one sets too (until 1.32)."""
LOGS: Final = "the log has one form, on standard error"
SPEED: Final = "nothing here is limited or spread for its speed"
CLOUDS: Final = "it is for another cloud provider"
METRICS: Final = "this is not measured"
WATCHDOG: Final = "the program does not end itself"
BUFFERS: Final = "CapacityBuffers are not read"
DRAIN: Final = "a node that goes does not wait until its pods have ended"
LEASE: Final = "the Lease has its usual name and times"

# fmt: off
RELEASED: Final = (
    FlagRow("add-dir-header", "bool", "false", LOGS),
    FlagRow("address", "text", ":8085"),
    FlagRow("allowed-scheduler-names", "texts", "", "pods of every scheduler are looked at", since=(1, 35)),
    FlagRow("alsologtostderr", "bool", "false", LOGS),
    FlagRow("alsologtostderrthreshold", "text", "", LOGS),
    FlagRow("async-node-groups", "bool", "false", "groups are made within the loop", since=(1, 31)),
    FlagRow("aws-use-static-instance-list", "bool", "false", CLOUDS),
    FlagRow("balance-similar-node-groups", "bool", "false"),
    FlagRow("balancing-ignore-label", "texts", ""),
    FlagRow("balancing-label", "texts", ""),
    FlagRow("blocking-system-pod-distruption-timeout", "duration", "1h", "a system pod keeps its node for as long as it runs", since=(1, 33)),
    FlagRow("bulk-mig-instances-listing-enabled", "bool", "false", CLOUDS, since=(1, 31)),
    FlagRow("bypassed-scheduler-names", "texts", "", "pods count once their scheduler has given up on them"),
    FlagRow("capacity-buffer-controller-enabled", "bool", "false", BUFFERS, since=(1, 34)),
    FlagRow("capacity-buffer-pod-dry-run-enabled", "bool", "true", BUFFERS, since=(1, 36)),
    FlagRow("capacity-buffer-pod-injection-enabled", "bool", "false", BUFFERS, since=(1, 34)),
    FlagRow("capacity-quotas-enabled", "bool", "false", "CapacityQuotas are not read", since=(1, 36)),
    FlagRow("check-capacity-batch-processing", "bool", "false", since=(1, 32)),
    FlagRow("check-capacity-processor-instance", "text", "", since=(1, 33)),
    FlagRow("check-capacity-provisioning-request-batch-timebox", "duration", "10s", since=(1, 32)),
    FlagRow("check-capacity-provisioning-request-max-batch-size", "int", "10", since=(1, 32)),
    FlagRow("cloud-config", "text", ""),
    FlagRow("cloud-provider", "text", ""),
    FlagRow("cluster-name", "text", "", "no text names the cluster"),
    FlagRow("cluster-snapshot-parallelism", "int", "16", SPEED, since=(1, 33)),
    FlagRow("clusterapi-cloud-config-authoritative", "bool", "false", CLOUDS),
    FlagRow("cordon-node-before-terminating", "bool", "false", "a node that goes is tainted, not cordoned", until=(1, 33)),
    FlagRow("cordon-node-before-terminating", "bool", "true", "a node that goes is tainted, not cordoned", since=(1, 34)),
    FlagRow("cores-total", "range", "0:320000"),
    FlagRow("daemonset-eviction-for-empty-nodes", "bool", "false", "pods of DaemonSets go with their node"),
    FlagRow("daemonset-eviction-for-occupied-nodes", "bool", "true", "pods of DaemonSets go with their node"),
    FlagRow("debugging-snapshot-enabled", "bool", "false", "there is no /snapshotz"),
    FlagRow("drain-priority-config", "text", "", DRAIN),
    FlagRow("dynamic-node-delete-delay-after-taint-enabled", "bool", "false", "a node is deleted as soon as it is tainted"),
    FlagRow("emit-per-nodegroup-metrics", "bool", "false", METRICS),
    FlagRow("enable-csi-node-aware-scheduling", "bool", "false", "limits of volumes are not looked at", since=(1, 35)),
    FlagRow("enable-dynamic-resource-allocation", "bool", "false", "claims of devices are not looked at", since=(1, 32), until=(1, 34)),
    FlagRow("enable-dynamic-resource-allocation", "bool", "true", "claims of devices are not looked at", since=(1, 35)),
    FlagRow("enable-graceful-degradation", "bool", "false", SPEED, since=(1, 37)),
    FlagRow("enable-proactive-scaleup", "bool", "false", "no pods are injected for controllers that want more", since=(1, 31)),
    FlagRow("enable-provisioning-requests", "bool", "false"),
    FlagRow("enforce-node-group-min-size", "bool", "false", "a group below its minimum grows only where pods need it"),
    FlagRow("estimator", "text", "binpacking", "binpacking is the only estimator"),
    FlagRow("expander", "text", "random", until=(1, 32)),
    FlagRow("expander", "text", "least-waste", since=(1, 33)),
    FlagRow("expendable-pods-priority-cutoff", "int", "-10", "no pod is expendable"),
    FlagRow("fastpath-binpacking-enabled", "bool", "false", SPEED, since=(1, 36)),
    FlagRow("feature-gates", "text", "", "no feature is switched"),
    FlagRow("force-delete-failed-nodes", "bool", "false", "instances that failed are deleted the ordinary way", since=(1, 31)),
    FlagRow("force-delete-unregistered-nodes", "bool", "false", "the minimum of a group holds for nodes that never registered", since=(1, 32)),
    FlagRow("force-ds", "bool", "false", "pods of DaemonSets take no room of a new node"),
    FlagRow("frequent-loops-enabled", "bool", "false", until=(1, 34)),
    FlagRow("frequent-loops-enabled", "bool", "true", since=(1, 35)),
    FlagRow("gce-concurrent-refreshes", "int", "1", CLOUDS),
    FlagRow("gce-expander-ephemeral-storage-support", "bool", "true", CLOUDS, until=(1, 32)),
    FlagRow("gce-mig-instances-min-refresh-wait-time", "duration", "5s", CLOUDS),
    FlagRow("gpu-total", "texts", "", "GPUs are not limited"),
    FlagRow("grpc-expander-cert", "text", "", "no expander is called"),
    FlagRow("grpc-expander-url", "text", "", "no expander is called"),
    FlagRow("ignore-daemonsets-utilization", "bool", "false"),
    FlagRow("ignore-mirror-pods-utilization", "bool", "false"),
    FlagRow("ignore-taint", "texts", "", "the taints of a template are those of its nodes"),
    FlagRow("initial-node-group-backoff-duration", "duration", "5m"),
    FlagRow("kube-api-content-type", "text", "application/vnd.kubernetes.protobuf", "requests are JSON"),
    FlagRow("kube-client-burst", "int", "10", "requests are not limited"),
    FlagRow("kube-client-qps", "float", "5", "requests are not limited"),
    FlagRow("kubeconfig", "text", ""),
    FlagRow("kubernetes", "text", "", "the server is that of --kubeconfig"),
    FlagRow("leader-elect", "bool", "true"),
    FlagRow("leader-elect-lease-duration", "duration", "15s", LEASE),
    FlagRow("leader-elect-renew-deadline", "duration", "10s", LEASE),
    FlagRow("leader-elect-resource-lock", "text", "leases", LEASE),
    FlagRow("leader-elect-resource-name", "text", "cluster-autoscaler", LEASE),
    FlagRow("leader-elect-resource-namespace", "text", "", LEASE),
    FlagRow("leader-elect-retry-period", "duration", "2s", LEASE),
    FlagRow("legacy-stderr-threshold-behavior", "bool", "true", LOGS),
    FlagRow("log-backtrace-at", "text", "", LOGS),
    FlagRow("log-dir", "text", "", LOGS),
    FlagRow("log-file", "text", "", LOGS),
    FlagRow("log-file-max-size", "int", "1800", LOGS),
    FlagRow("log-flush-frequency", "duration", "5s", LOGS),
    FlagRow("log-json-info-buffer-size", "text", "0", LOGS),
    FlagRow("log-json-split-stream", "bool", "false", LOGS),
    FlagRow("log-text-info-buffer-size", "text", "0", LOGS),
    FlagRow("log-text-split-stream", "bool", "false", LOGS),
    FlagRow("logging-format", "text", "text", LOGS),
    FlagRow("logtostderr", "bool", "true", LOGS),
    FlagRow("max-allocatable-difference-ratio", "float", "0.05"),
    FlagRow("max-autoprovisioned-node-group-count", "int", "15", until=(1, 32)),
    FlagRow("max-binpacking-time", "duration", "5m", SPEED, since=(1, 31)),
    FlagRow("max-bulk-soft-taint-count", "int", "10"),
    FlagRow("max-bulk-soft-taint-time", "duration", "3s", SPEED),
    FlagRow("max-drain-parallelism", "int", "1", "nodes with pods go one after another"),
    FlagRow("max-empty-bulk-delete", "int", "10", until=(1, 32)),
    FlagRow("max-failing-time", "duration", "15m", WATCHDOG),
    FlagRow("max-free-difference-ratio", "float", "0.05", "what pods of DaemonSets leave free is not compared"),
    FlagRow("max-graceful-termination-sec", "int", "600", DRAIN),
    FlagRow("max-inactivity", "duration", "10m", WATCHDOG),
    FlagRow("max-node-group-backoff-duration", "duration", "30m"),
    FlagRow("max-node-provision-time", "duration", "15m"),
    FlagRow("max-node-skip-eval-time-tracker-enabled", "bool", "false", METRICS, since=(1, 35)),
    FlagRow("max-node-startup-time", "duration", "15m", since=(1, 35)),
    FlagRow("max-nodegroup-binpacking-duration", "duration", "10s", SPEED),
    FlagRow("max-nodes-per-scaleup", "int", "1000"),
    FlagRow("max-nodes-total", "int", "0"),
    FlagRow("max-pod-eviction-time", "duration", "2m", DRAIN),
    FlagRow("max-scale-down-parallelism", "int", "10"),
    FlagRow("max-startup-time", "duration", "20m", WATCHDOG, since=(1, 36)),
    FlagRow("max-total-unready-percentage", "float", "45"),
    FlagRow("memory-difference-ratio", "float", "0.015"),
    FlagRow("memory-total", "range", "0:6400000"),
    FlagRow("min-replica-count", "int", "0", "pods move however few replicas their controller has"),
    FlagRow("namespace", "text", "kube-system"),
    FlagRow("new-pod-scale-up-delay", "duration", "0s"),
    FlagRow("node-autoprovisioning-enabled", "bool", "false", until=(1, 32)),
    FlagRow("node-delete-delay-after-taint", "duration", "5s", "a node is deleted as soon as it is tainted"),
    FlagRow("node-deletion-batcher-interval", "duration", "0s", "nodes are not gathered before they are deleted"),
    FlagRow("node-deletion-candidate-ttl", "duration", "0s", "the soft taint of a run before this one stays until it is taken away", since=(1, 34)),
    FlagRow("node-deletion-delay-timeout", "duration", "2m", "the annotations that delay a deletion are not read"),
    FlagRow("node-group-auto-discovery", "texts", "", "the groups are those that the cloud server lists"),
    FlagRow("node-group-backoff-reset-timeout", "duration", "3h"),
    FlagRow("node-info-cache-expire-time", "duration", "87600h", SPEED),
    FlagRow("node-removal-latency-tracking-enabled", "bool", "false", METRICS, since=(1, 35)),
    FlagRow("nodes", "texts", "", "the groups are those that the cloud server lists"),
    FlagRow("ok-total-unready-count", "int", "3"),
    FlagRow("one-output", "bool", "false", LOGS),
    FlagRow("parallel-drain", "bool", "true", "nodes with pods go one after another", until=(1, 31)),
    FlagRow("parallel-scale-up", "bool", "false", "groups grow one after another"),
    FlagRow("pending-pods-batching-timeout", "duration", "4m", SPEED, since=(1, 37)),
    FlagRow("pod-injection-limit", "int", "5000", "no pods are injected for controllers that want more", since=(1, 31)),
    FlagRow("predicate-parallelism", "int", "4", SPEED, since=(1, 35)),
    FlagRow("profiling", "bool", "false", "there is no /debug/pprof"),
    FlagRow("provisioning-request-initial-backoff-time", "duration", "1m", since=(1, 32)),
    FlagRow("provisioning-request-max-backoff-cache-size", "int", "1000", since=(1, 32)),
    FlagRow("provisioning-request-max-backoff-time", "duration", "10m", since=(1, 32)),
    FlagRow("record-duplicated-events", "bool", "false"),
    FlagRow("regional", "bool", "false", CLOUDS),
    FlagRow("salvo-scale-up", "bool", "false", since=(1, 36)),
    FlagRow("salvo-scale-up-budget", "duration", "1m", since=(1, 36)),
    FlagRow("scale-down-candidates-pool-min-count", "int", "50", SPEED),
    FlagRow("scale-down-candidates-pool-ratio", "float", "0.1", SPEED),
    FlagRow("scale-down-delay-after-add", "duration", "10m"),
    FlagRow("scale-down-delay-after-delete", "duration", "0s"),
    FlagRow("scale-down-delay-after-failure", "duration", "3m"),
    FlagRow("scale-down-delay-type-local", "bool", "false", "the delays after a change hold for all groups"),
    FlagRow("scale-down-enabled", "bool", "true"),
    FlagRow("scale-down-gpu-utilization-threshold", "float", "0.5", "the use of GPUs is not looked at"),
    FlagRow("scale-down-non-empty-candidates-count", "int", "30", SPEED),
    FlagRow("scale-down-simulation-timeout", "duration", "30s", SPEED),
    FlagRow("scale-down-unneeded-time", "duration", "10m"),
    FlagRow("scale-down-unready-enabled", "bool", "true"),
    FlagRow("scale-down-unready-time", "duration", "20m"),
    FlagRow("scale-down-utilization-threshold", "float", "0.5"),
    FlagRow("scale-from-unschedulable", "bool", "false", CLOUDS, since=(1, 35)),
    FlagRow("scale-up-from-zero", "bool", "true"),
    FlagRow("scaleup-simulation-for-skipped-node-groups-enabled", "bool", "false", "groups that are left out are not simulated", since=(1, 36)),
    FlagRow("scan-interval", "duration", "10s"),
    FlagRow("scheduler-config-file", "text", "", "the rules of the default scheduler hold"),
    FlagRow("scheduler-verbosity", "int", "0", LOGS, since=(1, 37)),
    FlagRow("skip-headers", "bool", "false", LOGS),
    FlagRow("skip-log-headers", "bool", "false", LOGS),
    FlagRow("skip-nodes-with-custom-controller-pods", "bool", "true"),
    FlagRow("skip-nodes-with-local-storage", "bool", "true"),
    FlagRow("skip-nodes-with-system-pods", "bool", "true"),
    FlagRow("startup-taint", "texts", "", "the taints of a template are those of its nodes"),
    FlagRow("startup-taint-prefix", "texts", "", "the taints of a template are those of its nodes", since=(1, 36)),
    FlagRow("status-config-map-name", "text", "cluster-autoscaler-status"),
    FlagRow("status-taint", "texts", "", "the taints of a template are those of its nodes"),
    FlagRow("stderrthreshold", "text", "ERROR", LOGS),
    FlagRow("unremovable-node-recheck-timeout", "duration", "5m"),
    FlagRow("user-agent", "text", "cluster-autoscaler", "the agent names the release and the reference"),
    FlagRow("v", "int", "0", LOGS),
    FlagRow("vmodule", "text", "", LOGS),
    FlagRow("write-status-configmap", "bool", "true"),
)
# fmt: on
"""The flags of the releases, by name; one whose default has changed has a row for each."""
OURS: Final = (FlagRow("provisioning-classes", "text", "off"),)
"""What no release has."""


def flags_of(release: Version) -> Mapping[str, FlagRow]:
    """Return the flags of a release, by name."""
    return MappingProxyType({row.name: row for row in RELEASED if row.is_of(release)})


ALL: Final[Mapping[str, FlagRow]] = MappingProxyType({row.name: row for row in (*RELEASED, *OURS)})
"""The flags that any dialect has, each as the newest one has it."""
