"""YAML answers as Go's encoder writes them: sorted keys,
flush lists, ambiguous text in double quotes (FK-020).
"""

from __future__ import annotations

from typing import Any, ClassVar

import yaml

from ...base.json_types import Json
from .key_order import in_go_order
from .plain import is_plain

_Base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
QUOTED_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("merge", "value", "yaml"))
"""What Python's library does not write without quotes, unlike Go's."""


class _Dumper(_Base):  # type: ignore[misc]
    """Never writes anchors; quotes what would be read as something else than text."""

    yaml_implicit_resolvers: ClassVar[Json] = {
        first: [resolver for resolver in resolvers if resolver[0] not in QUOTED_TAGS]
        for first, resolvers in _Base.yaml_implicit_resolvers.items()
    }

    def ignore_aliases(self, data: object) -> bool:
        del data
        # An object that is referred to twice is written twice: no reader of Kubernetes' YAML expects
        # anchors.
        return True


def _text(dumper: Any, value: str) -> Any:
    # go-yaml writes texts of several lines as blocks, and quotes only what would be read as another type.
    style = "|" if "\n" in value else None if is_plain(value) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _map(dumper: Any, value: Json) -> Any:
    pairs = [(key, value[key]) for key in in_go_order(value)]
    return dumper.represent_mapping("tag:yaml.org,2002:map", pairs)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(dict, _map)


def dump(value: Json) -> bytes:
    """Return the YAML form of a JSON tree."""
    text: str = yaml.dump(value, Dumper=_Dumper, default_flow_style=False, allow_unicode=True)
    return text.removesuffix(
        "...\n"
    ).encode()  # libyaml ends a document like this behind a text that ends in lines
