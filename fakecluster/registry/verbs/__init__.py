"""One module a verb, read top to bottom: what a request does to an object or a list of them."""
