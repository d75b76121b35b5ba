"""The evidence of a case beside the report: its story,
which can be judged again, bundled and replayed (harness/N-08, N-15).

`story` is one file, `folder` the files of a run with their index.
"""

from __future__ import annotations

from .folder import Folder, file_name
from .story import VERSION, Evidence, read, sound, write

__all__ = ["VERSION", "Evidence", "Folder", "file_name", "read", "sound", "write"]
