"""What a real cluster never offers, over HTTP, for suites in any language: `/_fakecluster/*` (F-14).

`desk` routes a request to one of the tables: `time`, `disturb`, `states`, `story`, `simulate`. `cluster` is
what they need of a cluster.
"""

from .desk import PREFIX, Desk

__all__ = ["PREFIX", "Desk"]
