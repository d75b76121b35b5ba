"""HorizontalPodAutoscaler in two versions (FK-495)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...api.kind import Kind
from ...base.json_types import Json
from ...base.lazy_modules import LazyModule
from ...schema.fields import FieldError
from ..defaulting import for_message
from ..row import STATUS, row
from . import columns
from .conversion import to_first, to_second

if TYPE_CHECKING:
    from . import validation
else:
    validation = LazyModule(".validation", __package__)


def _judge_as_second(judge: Callable[[Json], list[FieldError]]) -> Callable[[Json], list[FieldError]]:
    return lambda obj: judge(to_second(obj))


def _first_default(obj: Json) -> Json:
    """Give an object of the first version its defaults, and what the way through the second one makes of it."""
    return to_first(to_second(for_message("autoscaling.v1.HorizontalPodAutoscaler")(obj)))


SECOND = row(
    "autoscaling.v2.HorizontalPodAutoscaler",
    "horizontalpodautoscalers",
    short="hpa",
    categories=("all",),
    subresources=STATUS,
    validate=validation.scaler,
    validate_status=validation.scaler_status,
    columns=columns.SCALER,
)
KINDS: tuple[Kind, ...] = (
    SECOND,
    row(
        "autoscaling.v1.HorizontalPodAutoscaler",
        "horizontalpodautoscalers",
        short="hpa",
        categories=("all",),
        subresources=STATUS,
        default=_first_default,
        storage_version="v2",
        storage_key=SECOND.stored_as,
        to_stored=lambda obj: SECOND.schema.default(to_second(obj)),
        to_hub=to_second,
        from_stored=to_first,
        validate=_judge_as_second(validation.scaler),
        validate_status=validation.scaler_status,
        columns=columns.SCALER,
    ),
)
