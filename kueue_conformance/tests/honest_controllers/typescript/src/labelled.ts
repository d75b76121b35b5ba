/** A check controller without an outside system: the label acme.io/decision of a Workload says ready, retry or rejected. */
import { activeStatus, ApiError, call, entriesOf, isOurs, keyOf, KUEUE, list, mayAct, sleep, type Thing, told, watch } from "./kube.js";

const STATES: Record<string, string> = { ready: "Ready", retry: "Retry", rejected: "Rejected" };
const things = { admissionchecks: new Map<string, Thing>(), workloads: new Map<string, Thing>() };
let chain: Promise<void> = Promise.resolve();

/** One step after another. */
function then(step: () => Promise<void>): void {
  chain = chain.then(async () => {
    for (let tries = 0; ; tries++) {
      try {
        return await step();
      } catch (problem) {
        const status = problem instanceof ApiError ? problem.status : 0;
        if (status === 404) return;
        if (status !== 409) console.log(`${problem}`);
        // The step reads the cache anew; a newer event may be on its way.
        await sleep(Math.max(problem instanceof ApiError ? problem.retryAfter : 0, Math.min(1, 0.02 * 2 ** tries)));
      }
    }
  });
}

async function judge(key: string): Promise<void> {
  const workload = things.workloads.get(key);
  if (!workload || !mayAct(workload)) return;
  const state = STATES[workload.metadata.labels?.["acme.io/decision"] ?? ""];
  if (!state) return;
  const before = entriesOf(workload);
  const after = before.map((old) => (isOurs(things.admissionchecks.get(`/${old.name}`)) ? told(old, { state, message: `labelled ${state}` }) : old));
  if (after.every((item, index) => item === before[index])) return;
  const { namespace, name, resourceVersion } = workload.metadata;
  await call("PATCH", `${KUEUE}/namespaces/${namespace}/workloads/${name}/status`, { metadata: { resourceVersion }, status: { admissionChecks: after } }, "merge-patch+json");
}

async function activate(key: string): Promise<void> {
  const check = things.admissionchecks.get(key);
  const status = check && isOurs(check) ? activeStatus(check) : undefined;
  if (!check || !status) return;
  const { name, resourceVersion } = check.metadata;
  await call("PATCH", `${KUEUE}/admissionchecks/${name}/status`, { metadata: { resourceVersion }, status }, "merge-patch+json");
}

function look(plural: "admissionchecks" | "workloads", thing: Thing): void {
  const key = keyOf(thing);
  if (plural === "workloads") return then(() => judge(key));
  then(() => activate(key));
  for (const workload of things.workloads.values()) if (entriesOf(workload).some(({ name }) => name === thing.metadata.name)) then(() => judge(keyOf(workload)));
}

async function follow(plural: "admissionchecks" | "workloads"): Promise<never> {
  const cache = things[plural];
  for (let since = ""; ; ) {
    try {
      if (!since) {
        const listed = await list(plural);
        cache.clear();
        for (const thing of listed.items) cache.set(keyOf(thing), thing);
        for (const thing of listed.items) look(plural, thing);
        since = listed.since;
      }
      for await (const { type, object } of watch(plural, since)) {
        since = object.metadata.resourceVersion;
        if (type === "BOOKMARK") continue;
        if (type === "DELETED") cache.delete(keyOf(object));
        else cache.set(keyOf(object), object);
        look(plural, object);
      }
    } catch (problem) {
      console.log(`watching ${plural}: ${problem}`);
      since = "";
      await sleep(Math.max(0.5, problem instanceof ApiError ? problem.retryAfter : 0));
    }
  }
}

await Promise.all([follow("admissionchecks"), follow("workloads")]);
