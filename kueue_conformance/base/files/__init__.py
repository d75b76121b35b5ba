"""Files: those of others within limits, our own replaced atomically, and temporary folders."""
