import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { startFakecluster } from "./cluster.mjs";

const JOBS = "/apis/batch/v1/namespaces/default/jobs";
let cluster;

before(async () => {
  cluster = await startFakecluster("--pod-script", "instant");
});
after(() => cluster.stop());

test("a finished Job is deleted after an hour, which passes at once", async () => {
  const template = { spec: { restartPolicy: "Never", containers: [{ name: "work", image: "work" }] } };
  await cluster.request("POST", JOBS, { metadata: { name: "train" }, spec: { ttlSecondsAfterFinished: 3600, template } });

  await cluster.advance(3540);
  assert.equal((await cluster.request("GET", `${JOBS}/train`)).status.succeeded, 1);
  await cluster.advance(120);
  await assert.rejects(cluster.request("GET", `${JOBS}/train`), { code: 404 });
});

test("a fault is added and taken away", async () => {
  const create = () => cluster.request("POST", "/api/v1/namespaces/default/configmaps", { metadata: { name: "data" } });
  const remove = await cluster.fault({ verb: "create", resource: "configmaps" }, { kind: "answer", code: 503 });

  await assert.rejects(create(), { code: 503 });
  await remove();
  assert.equal((await create()).metadata.name, "data");
});
