"""What the autoscaler measures, under cluster-autoscaler's names."""

from __future__ import annotations

from typing import Final

from reference_impl.runtime.metrics import Metric

DURATION: Final = "cluster_autoscaler_function_duration_seconds"
ERRORS: Final = "cluster_autoscaler_errors_total"
SCALED_UP: Final = "cluster_autoscaler_scaled_up_nodes_total"
SCALED_DOWN: Final = "cluster_autoscaler_scaled_down_nodes_total"
FAILED_SCALE_UPS: Final = "cluster_autoscaler_failed_scale_ups_total"
UNSCHEDULABLE: Final = "cluster_autoscaler_unschedulable_pods_count"
NODES: Final = "cluster_autoscaler_nodes_count"
MAIN: Final = "main"
_BUCKETS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 45.0, 60.0)
METRICS: Final = (
    Metric(DURATION, "histogram", ("function",), _BUCKETS, help="Time of a part of a loop; `main` is all of it."),
    Metric(ERRORS, "counter", ("type",), help="Loops that ended early."),
    Metric(SCALED_UP, "counter", (), help="Nodes that were asked for."),
    Metric(SCALED_DOWN, "counter", ("reason",), help="Nodes that were removed."),
    Metric(FAILED_SCALE_UPS, "counter", ("reason",), help="Groups that could not be made larger."),
    Metric(UNSCHEDULABLE, "gauge", ("type",), help="Pods that found no place in the last loop."),
    Metric(NODES, "gauge", ("state",), help="Nodes by their readiness."),
)  # fmt: skip
