"""The text of a story's file: what fits stands on one line (pure)."""

from __future__ import annotations

from typing import Any, TypeAlias

import yaml

from ..vectors.document import Dumper

Json: TypeAlias = Any
_WIDTH = 180
_LINE = 150
"""The most characters of a list or mapping that is written on one line."""


def dumped(content: Json) -> str:
    """Return the text of a file of stories."""
    dumper = Dumper("", sort_keys=False)
    node = dumper.represent_data(content)
    _settle(node)
    return str(yaml.serialize(node, Dumper=Dumper, width=_WIDTH, allow_unicode=True))


def _settle(node: yaml.Node) -> int:
    """Decide how a node is written, and return the length of its line."""
    if isinstance(node, yaml.ScalarNode):
        return len(node.value) + 2
    parts = [one for pair in node.value for one in pair] if isinstance(node, yaml.MappingNode) else node.value
    length = 2 + sum(_settle(one) + 2 for one in parts)
    node.flow_style = length <= _LINE or not parts
    return length
