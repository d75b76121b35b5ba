"""Every server of ours, asked by the HTTP clients that people have."""
