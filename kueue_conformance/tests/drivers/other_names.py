"""A provisioning check controller that does what Kueue's does and calls everything otherwise: its contract
binds it, Kueue's details do not (PA-170…172).
"""

import asyncio
import hashlib
import re
from dataclasses import dataclass, replace
from pathlib import Path

from reference_impl.api.resource import Key
from reference_impl.api.shortening import shorten
from reference_impl.kueue.defects import find
from reference_impl.kueue.provisioning import messages
from reference_impl.kueue.provisioning.names import Naming
from reference_impl.kueue.provisioning.part import ProvisioningPart
from reference_impl.runtime import kubeconfig
from reference_impl.runtime.manager import Manager
from reference_impl.runtime.program import Program

OWN = "The capacity service: "
WORDS = {messages.NOT_ACTIVE: "no configuration", messages.NOT_NEEDED: "nothing to ask for"}


def _digest(*words: str) -> str:
    return hashlib.sha256("/".join(words).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Hashed(Naming):
    """Names that tell neither the Workload nor the check,
    and put the attempt where Kueue does not look for it.
    """

    def attempt(self, name, workload, check):
        match = re.fullmatch(f"try([0-9]+)-of-{_digest(workload, check)}", name)
        return int(match.group(1)) if match else None


NAMING = Hashed(
    prefix=lambda workload, check: "try",
    request=lambda workload, check, attempt: f"try{attempt}-of-{_digest(workload, check)}",
    template=lambda request, pod_set: f"pods-{_digest(request, pod_set)}",
)


def in_other_words(entry):
    """Say what Kueue says of its own accord otherwise; an autoscaler's words stay within."""
    text = entry["message"]
    if not text or text.startswith(OWN):
        return entry
    own = OWN + WORDS.get(text, text.removeprefix("Retrying after "))
    return {**entry, "message": shorten(own, messages.LONGEST_MESSAGE)}


def rules():
    """Return the rules of the newest release without its defects, called otherwise."""
    right = find("v0.19", defects=False).provisioning
    return replace(
        right,
        request_naming=NAMING,
        labels={"example.com/made-by": "capacity"},
        set_missing_message=lambda entry: in_other_words(right.set_missing_message(entry)),
    )


async def serve(context):
    """Work until cancelled."""
    program = Program(
        user_agent="capacity-service/1.0",
        lease=Key("kueue-system", "capacity-service"),
        connection=kubeconfig.load(Path(context.kubeconfig)),
        components=(ProvisioningPart(rules()),),
    )
    manager = Manager(program, context.clock)
    await manager.start()
    try:
        await asyncio.Event().wait()
    finally:
        await manager.stop()
