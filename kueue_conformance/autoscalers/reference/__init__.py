"""The reference's autoscaler on a cluster's event loop, in this process; with the control plane the only
importer of `reference_impl`.
"""

from __future__ import annotations

from .in_process import ReferenceAutoscaler

__all__ = ["ReferenceAutoscaler"]
