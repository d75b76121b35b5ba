// A small AdmissionCheck controller on the official JavaScript client: it asks an HTTP endpoint for each verdict and writes it down
// as Kueue expects.
import { CustomObjectsApi, KubeConfig, makeInformer } from "@kubernetes/client-node";
import { isDeepStrictEqual } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";

const kueue = { group: "kueue.x-k8s.io", version: "v1beta2" };
const ours = process.env.KUEUE_CONFORMANCE_CONTROLLER_NAME ?? "example.com/budget";
const verdicts = process.env.KUEUE_CONFORMANCE_VERDICT_URL;
const poll = Number(process.env.POLL_MILLISECONDS ?? 100);
const [NOT_FOUND, CONFLICT, TOO_MANY_REQUESTS] = [404, 409, 429];
const LONGEST_WAIT_MILLISECONDS = 3_000;
const LONGEST_MESSAGE = 250; // of up to four bytes a letter

const config = new KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(CustomObjectsApi);
let wake = () => {};

/** A local copy of a kind that follows the server; whatever changes wakes the loop. */
function follow(plural) {
  const list = () => api.listClusterCustomObject({ ...kueue, plural });
  const informer = makeInformer(config, `/apis/${kueue.group}/${kueue.version}/${plural}`, list);
  for (const what of ["add", "update", "delete"]) informer.on(what, () => wake());
  const start = () => informer.start().catch(retry);
  const retry = (problem) => {
    console.log(`watching ${plural}: ${problem}`);
    setTimeout(start, 1000);
  };
  informer.on("error", retry);
  start();
  return informer;
}

const condition = (thing, type) => thing.status?.conditions?.find((one) => one.type === type);
const isTrue = (thing, type) => condition(thing, type)?.status === "True";
const timestamp = () => `${new Date().toISOString().slice(0, 19)}Z`;

/** A Workload may be judged while it has quota, and is neither on its way out nor at its end. */
const mayAct = (workload) =>
  isTrue(workload, "QuotaReserved") && !isTrue(workload, "Evicted") && !isTrue(workload, "Finished") && !workload.metadata.deletionTimestamp && workload.spec.active !== false;

/** The outside system's verdict. */
async function ask({ namespace, name }, check) {
  const answer = await fetch(`${verdicts}?${new URLSearchParams({ namespace, workload: name, check })}`, { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`${verdicts} answers ${answer.status}`);
  return answer.json();
}

/** The entry that tells a verdict: its time moves only with its state, and Kueue's retryCount stays. */
function told({ name, retryCount, ...old }, { state, message: text, requeueAfterSeconds: delay }) {
  const message = (text || `The outside system says ${state}`).slice(0, LONGEST_MESSAGE);
  const lastTransitionTime = state === old.state ? old.lastTransitionTime : timestamp();
  const requeueAfterSeconds = state === "Retry" && delay >= 0 ? delay : undefined;
  const told = { name, retryCount, state, message, lastTransitionTime, requeueAfterSeconds };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}

/** An entry of ours with a fresh verdict; Retry and Rejected are Kueue's to move on. */
async function judged(workload, entry) {
  if (["Retry", "Rejected"].includes(entry.state)) return entry;
  const verdict = await ask(workload.metadata, entry.name);
  const waits = verdict.state === "Pending" && entry.state === "Pending" && verdict.message !== undefined;
  return waits || ["Ready", "Retry", "Rejected"].includes(verdict.state) ? told(entry, verdict) : entry;
}

/** Bring our entries up to date with one PUT; its resourceVersion makes the server refuse a decision about an older state. */
async function judge(workload, owned) {
  const before = workload.status?.admissionChecks ?? [];
  if (!mayAct(workload) || !before.some((one) => owned.has(one.name))) return;
  const after = await Promise.all(before.map((one) => (owned.has(one.name) ? judged(workload, one) : one)));
  if (isDeepStrictEqual(after, before)) return;
  const { namespace, name } = workload.metadata;
  const body = { ...workload, status: { ...workload.status, admissionChecks: after } };
  await api.replaceNamespacedCustomObjectStatus({ ...kueue, plural: "workloads", namespace, name, body });
}

/** Say that a check can be used, once for each generation of it. */
async function activate(check) {
  const { name, generation } = check.metadata;
  const old = condition(check, "Active");
  if (old?.status === "True" && old.observedGeneration === generation) return;
  const lastTransitionTime = old?.status === "True" ? old.lastTransitionTime : timestamp();
  const active = { type: "Active", status: "True", reason: "Active", message: "The check can be used", lastTransitionTime, observedGeneration: generation };
  const others = (check.status?.conditions ?? []).filter((one) => one.type !== "Active");
  const body = { ...check, status: { ...check.status, conditions: [...others, active] } };
  await api.replaceClusterCustomObjectStatus({ ...kueue, plural: "admissionchecks", name, body });
}

/** Take a step and tell whether that went well; trouble is printed, and never turned into a verdict. */
async function attempt(step, thing) {
  try {
    await step(thing);
    return true;
  } catch (problem) {
    // An object that is gone or was changed meanwhile comes back through its watch.
    if ([NOT_FOUND, CONFLICT].includes(problem.code)) return true;
    if (problem.code === TOO_MANY_REQUESTS) await sleep(1000 * Number(problem.headers["retry-after"] ?? 1));
    console.log(`${step.name} ${thing.metadata.name}: ${problem}`);
    return false;
  }
}

if (!verdicts) throw new Error("KUEUE_CONFORMANCE_VERDICT_URL is missing: where are verdicts asked for?");
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(0));
const checks = follow("admissionchecks");
const workloads = follow("workloads");
for (let wait = poll; ; ) {
  const named = checks.list().filter((check) => check.spec.controllerName === ours && !check.metadata.deletionTimestamp);
  const owned = new Set(named.map((check) => check.metadata.name));
  const steps = [...named.map((one) => attempt(activate, one)), ...workloads.list().map((one) => attempt((workload) => judge(workload, owned), one))];
  const changed = new Promise((resolve) => (wake = resolve));
  wait = (await Promise.all(steps)).every(Boolean) ? poll : Math.min(LONGEST_WAIT_MILLISECONDS, 2 * wait);
  await Promise.race([changed, sleep(wait)]);
}
