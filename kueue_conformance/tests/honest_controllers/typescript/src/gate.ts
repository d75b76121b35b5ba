/** A check controller without a client library: two watches, a queue of keys, merge patches. It holds a claim for each Workload that it may judge. */
import { activeStatus, ApiError, ask, call, CLAIMS, type Entry, entriesOf, isOurs, keyOf, KUEUE, list, mayAct, MISTAKE, OURS, sleep, type Thing, told, type Verdict, watch } from "./kube.js";

const AGAIN_SECONDS = 0.25;
const LONGEST_WAIT_SECONDS = 3;
const checks = new Map<string, Thing>();
const workloads = new Map<string, Thing>();
const everOurs = new Set<string>();
const answers = new Map<string, { at: number; verdict: Verdict }>();

// The queue: a key that is added while it is in work is worked on once more.
const dirty = new Set<string>();
const busy = new Set<string>();
const timers = new Map<string, NodeJS.Timeout>();
const failures = new Map<string, number>();

function add(key: string): void {
  if (MISTAKE === "drops-equal-keys" && busy.has(key)) return;
  dirty.add(key);
  if (!busy.has(key) && isSynced()) void work(key);
}

function later(key: string, seconds: number): void {
  clearTimeout(timers.get(key));
  timers.set(key, setTimeout(() => add(key), 1000 * seconds));
}

/** Open verdicts are asked for again, and after a while those that may be taken back. */
function askAgain(key: string, entries: Entry[]): void {
  const states = new Set(entries.filter((item) => owns(item.name)).map((item) => item.state));
  if (states.has("Pending")) later(`workload ${key}`, AGAIN_SECONDS);
  else if (states.has("Ready")) later(`workload ${key}`, 4 * AGAIN_SECONDS);
}

async function work(key: string): Promise<void> {
  if (MISTAKE === "one-fails-all" && key.startsWith("workload ")) return;
  busy.add(key);
  while (dirty.delete(key)) {
    try {
      const [kind, name] = key.split(" ") as [string, string];
      await (kind === "check" ? activate(name) : judge(name));
      failures.delete(key);
    } catch (problem) {
      trouble(key, problem);
    }
  }
  busy.delete(key);
}

function trouble(key: string, problem: unknown): void {
  const status = problem instanceof ApiError ? problem.status : 0;
  if (status !== 404 && status !== 409) console.log(`${key}: ${problem}`);
  const count = (failures.get(key) ?? 0) + 1;
  failures.set(key, count);
  later(key, Math.max(problem instanceof ApiError ? problem.retryAfter : 0, Math.min(LONGEST_WAIT_SECONDS, 0.05 * 2 ** count)));
}

const synced = new Set<string>();
const isSynced = () => synced.size === 2;

/** Keep a cache like the server: list, watch, and list again when that is needed. */
async function follow(plural: "admissionchecks" | "workloads"): Promise<never> {
  const cache = plural === "workloads" ? workloads : checks;
  for (let since = "", wait = AGAIN_SECONDS; ; ) {
    try {
      if (!since) {
        const listed = await list(plural);
        const there = new Set(listed.items.map(keyOf));
        for (const [key, gone] of [...cache]) if (!there.has(key)) note(plural, "DELETED", gone);
        for (const thing of listed.items) note(plural, "ADDED", thing);
        since = listed.since;
        synced.add(plural);
        if (isSynced()) for (const key of dirty) void work(key);
      }
      for await (const { type, object } of watch(plural, since)) {
        since = object.metadata.resourceVersion;
        wait = AGAIN_SECONDS;
        if (type !== "BOOKMARK") note(plural, type, object);
      }
    } catch (problem) {
      if (MISTAKE === "watch-ends-unseen") throw problem;
      console.log(`watching ${plural}: ${problem}`);
      if (problem instanceof ApiError && problem.status !== 429) since = "";
      await sleep(Math.max(wait, problem instanceof ApiError ? problem.retryAfter : 0));
      wait = Math.min(LONGEST_WAIT_SECONDS, 2 * wait);
    }
  }
}

function note(plural: string, type: string, thing: Thing): void {
  const cache = plural === "workloads" ? workloads : checks;
  const key = keyOf(thing);
  const known = cache.get(key);
  if (MISTAKE === "revisions-as-text" && known && known.metadata.uid === thing.metadata.uid && type !== "DELETED") {
    if (known.metadata.resourceVersion >= thing.metadata.resourceVersion) return; // an old event
  }
  if (type === "DELETED") cache.delete(key);
  else cache.set(key, thing);
  if (plural === "workloads") return add(`workload ${key}`);
  add(`check ${key}`);
  for (const workload of workloads.values()) {
    if (entriesOf(workload).some(({ name }) => name === thing.metadata.name)) add(`workload ${keyOf(workload)}`);
  }
}

function owns(name: string): boolean {
  const ours = isOurs(checks.get(`/${name}`));
  if (ours) everOurs.add(name);
  return ours || (MISTAKE === "once-ours-always-ours" && everOurs.has(name));
}

async function activate(key: string): Promise<void> {
  const check = checks.get(key);
  const status = check && isOurs(check) ? activeStatus(check) : undefined;
  if (!check || !status) return;
  const { name, resourceVersion } = check.metadata;
  await call("PATCH", `${KUEUE}/admissionchecks/${name}/status`, { metadata: { resourceVersion }, status }, "merge-patch+json");
}

