"""Programs for contributors: they look at the code or write its data files, and are not part of the wheel."""
