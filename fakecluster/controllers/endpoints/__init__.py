"""EndpointSlices and Endpoints: where the pods of a Service are (FK-462, FK-498)."""

from .controller import EndpointKeeper
from .mirroring import EndpointMirror

__all__ = ["EndpointKeeper", "EndpointMirror"]
