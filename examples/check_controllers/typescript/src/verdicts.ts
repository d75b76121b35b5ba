/** The outside system, and how its verdicts are told in a Workload. */
import { type Entry, type State, timestamp } from "./kueue.js";

const LONGEST_MESSAGE = 250; // letters of up to four bytes each, of 1 024 bytes

export interface Verdict {
  state: State;
  message?: string;
  requeueAfterSeconds?: number;
}

/** The outside system's verdict about a check of a Workload. */
export async function ask(url: string, about: { namespace: string; workload: string; check: string }): Promise<Verdict> {
  const answer = await fetch(`${url}?${new URLSearchParams(about)}`, { signal: AbortSignal.timeout(10_000) });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return (await answer.json()) as Verdict;
}

/** The entry that tells a verdict: its time moves only with its state, and Kueue's retryCount stays. */
export function told(old: Entry, verdict: Verdict): Entry {
  const waits = verdict.state === "Pending" && old.state === "Pending" && verdict.message !== undefined;
  if (!waits && !["Ready", "Retry", "Rejected"].includes(verdict.state)) return old; // no verdict changes nothing
  const delay = verdict.requeueAfterSeconds;
  return {
    name: old.name,
    state: verdict.state,
    message: (verdict.message || `The outside system says ${verdict.state}`).slice(0, LONGEST_MESSAGE),
    lastTransitionTime: verdict.state === old.state ? old.lastTransitionTime : timestamp(),
    ...(old.retryCount === undefined ? {} : { retryCount: old.retryCount }),
    ...(verdict.state === "Retry" && delay !== undefined && delay >= 0 ? { requeueAfterSeconds: delay } : {}),
  };
}
