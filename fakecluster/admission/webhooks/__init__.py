"""Webhooks that change or refuse writes: who is called,
what is asked, what becomes of the answer (FK-300…315).

Everything here is pure: a webhook is asked by a Call, which is returned, and its answer comes back.
"""
