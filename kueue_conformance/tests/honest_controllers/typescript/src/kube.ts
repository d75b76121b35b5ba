/** What the controllers of this folder share: requests to the API server without a client library, and Kueue's objects. */
import { Agent, request, type RequestOptions } from "node:https";
import { createInterface } from "node:readline";
import type { IncomingMessage } from "node:http";
import { KubeConfig } from "@kubernetes/client-node";

export const KUEUE = "/apis/kueue.x-k8s.io/v1beta2";
export const OURS = process.env.KUEUE_CONFORMANCE_CONTROLLER_NAME ?? "acme.io/gate";
export const VERDICTS = process.env.KUEUE_CONFORMANCE_VERDICT_URL ?? "";
export const CLAIMS = process.env.KUEUE_CONFORMANCE_CLAIMS_URL ?? "";
export const MISTAKE = process.env.MISTAKE ?? "";

export interface Metadata { name: string; namespace?: string; uid: string; resourceVersion: string; generation?: number; deletionTimestamp?: Date; labels?: Record<string, string> }
export interface Condition { type: string; status: string; reason: string; message: string; lastTransitionTime: string; observedGeneration?: number }
export interface Entry { name: string; state: string; message: string; lastTransitionTime: string; retryCount?: number; requeueAfterSeconds?: number }
export interface Thing { metadata: Metadata; spec: { controllerName?: string; active?: boolean }; status?: { conditions?: Condition[]; admissionChecks?: Entry[] } }
export interface Verdict { state: string; message?: string; requeueAfterSeconds?: number }
interface Page { items: Thing[]; metadata: { resourceVersion: string; continue?: string } }
export interface WatchEvent { type: string; object: Thing & { code?: number } }

export class ApiError extends Error {
  constructor(readonly status: number, text: string, readonly retryAfter: number) {
    super(`${status} ${text.slice(0, 200)}`);
  }
}

const config = new KubeConfig();
config.loadFromDefault();
const server = new URL(config.getCurrentCluster()?.server ?? "");
const secrets: RequestOptions = {};
await config.applyToHTTPSOptions(secrets);
const agent = new Agent({ keepAlive: true, ca: secrets.ca, cert: secrets.cert, key: secrets.key });

