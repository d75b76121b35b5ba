"""Pages of the server about itself: version, health, discovery, OpenAPI."""
