"""Finds the dialect of a real Kueue from its observed version;
a different --dialect is refused (harness/H-48).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..base.errors import UsageError
from ..options import Settings
from ..scenarios.dialect import nearest


def with_detected_dialect(settings: Settings, release: str, announce: Callable[[str], None]) -> Settings:
    """Return the settings with the dialect of the observed release.

    Raises UsageError when another one was given.

    Documents that never were a release may be asked for anywhere.
    """
    spoken, asked = nearest(release), settings.dialects[0]
    if spoken is None or spoken == asked or not asked.is_release:
        return settings
    if "dialect" in settings.given:
        raise UsageError(
            f"the Kueue that is judged is {release}, whose dialect is {spoken.name}, and --dialect says {asked.name}",
            hint=f"leave --dialect out, or write --dialect {spoken.name}",
        )
    announce(f"Kueue {release} is judged by dialect {spoken.name}")
    return replace(
        settings, dialects=(spoken, *(one for one in settings.dialects if one.family != spoken.family))
    )
