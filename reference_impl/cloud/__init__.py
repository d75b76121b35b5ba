"""A cloud for tests: node groups whose machines boot, register as Nodes, become ready, and fail by rule."""
