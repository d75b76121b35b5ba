"""A subject at work on one cluster: started, ready when its own check is Active, watched, ended (harness/H-03, H-43)."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from ..backends import Cluster
from ..budget import Budgets
from ..client import Client
from ..errors import SubjectDied
from . import Connector, SubjectContext
from .declaration import Declaration
        self.parameters = declaration.parameters
        self.effects = declaration.effects