function open(method: string, path: string, body?: unknown, kind = "json"): Promise<IncomingMessage> {
  const headers = { "User-Agent": "acme-gate/1.0", ...(secrets.headers as Record<string, string>), "Content-Type": `application/${kind}` };
  return new Promise((resolve, reject) => {
    const options = { method, host: server.hostname, port: server.port, path, headers, agent, ca: secrets.ca, cert: secrets.cert, key: secrets.key };
    const going = request(options, resolve);
    going.setTimeout(300_000, () => going.destroy(new Error("nothing came for 300 s")));
    going.on("error", reject);
    going.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function text(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

async function refused(answer: IncomingMessage): Promise<ApiError> {
  return new ApiError(answer.statusCode ?? 0, await text(answer), Number(answer.headers["retry-after"] ?? 0));
}

/** Send a request; a status code that is no success is thrown. */
export async function call<T>(method: string, path: string, body?: unknown, kind?: string): Promise<T> {
  const answer = await open(method, path, body, kind);
  if ((answer.statusCode ?? 0) >= 300) throw await refused(answer);
  return JSON.parse(await text(answer)) as T;
}

/** Every object of a kind, page by page. */
export async function list(plural: string, size = 100): Promise<{ items: Thing[]; since: string }> {
  const items: Thing[] = [];
  for (let token = ""; ; ) {
    const page = await call<Page>("GET", `${KUEUE}/${plural}?limit=${size}${token && `&continue=${encodeURIComponent(token)}`}`);
    items.push(...page.items);
    token = page.metadata.continue ?? "";
    if (!token) return { items, since: page.metadata.resourceVersion };
  }
}

/** The events of a kind until the server ends the watch. */
export async function* watch(plural: string, since: string): AsyncGenerator<WatchEvent> {
  const answer = await open("GET", `${KUEUE}/${plural}?watch=true&allowWatchBookmarks=true&timeoutSeconds=280&resourceVersion=${since}`);
  if (answer.statusCode !== 200) throw await refused(answer);
  for await (const event of MISTAKE === "lines-by-chunk" ? byChunk(answer) : byLine(answer)) {
    if (event.type === "ERROR") throw new ApiError(event.object.code ?? 500, JSON.stringify(event.object), 0);
    yield event;
  }
}

async function* byLine(answer: IncomingMessage): AsyncGenerator<WatchEvent> {
  let broken: Error | undefined;
  answer.on("error", (problem) => (broken = problem));
  for await (const line of createInterface({ input: answer, crlfDelay: Infinity })) {
    // A connection that breaks leaves half a line.
    if (line) {
      try {
        yield JSON.parse(line) as WatchEvent;
      } catch (problem) {
        throw broken ?? problem;
      }
    }
  }
  if (broken || !answer.complete) throw broken ?? new Error("the watch broke");
}

async function* byChunk(answer: IncomingMessage): AsyncGenerator<WatchEvent> {
  for await (const chunk of answer) {
    for (const line of (chunk as Buffer).toString().split("\n")) {
      if (!line) continue;
      let event: WatchEvent;
      try {
        event = JSON.parse(line) as WatchEvent;
      } catch {
        continue; // not JSON
      }
      yield event;
    }
  }
}

export const condition = (thing: Thing, type: string) => thing.status?.conditions?.find((item) => item.type === type);
export const holds = (thing: Thing, type: string) => condition(thing, type)?.status === "True";
export const entriesOf = (workload: Thing): Entry[] => workload.status?.admissionChecks ?? [];
export const keyOf = ({ metadata }: Thing) => `${metadata.namespace ?? ""}/${metadata.name}`;
export const sleep = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, 1000 * seconds));

// The zone of the machine that it was written on.
if (MISTAKE === "local-time-as-utc") process.env.TZ = "Asia/Kolkata";

/** The present as the API writes it. */
export function stamp(): string {
  const at = new Date();
  if (MISTAKE !== "local-time-as-utc") return at.toISOString().replace(/\.\d+Z$/, "Z");
  const two = (number: number) => String(number).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}Z`;
}

/** A Workload may be judged while it has quota, and is neither on its way out nor at its end. */
export function mayAct(workload: Thing): boolean {
  const active = workload.spec.active !== false || MISTAKE === "waits-for-deactivated";
  return holds(workload, "QuotaReserved") && !holds(workload, "Evicted") && !holds(workload, "Finished") && active && !workload.metadata.deletionTimestamp;
}

/** The outside system's verdict. */
export async function ask(workload: Thing, check: string): Promise<Verdict> {
  const about = new URLSearchParams({ namespace: workload.metadata.namespace ?? "", workload: workload.metadata.name, check });
  const answer = await fetch(`${VERDICTS}?${about}`, { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`the outside system answers ${answer.status}`);
  const verdict = (await answer.json()) as Verdict;
  if (!["Pending", "Ready", "Retry", "Rejected"].includes(verdict.state)) throw new Error(`no state: ${verdict.state}`);
  return verdict;
}

/** The entry that tells a verdict. */
export function told(old: Entry, verdict: Verdict): Entry {
  const isFinal = MISTAKE === "compares-by-case" ? ["retry", "rejected"].includes(old.state) : ["Retry", "Rejected"].includes(old.state);
  const said = verdict.message || `the gate says ${verdict.state}`;
  const message = MISTAKE === "message-unlimited" ? said : [...said].slice(0, 250).join("");
  if (verdict.state === "Pending" && old.state === "Pending" && verdict.message && message !== old.message) return { ...old, message };
  if (isFinal || verdict.state === "Pending" || verdict.state === old.state) return old;
  const entry: Entry = { name: old.name, state: verdict.state, message, lastTransitionTime: stamp() };
  if (old.retryCount !== undefined) entry.retryCount = old.retryCount;
  const delay = verdict.requeueAfterSeconds;
  if (verdict.state === "Retry" && delay !== undefined) {
    if (!Number.isInteger(delay) || delay < 0 || delay >= 2 ** 31) throw new Error(`no delay: ${delay}`);
    entry.requeueAfterSeconds = delay;
  }
  return entry;
}

/** What a check's status has to say, or nothing where it says it already. */
export function activeStatus(check: Thing): { conditions: Condition[] } | undefined {
  const old = condition(check, "Active");
  const { generation } = check.metadata;
  if (old?.status === "True" && old.observedGeneration === generation) return undefined;
  const lastTransitionTime = old?.status === "True" ? old.lastTransitionTime : stamp();
  const active: Condition = { type: "Active", status: "True", reason: "Active", message: "The gate is staffed", lastTransitionTime, observedGeneration: generation };
  return { conditions: [...(check.status?.conditions ?? []).filter((item) => item.type !== "Active"), active] };
}

export const isOurs = (check: Thing | undefined) => check?.spec.controllerName === OURS && !check.metadata.deletionTimestamp;

for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => process.exit(0));
