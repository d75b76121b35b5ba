"""The reference's autoscaler at work on a cluster's loop, in this process: the only importer of `reference_impl` beside the control plane."""

from __future__ import annotations

from .playing import Reference

__all__ = ["Reference"]
