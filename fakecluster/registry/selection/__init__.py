"""Label and field selectors."""
