/** A check controller without a watch: it sweeps over everything in pages of 50, a batch of ten at a time, with JSON patches that test the revision. */
import { activeStatus, ApiError, ask, call, entriesOf, isOurs, KUEUE, list, mayAct, sleep, type Thing, told } from "./kube.js";

const SWEEP_SECONDS = 0.4;
const BATCH = 10;

async function patch(path: string, thing: Thing, steps: object[]): Promise<void> {
  const test = { op: "test", path: "/metadata/resourceVersion", value: thing.metadata.resourceVersion };
  if (steps.length > 0) await call("PATCH", path, [test, ...steps], "json-patch+json");
}

async function activate(check: Thing): Promise<void> {
  const status = activeStatus(check);
  if (!status) return;
  const steps = check.status ? [{ op: "add", path: "/status/conditions", value: status.conditions }] : [{ op: "add", path: "/status", value: status }];
  await patch(`${KUEUE}/admissionchecks/${check.metadata.name}/status`, check, steps);
}

async function judge(workload: Thing, owned: Set<string>): Promise<void> {
  if (!mayAct(workload)) return;
  const steps: object[] = [];
  for (const [index, old] of entriesOf(workload).entries()) {
    if (!owned.has(old.name) || old.state === "Retry" || old.state === "Rejected") continue;
    const value = told(old, await ask(workload, old.name));
    if (value !== old) steps.push({ op: "replace", path: `/status/admissionChecks/${index}`, value });
  }
  await patch(`${KUEUE}/namespaces/${workload.metadata.namespace}/workloads/${workload.metadata.name}/status`, workload, steps);
}

async function attempt(step: Promise<void>): Promise<number> {
  try {
    await step;
    return 0;
  } catch (problem) {
    const status = problem instanceof ApiError ? problem.status : 0;
    if (![404, 409, 422].includes(status)) console.log(`${problem}`);
    return problem instanceof ApiError ? problem.retryAfter : 0;
  }
}

for (;;) {
  let pause = SWEEP_SECONDS;
  try {
    const [{ items: workloads }, { items: checks }] = [await list("workloads", 50), await list("admissionchecks", 50)];
    const mine = checks.filter(isOurs);
    const owned = new Set(mine.map((check) => check.metadata.name));
    for (const check of mine) pause = Math.max(pause, await attempt(activate(check)));
    for (let from = 0; from < workloads.length; from += BATCH) {
      const batch = workloads.slice(from, from + BATCH);
      pause = Math.max(pause, ...(await Promise.all(batch.map((workload) => attempt(judge(workload, owned))))));
    }
  } catch (problem) {
    console.log(`sweep: ${problem}`);
    pause = Math.max(pause, problem instanceof ApiError ? problem.retryAfter : 0);
  }
  await sleep(pause);
}
