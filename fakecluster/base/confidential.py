"""Which members of API objects are confidential, the values of Secrets and tokens, and how they are hidden.

A member is known by its name, wherever it stands: in an object, an item of a list, or a patch.
"""

from __future__ import annotations

from collections.abc import Mapping

from .json_types import Json

SECRET_MEMBERS = frozenset(
    {"data", "stringData", "value", "kubectl.kubernetes.io/last-applied-configuration"}
)
"""Members of a Secret and of the steps of a JSON patch; the annotation in which kubectl keeps the whole
object once more.
"""
TOKEN_MEMBERS = frozenset({"token"})
_OF_RESOURCES: Mapping[str, frozenset[str]] = {
    "secrets": SECRET_MEMBERS,
    "tokenreviews": TOKEN_MEMBERS,
    "serviceaccounts/token": TOKEN_MEMBERS,
}
OF_KINDS: Mapping[str, frozenset[str]] = {
    "Secret": SECRET_MEMBERS,
    "SecretList": SECRET_MEMBERS,
    "TokenReview": TOKEN_MEMBERS,
    "TokenRequest": TOKEN_MEMBERS,
}


def of_resource(resource: str, subresource: str) -> frozenset[str] | None:
    """Return the confidential members of the bodies of a resource,
    which need not name their kind; None without any.
    """
    return _OF_RESOURCES.get(f"{resource}/{subresource}", _OF_RESOURCES.get(resource))


def hide_members(tree: Json, members: frozenset[str], word: str) -> Json:
    """Return JSON with a word in place of each value below some members; null and empty values stay."""
    if isinstance(tree, dict):
        return {
            key: _cover(value, word) if key in members else hide_members(value, members, word)
            for key, value in tree.items()
        }
    return [hide_members(item, members, word) for item in tree] if isinstance(tree, list) else tree


def _cover(value: Json, word: str) -> Json:
    if isinstance(value, dict):
        return {key: _cover(child, word) for key, child in value.items()}
    if isinstance(value, list):
        return [_cover(item, word) for item in value]
    # Empty values stay: that a member is there and empty is no secret, and a patch may remove it so.
    return value and word
