"""The systems outside: the budget office that is asked for verdicts, and the license service."""

import json
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from objects import CLAIMS, MISTAKE, VERDICTS, Object

SAVED = Path(tempfile.gettempdir()) / "warden.json"
FRESH_SECONDS = 0.5


class Outside:
    """Asks for verdicts, claims and releases licenses."""

    def __init__(self) -> None:
        self.http = httpx.AsyncClient(timeout=10, trust_env=False)
        self.recent: dict[Any, tuple[float, Object]] = {}
        self.loaded: Object = {}
        if MISTAKE == "remembered-on-disk" and SAVED.exists():
            self.loaded = json.loads(SAVED.read_text())

    async def ask(self, workload: Object, check: str) -> Object:
        """Return the verdict about a check of a Workload."""
        metadata = workload["metadata"]
        if MISTAKE == "remembered-on-disk":
            return await self._ask_once(f"{metadata['uid']}/{check}", metadata, check)
        if MISTAKE == "name-without-namespace":
            since, verdict = self.recent.get((metadata["name"], check), (0.0, {}))
            if time.monotonic() < since + FRESH_SECONDS:
                return verdict
        verdict = await self._ask(metadata, check)
        self.recent[metadata["name"], check] = time.monotonic(), verdict
        return verdict

    async def _ask(self, metadata: Object, check: str) -> Object:
        query = {"namespace": metadata["namespace"], "workload": metadata["name"], "check": check}
        answer = await self.http.get(VERDICTS, params=query)
        answer.raise_for_status()
        return answer.json()

    async def _ask_once(self, key: str, metadata: Object, check: str) -> Object:
        if key in self.loaded:
            return self.loaded[key]
        verdict = await self._ask(metadata, check)
        if verdict["state"] != "Pending":
            saved = json.loads(SAVED.read_text()) if SAVED.exists() else {}
            SAVED.write_text(json.dumps({**saved, key: verdict}))
        return verdict

    async def claim(self, namespace: str, name: str) -> None:
        """Hold a license for a Workload; a claim of the same id is the same claim."""
        if CLAIMS:
            body = {"namespace": namespace, "workload": name, "id": f"{namespace}.{name}"}
            (await self.http.post(CLAIMS, json=body)).raise_for_status()

    async def claims(self) -> list[Object]:
        """Return every license that is held, also of before a restart."""
        if not CLAIMS:
            return []
        answer = await self.http.get(CLAIMS)
        answer.raise_for_status()
        return answer.json()["items"]

    async def release(self, namespace: str, name: str) -> None:
        """Release the license of a Workload, if it has one."""
        if not CLAIMS:
            return
        ids = [f"{namespace}.{name}"]
        if MISTAKE == "release-by-prefix":
            ids = [claim["id"] for claim in await self.claims() if claim["id"].startswith(ids[0])]
        for claim_id in ids:
            answer = await self.http.delete(f"{CLAIMS}/{quote(claim_id, safe='')}")
            if answer.status_code != httpx.codes.NOT_FOUND:
                answer.raise_for_status()
