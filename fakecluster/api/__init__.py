"""The contract of the API machinery: requests and outcomes, routes, errors, options, what a kind is, which
kinds are served.
"""
