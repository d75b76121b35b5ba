/** A check controller on server-side apply, with a Lease: of several copies one is at work. It begins slowly. */
import { randomUUID } from "node:crypto";
import { activeStatus, ApiError, ask, call, entriesOf, holds, isOurs, keyOf, KUEUE, list, mayAct, sleep, type Thing, told, watch } from "./kube.js";

const [MANAGER, SELF] = ["acme-applied", `applied-${randomUUID()}`];
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
const [LEASE_SECONDS, START_SECONDS, ROUND_SECONDS] = [5, 1.5, 0.25];
interface Lease { metadata: object; spec: { holderIdentity?: string; leaseDurationSeconds?: number; renewTime?: string } }
let leadsUntil = 0;
let spec: Lease["spec"] | undefined;
const now = () => performance.now() / 1000;

async function lead(): Promise<never> {
  for (let seen = "", since = 0; ; await sleep(1)) {
    try {
      const begun = now();
      const mine = { holderIdentity: SELF, leaseDurationSeconds: LEASE_SECONDS, renewTime: new Date().toISOString().replace("Z", "000Z") };
      let lease: Lease;
      try {
        lease = await call<Lease>("GET", `${LEASES}/${MANAGER}`);
      } catch (problem) {
        if (!(problem instanceof ApiError && problem.status === 404)) throw problem;
        await call("POST", LEASES, { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: MANAGER }, spec: mine });
        leadsUntil = begun + LEASE_SECONDS - 1;
        continue;
      }
      spec = lease.spec;
      if (JSON.stringify(spec) !== seen) [seen, since] = [JSON.stringify(spec), begun];
      if (!spec.holderIdentity || spec.holderIdentity === SELF || begun > since + (spec.leaseDurationSeconds ?? LEASE_SECONDS)) {
        await call("PUT", `${LEASES}/${MANAGER}`, { ...lease, spec: { ...spec, ...mine } });
        leadsUntil = begun + LEASE_SECONDS - 1;
      }
    } catch (problem) {
      console.log(`lease: ${problem}`);
    }
  }
}

const things = { admissionchecks: new Map<string, Thing>(), workloads: new Map<string, Thing>() };
const listed = new Set<string>();

async function follow(plural: "admissionchecks" | "workloads"): Promise<never> {
  for (;;) {
    try {
      const found = await list(plural);
      things[plural] = new Map(found.items.map((thing) => [keyOf(thing), thing]));
      listed.add(plural);
      for (let { since } = found; ; ) {
        for await (const { type, object } of watch(plural, since)) {
          since = object.metadata.resourceVersion;
          if (type === "DELETED") things[plural].delete(keyOf(object));
          else if (type !== "BOOKMARK") things[plural].set(keyOf(object), object);
        }
      }
    } catch (problem) {
      console.log(`watching ${plural}: ${problem}`);
      await sleep(Math.max(0.5, problem instanceof ApiError ? problem.retryAfter : 0));
    }
  }
}

function apply(path: string, kind: string, metadata: object, status: object): Promise<unknown> {
  return call("PATCH", `${path}/status?fieldManager=${MANAGER}&force=true`, { apiVersion: "kueue.x-k8s.io/v1beta2", kind, metadata, status }, "apply-patch+yaml");
}

async function activate(check: Thing): Promise<void> {
  const conditions = activeStatus(check)?.conditions.filter((item) => item.type === "Active");
  const { name, uid } = check.metadata;
  if (conditions) await apply(`${KUEUE}/admissionchecks/${name}`, "AdmissionCheck", { name, uid }, { conditions });
}

async function judge(workload: Thing, owned: Set<string>): Promise<void> {
  if (!mayAct(workload) || holds(workload, "Finished")) return;
  const before = entriesOf(workload).filter((item) => owned.has(item.name));
  const after = await Promise.all(before.map(async (old) => (["Retry", "Rejected"].includes(old.state) ? old : told(old, await ask(workload, old.name)))));
  if (after.every((item, index) => item === before[index])) return;
  const { name, namespace, uid, resourceVersion } = workload.metadata;
  await apply(`${KUEUE}/namespaces/${namespace}/workloads/${name}`, "Workload", { name, namespace, uid, resourceVersion }, { admissionChecks: after });
}

async function attempt(step: Promise<void>): Promise<void> {
  try {
    await step;
  } catch (problem) {
    if (!(problem instanceof ApiError && [404, 409].includes(problem.status))) console.log(`${problem}`);
  }
}

async function leave(): Promise<void> {
  if (now() < leadsUntil) {
    const lease = await call<Lease>("GET", `${LEASES}/${MANAGER}`);
    await call("PUT", `${LEASES}/${MANAGER}`, { ...lease, spec: { ...lease.spec, holderIdentity: "", leaseDurationSeconds: 1 } });
  }
}

process.removeAllListeners("SIGTERM");
process.on("SIGTERM", () => void Promise.race([leave().catch(() => {}), sleep(2)]).then(() => process.exit(0)));
await sleep(START_SECONDS);
void lead();
void follow("admissionchecks");
void follow("workloads");
for (; ; await sleep(ROUND_SECONDS)) {
  if (now() > leadsUntil || listed.size < 2) continue;
  const mine = [...things.admissionchecks.values()].filter(isOurs);
  const owned = new Set(mine.map((check) => check.metadata.name));
  await Promise.all([...mine.map((check) => attempt(activate(check))), ...[...things.workloads.values()].map((workload) => attempt(judge(workload, owned)))]);
}
