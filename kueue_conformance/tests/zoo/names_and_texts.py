"""Wrong about names that are easily mistaken for each other,
and about texts that look like templates (CC-001, CC-036).
"""

from .right import CheckController

LABEL_LENGTH = 63


class KnowsChecksByTheirFirst63Characters(CheckController):
    """Breaks CC-001: takes a check for its own whose name begins like that of one; CHK-180 must catch it."""

    def owns(self, name):
        names = [other for _, other in self.checks.known if other[:LABEL_LENGTH] == name[:LABEL_LENGTH]]
        return any(super(KnowsChecksByTheirFirst63Characters, self).owns(other) for other in names)


class PrintsPercentSigns(CheckController):
    """Breaks CC-036: prints a message as Go's Printf does without operands; CHK-020 must catch it."""

    def message(self, verdict):
        return super().message(verdict).replace("%", "%!(NOVERB)")


class FillsInBraces(CheckController):
    """Breaks CC-036: takes a message for a template and leaves out what it has no value for;
    CHK-020 must catch it.
    """

    def message(self, verdict):
        return super().message(verdict).replace("{", "").replace("}", "")


class SaysTheFirstLine(CheckController):
    """Breaks CC-036: passes on the first line of a message; CHK-020 must catch it."""

    def message(self, verdict):
        return super().message(verdict).splitlines()[0]


class SpeaksAsciiOnly(CheckController):
    """Breaks CC-036: replaces every letter that is not ASCII; CHK-020 must catch it."""

    def message(self, verdict):
        return super().message(verdict).encode("ascii", "replace").decode()


class PassesOnAnyLength(CheckController):
    """Breaks CC-027: passes a message on that is longer than an entry holds, which the server refuses;
    CHK-190 must catch it.
    """

    def message(self, verdict):
        return verdict.get("message") or super().message(verdict)


class CutsLettersInTwo(CheckController):
    """Breaks CC-027: cuts a message at a number of bytes, and stumbles where that goes through a letter;
    CHK-190 must catch it.
    """

    def message(self, verdict):
        return super().message({**verdict, "message": verdict.get("message", "").encode()[:1000].decode()})
