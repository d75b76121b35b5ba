"""From the bytes of a body to an object: formats, repeated and unknown fields, and the words for what cannot be read."""
