"""What the control plane serves: requests and answers as values, the HTTPS server, its certificate, and whom it trusts."""
