"""report.html: one page for people."""
