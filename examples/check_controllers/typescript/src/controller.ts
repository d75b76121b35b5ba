/** A small AdmissionCheck controller on the official client: it asks an HTTP endpoint for each verdict and writes it down as Kueue expects. */
import { isDeepStrictEqual } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiException, CustomObjectsApi, type Informer, KubeConfig, type KubernetesListObject, type KubernetesObject, makeInformer, type ObjectCache } from "@kubernetes/client-node";
import { type AdmissionCheck, type Condition, condition, type Entry, KUEUE, mayAct, timestamp, type Workload } from "./kueue.js";
import { ask, told } from "./verdicts.js";

const POLL_MILLISECONDS = 100;
const LONGEST_WAIT_MILLISECONDS = 3_000;
const COMES_BACK = [404, 409]; // an object that is gone or was changed meanwhile comes back through its watch

const ours = process.env.KUEUE_CONFORMANCE_CONTROLLER_NAME ?? "example.com/budget";
const verdicts = process.env.KUEUE_CONFORMANCE_VERDICT_URL ?? "";
const config = new KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(CustomObjectsApi);
let wake = () => {};

/** A local copy of a kind that follows the server; whatever changes wakes the loop. */
function follow<Kind extends KubernetesObject>(plural: string): Informer<Kind> & ObjectCache<Kind> {
  const list = (): Promise<KubernetesListObject<Kind>> => api.listClusterCustomObject({ ...KUEUE, plural });
  const informer = makeInformer<Kind>(config, `/apis/${KUEUE.group}/${KUEUE.version}/${plural}`, list);
  for (const what of ["add", "update", "delete"] as const) informer.on(what, () => wake());
  const start = () => informer.start().catch(retry);
  const retry = (problem: unknown) => {
    console.log(`watching ${plural}: ${problem}`);
    setTimeout(start, 1000);
  };
  informer.on("error", retry);
  start();
  return informer;
}

/** An entry of ours with a fresh verdict; Retry and Rejected are Kueue's to move on. */
async function judged(entry: Entry, { namespace, name }: { namespace: string; name: string }): Promise<Entry> {
  if (entry.state === "Retry" || entry.state === "Rejected") return entry;
  return told(entry, await ask(verdicts, { namespace, workload: name, check: entry.name }));
}

/** Bring our entries up to date with one PUT; its resourceVersion makes the server refuse a decision about an older state. */
async function judge(workload: Workload, owned: ReadonlySet<string>): Promise<void> {
  const before = workload.status?.admissionChecks ?? [];
  if (!mayAct(workload) || !before.some((one) => owned.has(one.name))) return;
  const { namespace = "", name = "" } = workload.metadata ?? {};
  const after = await Promise.all(before.map((one) => (owned.has(one.name) ? judged(one, { namespace, name }) : one)));
  if (isDeepStrictEqual(after, before)) return;
  const body: Workload = { ...workload, status: { ...workload.status, admissionChecks: after } };
  await api.replaceNamespacedCustomObjectStatus({ ...KUEUE, plural: "workloads", namespace, name, body });
}

/** Say that a check can be used, once for each generation of it. */
async function activate(check: AdmissionCheck): Promise<void> {
  const { name = "", generation: observedGeneration } = check.metadata ?? {};
  const old = condition(check, "Active");
  const stays = old?.status === "True";
  if (stays && old.observedGeneration === observedGeneration) return;
  const lastTransitionTime = stays ? old.lastTransitionTime : timestamp();
  const active: Condition = { type: "Active", status: "True", reason: "Active", message: "The check can be used", lastTransitionTime, observedGeneration };
  const others = (check.status?.conditions ?? []).filter((one) => one.type !== "Active");
  const body: AdmissionCheck = { ...check, status: { ...check.status, conditions: [...others, active] } };
  await api.replaceClusterCustomObjectStatus({ ...KUEUE, plural: "admissionchecks", name, body });
}

/** Take a step and tell whether that went well; trouble is printed, and never turned into a verdict. */
async function attempt(what: string, step: Promise<void>): Promise<boolean> {
  try {
    await step;
    return true;
  } catch (problem) {
    if (problem instanceof ApiException && COMES_BACK.includes(problem.code)) return true;
    if (problem instanceof ApiException && problem.code === 429) await sleep(1000 * Number(problem.headers["retry-after"] ?? 1));
    console.log(`${what}: ${problem}`);
    return false;
  }
}

if (!verdicts) throw new Error("KUEUE_CONFORMANCE_VERDICT_URL is missing: where are verdicts asked for?");
for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => process.exit(0));
const checks = follow<AdmissionCheck>("admissionchecks");
const workloads = follow<Workload>("workloads");
for (let wait = POLL_MILLISECONDS; ; ) {
  const changed = new Promise<void>((resolve) => (wake = resolve));
  const named = checks.list().filter((check) => check.spec.controllerName === ours && !check.metadata?.deletionTimestamp);
  const owned = new Set(named.map((check) => check.metadata?.name ?? ""));
  const steps = [
    ...named.map((check) => attempt(`activate ${check.metadata?.name}`, activate(check))),
    ...workloads.list().map((workload) => attempt(`judge ${workload.metadata?.name}`, judge(workload, owned))),
  ];
  wait = (await Promise.all(steps)).every(Boolean) ? POLL_MILLISECONDS : Math.min(LONGEST_WAIT_MILLISECONDS, 2 * wait);
  await Promise.race([changed, sleep(wait)]);
}
