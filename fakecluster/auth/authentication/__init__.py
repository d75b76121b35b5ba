"""Authentication: certificates, tokens, front proxies and service accounts become a user (FK-390…392)."""
