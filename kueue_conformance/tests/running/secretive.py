"""A wrong controller that makes a Secret, and dies with its words."""

from kueue_conformance.tests.zoo.api import CORE
from kueue_conformance.tests.zoo.timing import AnswersBeforeReservation

WORD = "open-sesame-0815"
CODED = "b3Blbi1zZXNhbWUtMDgxNQ=="


class Secretive(AnswersBeforeReservation):
    async def run(self):
        words = {"metadata": {"name": "words"}, "stringData": {"word": WORD}}
        copy = {"metadata": {"name": "copy"}, "data": {"word": WORD}}
        # Without a token of the clock time may pass while a request is on its way.
        with self.clock.busy():
            await self.api.post(f"{CORE}/namespaces/default/secrets", words)
            await self.api.post(f"{CORE}/namespaces/default/configmaps", copy)
        await super().run()

    async def judge(self, workload):
        raise RuntimeError(f"I know {WORD}, which is {CODED}")
