"""What a server says of itself: version, health, discovery, OpenAPI."""
