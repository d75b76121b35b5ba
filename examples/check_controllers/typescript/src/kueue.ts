/** What a check controller reads and writes of Kueue's objects; everything else of them is kept as it was read. */
import type { KubernetesObject, V1Condition } from "@kubernetes/client-node";

export const KUEUE = { group: "kueue.x-k8s.io", version: "v1beta2" } as const;

export type State = "Pending" | "Ready" | "Retry" | "Rejected";

/** An entry of status.admissionChecks of a Workload. */
export interface Entry {
  name: string;
  state: State;
  lastTransitionTime: string;
  message: string;
  retryCount?: number;
  requeueAfterSeconds?: number;
}

export interface Workload extends KubernetesObject {
  spec: { active?: boolean };
  status?: { conditions?: Condition[]; admissionChecks?: Entry[] };
}

export interface AdmissionCheck extends KubernetesObject {
  spec: { controllerName: string };
  status?: { conditions?: Condition[] };
}

/** As JSON has it: the client makes dates of nothing that it does not know. */
export type Condition = Omit<V1Condition, "lastTransitionTime"> & { lastTransitionTime: string };

export function condition(thing: Workload | AdmissionCheck, type: string): Condition | undefined {
  return thing.status?.conditions?.find((one) => one.type === type);
}

const isTrue = (thing: Workload, type: string) => condition(thing, type)?.status === "True";

/** A Workload may be judged while it has quota, and is neither on its way out nor at its end. */
export function mayAct(workload: Workload): boolean {
  const stays = !workload.metadata?.deletionTimestamp && workload.spec.active !== false;
  return stays && isTrue(workload, "QuotaReserved") && !isTrue(workload, "Evicted") && !isTrue(workload, "Finished");
}

/** The present as the API writes it. */
export const timestamp = () => `${new Date().toISOString().slice(0, 19)}Z`;
