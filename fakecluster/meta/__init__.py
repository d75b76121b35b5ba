"""An object's metadata: its validation and the members that the server sets."""
