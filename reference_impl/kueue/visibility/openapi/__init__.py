"""OpenAPI documents of the visibility API, v2 and v3, described in our own words (VIS-308…311)."""
