"""The row of the kind CustomResourceDefinition itself (FK-250)."""

from __future__ import annotations

from ..api.kind import Kind, ObjectSchema, Strategy
from ..api.versions import with_type_meta
from ..gotypes.types import structural
from . import defaulting, definition
from .lifecycle import mark_terminating
from .schema.empty_items import without_empty_items
from .schema.formats import warn_unrecognized

CRD: Kind = Kind(
    group="apiextensions.k8s.io",
    version="v1",
    kind="CustomResourceDefinition",
    plural="customresourcedefinitions",
    singular="customresourcedefinition",
    short_names=("crd", "crds"),
    categories=("api-extensions",),
    namespaced=False,
    subresources=frozenset({"status"}),
    schema=ObjectSchema(
        structural=structural("apiextensions.v1.CustomResourceDefinition"),
        default=defaulting.fill_defaults,
        to_stored=lambda crd: with_type_meta(CRD, without_empty_items(crd)),
    ),
    strategy=Strategy(
        generation="spec",
        prepare=defaulting.prepare,
        prepare_update=defaulting.prepare_update,
        validate_new=definition.validate,
        validate_update=definition.validate_update,
        validate_status=definition.validate_status,
        warnings=warn_unrecognized,
        unconditional_update=False,
        before_delete=mark_terminating,
    ),
)