async function verdictFor(workload: Thing, check: string): Promise<Verdict> {
  const known = answers.get(check);
  if (MISTAKE === "one-switch" && known && Date.now() < known.at + 500) return known.verdict;
  const verdict = await ask(workload, check);
  answers.set(check, { at: Date.now(), verdict });
  return verdict;
}

/** The entries as they have to be, or nothing where the Workload is not to be judged. */
async function decide(workload: Thing): Promise<Entry[] | undefined> {
  const before = entriesOf(workload);
  let mine = before.filter((item) => owns(item.name));
  if (MISTAKE === "first-of-its-checks") mine = mine.slice(0, 1);
  if (!mayAct(workload) || mine.length === 0) return undefined;
  return Promise.all(
    before.map(async (old) => {
      const isFinal = old.state === "Retry" || old.state === "Rejected";
      if (!mine.includes(old) || (isFinal && MISTAKE !== "compares-by-case")) return old;
      const entry = told(old, await verdictFor(workload, old.name));
      return MISTAKE === "mutated-cache" ? Object.assign(old, entry) : entry;
    }),
  );
}

async function write(workload: Thing, before: Entry[], after: Entry[]): Promise<void> {
  const { namespace, name, resourceVersion } = workload.metadata;
  const changed = after.flatMap((value, index) => (value === before[index] ? [] : [{ op: "replace", path: `/status/admissionChecks/${index}`, value }]));
  const path = `${KUEUE}/namespaces/${namespace}/workloads/${name}/status`;
  if (changed.length === 0) return;
  if (MISTAKE === "patch-by-index") await call("PATCH", path, changed, "json-patch+json");
  else await call("PATCH", path, { metadata: { resourceVersion }, status: { admissionChecks: after } }, "merge-patch+json");
}

async function judge(key: string): Promise<void> {
  const workload = workloads.get(key);
  if (!workload || !mayAct(workload) || !entriesOf(workload).some((item) => owns(item.name))) return release(key);
  await claim(key);
  const before = MISTAKE === "mutated-cache" ? structuredClone(entriesOf(workload)) : entriesOf(workload);
  const after = await decide(workload);
  if (!after) return;
  if (MISTAKE !== "pending-once") askAgain(key, after);
  if (MISTAKE === "mutated-cache") {
    const { namespace, name, resourceVersion } = workload.metadata;
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    await call("PATCH", `${KUEUE}/namespaces/${namespace}/workloads/${name}/status`, { metadata: { resourceVersion }, status: { admissionChecks: after } }, "merge-patch+json");
    return;
  }
  await write(workload, before, after);
}

/** Rounds over everything that is dirty: ask about all, then write. */
async function rounds(): Promise<never> {
  for (;;) {
    const keys = [...dirty].filter((key) => key.startsWith("workload "));
    for (const key of keys) dirty.delete(key);
    try {
      const decided = await Promise.all(
        keys.map(async (key) => {
          const workload = workloads.get(key.slice(9));
          const before = workload ? entriesOf(workload) : [];
          return { key: key.slice(9), workload, before, after: workload && (await decide(workload)) };
        }),
      );
      for (const { key, workload, before, after } of decided) {
        if (!workload || !after) {
          await release(key);
          continue;
        }
        await claim(key);
        askAgain(key, after);
        await write(workload, before, after).catch((problem) => trouble(`workload ${key}`, problem));
      }
    } catch (problem) {
      console.log(`round: ${problem}`);
      for (const key of keys) dirty.add(key);
      await sleep(0.5);
    }
    await sleep(0.05);
  }
}

// Claims

const idOf = (key: string) => key.replace("/", ".");

async function outside(method: string, url: string, body?: unknown): Promise<Response> {
  const answer = await fetch(url, { method, headers: { "Content-Type": "application/json" }, body: body ? JSON.stringify(body) : null, signal: AbortSignal.timeout(10_000) });
  if (!answer.ok && !(method === "DELETE" && answer.status === 404)) throw new Error(`the claims answer ${answer.status}`);
  return answer;
}

async function claim(key: string): Promise<void> {
  const [namespace, workload] = key.split("/");
  if (CLAIMS) await outside("POST", CLAIMS, { id: idOf(key), namespace, workload });
}

async function release(key: string): Promise<void> {
  if (CLAIMS) await outside("DELETE", `${CLAIMS}/${encodeURIComponent(idOf(key))}`);
}

/** What was held before a restart is looked at as well. */
async function remember(): Promise<void> {
  while (CLAIMS) {
    try {
      const { items } = (await (await outside("GET", CLAIMS)).json()) as { items: { namespace: string; workload: string }[] };
      for (const { namespace, workload } of items) add(`workload ${namespace}/${workload}`);
      return;
    } catch (problem) {
      console.log(`claims: ${problem}`);
      await sleep(1);
    }
  }
}

console.log(`answering for ${OURS}`);
process.on("unhandledRejection", (problem) => console.log(`unhandled: ${problem}`));
void follow("admissionchecks");
void follow("workloads");
void remember();
if (MISTAKE === "one-fails-all") void rounds();
