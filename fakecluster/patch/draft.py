"""A document that is being changed: what is walked through is copied, once, and the rest stays shared with the original."""

from __future__ import annotations

from typing import Any

from .containers import Container, NoMember, member, replace

Json = Any


class Draft:
    """A copy on write of a document, made step by step along the paths that are asked for.

    `copies` counts the containers that were copied; however many paths are asked for, none is copied twice.
    """

    def __init__(self, document: Container) -> None:
        self.document = document
        self._own: dict[int, Container] = {}
        """What was copied, by identity; it stays here so that no identity is given again."""

    @property
    def copies(self) -> int:
        """How many containers were copied."""
        return len(self._own)

    def parent(self, path: str) -> tuple[Container | None, str]:
        """Return the container of the last step of a path, ready to be changed, and that step; None where it leads nowhere."""
        first, *steps = path.split("/")
        if not steps:
            return None, first
        *way, key = [step.replace("~1", "/").replace("~0", "~") for step in steps]
        node = self.document = self._owned(self.document)
        for step in way:
            child = _inside(node, step)
            if id(child) not in self._own:
                if not isinstance(child, dict | list):
                    return None, key
                child = self._owned(child)
                replace(node, step, child)
            node = child
        return node, key

    def finished(self) -> Container:
        """Return the document; the maps that were walked through have their members sorted."""
        for node in self._own.values():
            if isinstance(node, dict):
                members = sorted(node.items())
                node.clear()
                node.update(members)
        return self.document

    def _owned(self, node: Container) -> Container:
        if id(node) in self._own:
            return node
        own = node.copy()
        self._own[id(own)] = own
        return own


def _inside(node: Container, step: str) -> Json:
    try:
        return member(node, step)
    except NoMember:
        return None
