"""YAML answers as Go's encoder writes them: sorted keys, flush lists, ambiguous text in double quotes
(FK-020).
"""

from __future__ import annotations

from typing import Any

import yaml

Json = Any
_Base: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
LOOKS_BOOLEAN = frozenset({"y", "Y", "n", "N"})


class _Dumper(_Base):  # type: ignore[misc]
    """Never writes anchors; quotes what would be read as something else than text."""

    def ignore_aliases(self, data: object) -> bool:
        del data
        return True


def _text(dumper: Any, value: str) -> Any:
    plain = dumper.resolve(yaml.ScalarNode, value, (True, False)) == "tag:yaml.org,2002:str"
    style = "|" if "\n" in value else None if plain and value not in LOOKS_BOOLEAN else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


_Dumper.add_representer(str, _text)


def dump(value: Json) -> bytes:
    """Return the YAML form of a JSON tree."""
    text: str = yaml.dump(value, Dumper=_Dumper, default_flow_style=False, allow_unicode=True, sort_keys=True)
    return text.encode()
