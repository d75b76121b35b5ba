"""Webhooks that change or refuse writes: who is called, what is asked, what becomes of the answer (FK-300…315).

Everything here is pure: whoever must be asked goes out as a Call and comes back as an answer.
"""
