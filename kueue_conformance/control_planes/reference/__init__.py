"""The reference implementation of Kueue, on the cluster's
event loop and clock: the only importer of reference_impl.
"""

from .configuration import feature_gates
from .in_process import ReferenceControlPlane
from .manifests import bundle, definitions, image

__all__ = ["ReferenceControlPlane", "bundle", "definitions", "feature_gates", "image"]
