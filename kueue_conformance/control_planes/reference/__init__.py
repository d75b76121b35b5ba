"""The reference implementation of Kueue, on the cluster's
event loop and clock: the only importer of reference_impl.
"""

from .manifests import bundle, definitions, image
from .playing import Reference

__all__ = ["Reference", "bundle", "definitions", "image"]
