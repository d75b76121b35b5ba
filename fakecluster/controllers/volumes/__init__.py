"""PersistentVolumes are bound to PersistentVolumeClaims, and reclaimed (FK-504)."""

from .controller import VolumeBinder

__all__ = ["VolumeBinder"]
