"""What a pod template may say about topologies: judged although pods are not placed here (v0.14; several
layers since v0.19).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

import msgspec

from ...api import numbers
from ...api.gotypes import STRING, DecodeError, ListOf, Struct, StructField, integer, rewritten
from ...api.resource import Json
from ..jobs.job import Job
from .names import label_name
from .problems import Problem, duplicate, forbidden, invalid, render, required
from .writes import ReviewedWrite

PREFIX: Final = "kueue.x-k8s.io/podset-"
REQUIRED, PREFERRED, UNCONSTRAINED = (
    f"{PREFIX}{mode}-topology" for mode in ("required", "preferred", "unconstrained")
)
SLICE, SIZE = f"{PREFIX}slice-required-topology", f"{PREFIX}slice-size"
LAYERS, GROUP = f"{SLICE}-constraints", f"{PREFIX}group-name"
ANNOTATIONS: Final = "spec.template.metadata.annotations"
BOOLEANS: Final = frozenset({"1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False"})
INT32: Final = range(-(2**31), 2**31)
MOST_LAYERS: Final = 3

LAYER: Final = Struct(
    "PodsetSliceRequiredTopologyConstraint",
    "v1beta2",
    lambda: {"topology": StructField(STRING, written=True), "size": StructField(integer(32), written=True)},
)
Texts = Mapping[str, str]


def topology(write: ReviewedWrite) -> Iterator[Problem]:
    """Judge the annotations by themselves; when they are good, the sizes of slices by the number of pods."""
    template = write.spec.get("template") or {}
    texts: Texts = (template.get("metadata") or {}).get("annotations") or {}
    if not any(name.startswith(PREFIX) for name in texts):
        return
    problems = [*_modes(texts), *_group(texts), *_values(texts), *_slices(texts), *_check_layers(texts)]
    # The sizes are parsed only when they are numbers.
    yield from problems or _within_pods(texts, Job(write.new).pod_count)


def _modes(texts: Texts) -> Iterator[Problem]:
    modes = (REQUIRED, PREFERRED, UNCONSTRAINED)
    if sum(mode in texts for mode in modes) > 1:
        names = ", ".join(render(mode) for mode in modes)
        text = f"must not contain more than one topology annotation: [{names}]"
        yield Problem(ANNOTATIONS, f"Invalid value: {text}")
    for name in (REQUIRED, PREFERRED, SLICE):
        if name in texts:
            yield from label_name(texts[name], _at(name))


def _group(texts: Texts) -> Iterator[Problem]:
    if GROUP not in texts:
        return
    if numbers.is_unsigned(texts[GROUP]):
        yield invalid(_at(GROUP), texts[GROUP], "must not be a number")
    yield from _without(GROUP, texts, SIZE, SLICE)
    if PREFERRED not in texts and REQUIRED not in texts:
        text = f"may not be set when neither '{PREFERRED}' nor '{REQUIRED}' is specified"
        yield forbidden(_at(GROUP), text)


def _values(texts: Texts) -> Iterator[Problem]:
    if texts.get(UNCONSTRAINED, "true") not in BOOLEANS:
        yield invalid(_at(UNCONSTRAINED), texts[UNCONSTRAINED], "must be a boolean value")
    if SIZE not in texts:
        return
    size = _number(texts[SIZE], INT32)
    if size is None:
        yield invalid(_at(SIZE), texts[SIZE], "must be a numeric value")
    elif size < 1:
        yield invalid(_at(SIZE), texts[SIZE], "must be greater than or equal to 1")


def _slices(texts: Texts) -> Iterator[Problem]:
    if SLICE in texts and SIZE not in texts:
        yield required(_at(SIZE), f"must be set when '{SLICE}' is specified")
    if SIZE in texts and SLICE not in texts:
        yield forbidden(_at(SIZE), f"may not be set when '{SLICE}' is not specified")


def _check_layers(texts: Texts) -> Iterator[Problem]:
    if LAYERS not in texts:
        return
    yield from _without(LAYERS, texts, SLICE, SIZE)
    if GROUP in texts:
        yield from _without(GROUP, texts, LAYERS)
    layers = _layers(texts[LAYERS])
    if isinstance(layers, str):
        yield invalid(_at(LAYERS), texts[LAYERS], layers)
        return
    for index, layer in enumerate(layers):
        path = f"{_at(LAYERS)}[{index}]"
        yield from label_name(layer["topology"], f"{path}.topology")
        if layer["size"] < 1:
            yield invalid(f"{path}.size", layer["size"], "must be greater than or equal to 1")
    yield from _distinct(layers)
    yield from _dividing(layers)


def _distinct(layers: list[Json]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for index, name in enumerate(layer["topology"] for layer in layers):
        before = first.setdefault(name, index)
        if before != index:
            yield duplicate(f"{_at(LAYERS)}[{index}].topology", f"{name} (also at index {before})")


def _dividing(layers: list[Json]) -> Iterator[Problem]:
    sizes = [layer["size"] for layer in layers]
    for index, (above, size) in enumerate(pairwise(sizes), 1):
        # A size below 1 has been refused above, and division by zero would panic in Go.
        if size > 0 and above % size:
            text = f"must evenly divide the parent layer size {above}"
            yield invalid(f"{_at(LAYERS)}[{index}].size", size, text)


def _within_pods(texts: Texts, pods: int) -> Iterator[Problem]:
    text = f"must not be greater than pod set count {pods}"
    if SIZE in texts and (numbers.parse_int64(texts[SIZE]) or 0) > pods:
        yield invalid(_at(SIZE), texts[SIZE], text)
    layers = _layers(texts.get(LAYERS, ""))
    if isinstance(layers, list) and layers[0]["size"] > pods:
        yield invalid(_at(LAYERS), layers[0]["size"], text)


def _layers(text: str) -> list[Json] | str:
    """Return the layers, the widest first, or why these are none."""
    try:
        read = msgspec.json.decode(text)
        layers: list[Json] = rewritten(ListOf(LAYER), read) if read is not None else []
    except msgspec.DecodeError as error:
        return f"must be a valid JSON array: {_syntax(text, str(error))}"
    except DecodeError as error:
        return f"must be a valid JSON array: {error}"
    if not 1 <= len(layers) <= MOST_LAYERS:
        return f"topology constraints must contain between 1 and {MOST_LAYERS} entries"
    return layers


def _syntax(text: str, error: str) -> str:
    """Return Go's error for text that is no JSON: unexpected end, or an invalid first character."""
    at = re.search(r"byte (\d+)", error)
    if at is None or int(at[1]) >= len(text):
        # encoding/json knows two errors for a text that ends too early or begins
        # wrongly; their texts stand in the answer.
        return "unexpected end of JSON input"
    return f"invalid character '{text[int(at[1])]}' looking for beginning of value"


def _without(name: str, texts: Texts, *excluded: str) -> Iterator[Problem]:
    return (
        forbidden(_at(name), f"may not be set when '{other}' is specified")
        for other in excluded
        if other in texts
    )


def _number(text: str, within: range) -> int | None:
    value = numbers.parse_int64(text)
    return value if value is not None and value in within else None


def _at(name: str) -> str:
    return f"{ANNOTATIONS}[{name}]"
