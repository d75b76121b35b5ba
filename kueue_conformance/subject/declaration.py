"""What is said about a subject: on the command line, or in a subject file (harness §10.2, H-06, H-07).

A field of the file is a row of `FIELDS`: what is wrong with a value, all of it at once, and never by an exception.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import yaml

from .. import resources
from ..capability import Capability
from ..errors import UsageError, together, unknown
from ..scenario import Scenario
from . import effects, parameters
