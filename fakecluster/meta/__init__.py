"""An object's metadata: what is allowed in it and what the server adds."""
