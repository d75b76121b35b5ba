"""Nodes: making one, keeping them ready, the taints that follow from their state, and pods that lose their
node (FK-484, FK-496).
"""

from .controller import NodeController
from .manifests import manifest
from .pod_garbage_collector import PodGarbageCollector
from .taint_eviction import TaintEviction

__all__ = ["NodeController", "PodGarbageCollector", "TaintEviction", "manifest"]
