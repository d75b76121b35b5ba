"""A client that answers reviews from a script, and a loop on which time is moved by hand."""

import asyncio
import random

from reference_impl.kueue.visibility.delegated.reviews import Reviews
from reference_impl.runtime.errors import ApiError

from ...runtime.clocks import HandClock


def token_review(**status):
    return {"kind": "TokenReview", "status": status}


def access_review(**status):
    return {"kind": "SubjectAccessReview", "status": status}


ERROR = ApiError(500, "InternalError", "etcdserver: leader changed")
REFUSED = ApiError(403, "Forbidden", "subjectaccessreviews is forbidden")


class Client:
    """Answers one after the other, the last one for ever; an error is raised, HANGS never answers."""

    HANGS = object()

    def __init__(self, clock, *answers):
        self.clock, self.answers, self.asked = clock, list(answers), []
        self.tokens = []

    async def review(self, path, options, body=None):
        self.tokens.append(self.clock.tokens)
        self.asked.append(("POST", path, options, body))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer is self.HANGS:
            await asyncio.Event().wait()
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def specs(self):
        return [body["spec"] for _, _, _, body in self.asked]


def asking(*answers):
    """Return a client with this script, what asks through it, and the clock."""
    clock = HandClock()
    client = Client(clock, *answers)
    return client, Reviews(client, clock, random=random.Random(1)), clock


async def turns(count=20):
    for _ in range(count):
        await asyncio.sleep(0)


async def over_time(clock, work):
    """Let work run, and time pass whenever it waits; return what came of it and the seconds that it took."""
    task, start = asyncio.ensure_future(work), clock.now()
    await turns()
    while not task.done():
        clock.advance(clock.due[0] + 1e-5)  # what is due is told to six digits
        await turns()
    return task, round(clock.now() - start, 2)
