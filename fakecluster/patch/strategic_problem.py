"""Why a strategic merge patch cannot be merged (FK-165, FK-166)."""


class StrategicProblem(Exception):
    """The patch and the object do not fit; the text is the Status message."""
