"""Objects in another version than they are stored in: the conversion webhooks of definitions (FK-330…335)."""
