"""Kinds that are questions: created, answered, never stored (FK-401, FK-402). Who answers them is `auth`."""

from __future__ import annotations

from ..api.kind import Kind
from .row import REVIEW_VERBS, row

KINDS: tuple[Kind, ...] = (
    row("authentication.v1.SelfSubjectReview", "selfsubjectreviews", namespaced=False, verbs=REVIEW_VERBS),
    row("authentication.v1.TokenReview", "tokenreviews", namespaced=False, verbs=REVIEW_VERBS),
    row("authorization.v1.LocalSubjectAccessReview", "localsubjectaccessreviews", verbs=REVIEW_VERBS),
    row(
        "authorization.v1.SelfSubjectAccessReview",
        "selfsubjectaccessreviews",
        namespaced=False,
        verbs=REVIEW_VERBS,
    ),
    row(
        "authorization.v1.SelfSubjectRulesReview",
        "selfsubjectrulesreviews",
        namespaced=False,
        verbs=REVIEW_VERBS,
    ),
    row("authorization.v1.SubjectAccessReview", "subjectaccessreviews", namespaced=False, verbs=REVIEW_VERBS),
)
