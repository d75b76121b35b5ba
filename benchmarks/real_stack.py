"""What a real kube-apiserver v1.36.3 with etcd 3.6.8 and
Kueue v0.19.2 did on 2 shared cores; measured on 2026-11-20.
"""

from __future__ import annotations

from .figure import Figure

RATE = {
    False: Figure("the real stack", (69.0,), "1/s"),
    True: Figure("the real stack", (13.0,), "1/s"),
}
"""Admissions per second, without and with a check that is answered at once."""
SERVER_CPU = {False: Figure("kube-apiserver", (13.0,), "ms"), True: Figure("kube-apiserver", (46.0,), "ms")}
KUEUE_CPU = {False: Figure("Kueue", (5.0,), "ms"), True: Figure("Kueue", (14.0,), "ms")}
