"""What a real cluster never offers, over HTTP, for suites in any language: `/_fakecluster/*` (F-14).

`laboratory` routes a request to one of the tables: `clock`, `faults`, `states`, `journal`, `pods`.
`cluster` is what they need of a cluster.
"""

from .laboratory import PREFIX, Laboratory

__all__ = ["PREFIX", "Laboratory"]
