"""CustomResourceDefinitions: their validation, names and conditions,
and the kinds that come out of them (FK-250…287).
"""

from .follower import CrdFollower
from .kinds import kinds_of
from .row import CRD

__all__ = ["CRD", "CrdFollower", "kinds_of"]
