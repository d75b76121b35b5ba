"""PersistentVolumes are bound to PersistentVolumeClaims, and reclaimed (FK-504)."""

from .controller import PersistentVolumeController

__all__ = ["PersistentVolumeController"]
