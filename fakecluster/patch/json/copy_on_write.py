"""Copy on write of a JSON document: the containers on the
paths that are changed are copied once, the rest is shared.
"""

from __future__ import annotations

from ...base.json_types import Json
from .containers import Container, MissingMember, member, replace


class CopyOnWrite:
    """A document whose containers are copied when a path through them is first asked for."""

    def __init__(self, document: Container) -> None:
        self.document = document
        self._own: dict[int, Container] = {}
        """The copies by `id`; they are kept so that no `id` is used again."""

    @property
    def copies(self) -> int:
        """How many containers were copied; none is copied twice."""
        return len(self._own)

    def parent(self, path: str) -> tuple[Container | None, str]:
        """Return the writable container of a path's last step, and that step; the container is None when the
        path does not exist.
        """
        first, *steps = path.split("/")
        if not steps:
            return None, first
        # The order matters: `~01` stands for `~1`, not for a slash.
        *steps_to_parent, key = [step.replace("~1", "/").replace("~0", "~") for step in steps]
        node = self.document = self._writable(self.document)
        for step in steps_to_parent:
            child = _inside(node, step)
            if id(child) not in self._own:
                if not isinstance(child, dict | list):
                    return None, key
                child = self._writable(child)
                replace(node, step, child)
            node = child
        return node, key

    def sorted_document(self) -> Container:
        """Return the document; the members of the copied maps are sorted."""
        for node in self._own.values():
            # The library re-encodes what it has touched, and Go's encoder sorts the keys of maps.
            if isinstance(node, dict):
                members = sorted(node.items())
                node.clear()
                node.update(members)
        return self.document

    def _writable(self, node: Container) -> Container:
        if id(node) in self._own:
            return node
        own = node.copy()
        # By `id`, as dicts have no hash; the copy is kept alive, or its `id` could be given to another.
        self._own[id(own)] = own
        return own


def _inside(node: Container, step: str) -> Json:
    try:
        return member(node, step)
    except MissingMember:
        return None
