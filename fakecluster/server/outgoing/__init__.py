"""What the server asks of others: webhooks (calls), servers of APIServices (relay, tunnel, prober), and why
they failed (golang_errors).
"""
