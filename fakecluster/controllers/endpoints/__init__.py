"""EndpointSlices and Endpoints: where the pods of a Service are (FK-462, FK-498)."""

from .controller import EndpointSliceController
from .mirroring import EndpointSliceMirroringController

__all__ = ["EndpointSliceController", "EndpointSliceMirroringController"]
