/** A check controller on the informers of the official client; four workers, PUT, and after a conflict read and judge again. */
import { ApiException, CustomObjectsApi, KubeConfig, type KubernetesListObject, makeInformer } from "@kubernetes/client-node";
import { activeStatus, ask, entriesOf, isOurs, mayAct, sleep, type Thing, told } from "./kube.js";

const GROUP = { group: "kueue.x-k8s.io", version: "v1beta2" };
const config = new KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(CustomObjectsApi);
const waiting: string[] = [];
const [dirty, busy] = [new Set<string>(), new Set<string>()];
const timers = new Map<string, NodeJS.Timeout>();
let wake = () => {};

function add(key: string): void {
  if (dirty.has(key)) return;
  dirty.add(key);
  if (!busy.has(key)) waiting.push(key);
  wake();
}

function later(key: string, seconds: number): void {
  clearTimeout(timers.get(key));
  timers.set(key, setTimeout(() => add(key), 1000 * seconds));
}

function informer(plural: string, changed: (thing: Thing) => void) {
  const list = () => api.listClusterCustomObject({ ...GROUP, plural }) as Promise<KubernetesListObject<Thing>>;
  const made = makeInformer<Thing>(config, `/apis/${GROUP.group}/${GROUP.version}/${plural}`, list);
  for (const what of ["add", "update", "delete"] as const) made.on(what, changed);
  const start = () => made.start().catch(again);
  const again = (problem: unknown) => {
    console.log(`watching ${plural}: ${problem}`);
    setTimeout(start, problem instanceof ApiException && problem.code === 429 ? 1000 * Number(problem.headers["retry-after"] ?? 1) : 500);
  };
  made.on("error", again);
  start();
  return made;
}

const workloads = informer("workloads", (workload) => add(`${workload.metadata.namespace}/${workload.metadata.name}`));
const checks = informer("admissionchecks", (check) => {
  add(check.metadata.name);
  for (const workload of workloads.list()) if (entriesOf(workload).some(({ name }) => name === check.metadata.name)) add(`${workload.metadata.namespace}/${workload.metadata.name}`);
});

async function judge(namespace: string, name: string): Promise<void> {
  let workload = workloads.get(name, namespace);
  while (workload && mayAct(workload)) {
    const before = entriesOf(workload);
    const mine = new Set(before.map((item) => item.name).filter((check) => isOurs(checks.get(check))));
    if (mine.size === 0) return;
    const after = [];
    for (const old of before) after.push(mine.has(old.name) && !["Retry", "Rejected"].includes(old.state) ? told(old, await ask(workload, old.name)) : old);
    if (after.some((item) => mine.has(item.name) && ["Pending", "Ready"].includes(item.state))) later(`${namespace}/${name}`, 0.3);
    if (after.every((item, index) => item === before[index])) return;
    const body = { ...workload, status: { ...workload.status, admissionChecks: after } };
    try {
      await api.replaceNamespacedCustomObjectStatus({ ...GROUP, plural: "workloads", namespace, name, body });
      return;
    } catch (problem) {
      if (!(problem instanceof ApiException && problem.code === 409)) throw problem;
      workload = (await api.getNamespacedCustomObject({ ...GROUP, plural: "workloads", namespace, name })) as Thing;
    }
  }
}

async function activate(name: string): Promise<void> {
  const check = checks.get(name);
  const status = check && isOurs(check) ? activeStatus(check) : undefined;
  if (check && status) await api.replaceClusterCustomObjectStatus({ ...GROUP, plural: "admissionchecks", name, body: { ...check, status: { ...check.status, ...status } } });
}

async function worker(): Promise<never> {
  for (;;) {
    const key = waiting.shift();
    if (key === undefined) {
      await Promise.race([new Promise<void>((resolve) => (wake = resolve)), sleep(0.1)]);
      continue;
    }
    dirty.delete(key);
    busy.add(key);
    try {
      const [namespace, name] = key.split("/") as [string, string | undefined];
      await (name === undefined ? activate(namespace) : judge(namespace, name));
    } catch (problem) {
      const code = problem instanceof ApiException ? problem.code : 0;
      if (code !== 404 && code !== 409) console.log(`${key}: ${problem}`);
      if (code !== 404) later(key, problem instanceof ApiException && code === 429 ? Number(problem.headers["retry-after"] ?? 1) : code === 409 ? 0.1 : 1);
    }
    busy.delete(key);
    if (dirty.has(key)) waiting.push(key);
  }
}

await Promise.all([worker(), worker(), worker(), worker()]);
