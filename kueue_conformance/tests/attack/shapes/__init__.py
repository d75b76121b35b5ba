"""What is sent, a family a module. A shape draws its sizes and words from a `Random`, so that its neighbours
are tried as well.
"""

from .shape import Shape


def shapes():
    """Return every shape."""
    from . import (
        amounts,
        certificates,
        columns,
        depth,
        framing,
        numbers,
        patches,
        peers,
        pipelines,
        products,
        reviews,
        rights,
        sizes,
        trailers,
        upgrades,
        visibility,
        webhooks,
        websockets,
        work,
        workloads,
    )

    families = (
        framing,
        upgrades,
        websockets,
        trailers,
        pipelines,
        peers,
        sizes,
        numbers,
        depth,
        patches,
        work,
        columns,
        products,
        amounts,
        reviews,
        rights,
        visibility,
        workloads,
        certificates,
        webhooks,
    )
    return tuple(shape for family in families for shape in family.SHAPES)


__all__ = ["Shape", "shapes"]
