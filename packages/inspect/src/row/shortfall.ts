import type { KubeObject } from "@capstan/schema";
import { whyLacking } from "../state/lacking.ts";
import { unobserved } from "../state/unobserved.ts";
import { isUntouched, untouched } from "../state/untouched.ts";

/** The status of an object; empty before its controller has reconciled it. */
export const statusOf = (object: KubeObject): Readonly<Record<string, unknown>> =>
  (object["status"] ?? {}) as Record<string, unknown>;

/** The replicas that the spec asks for; `undefined` for kinds without replicas. */
export const replicasOf = (object: KubeObject): number | undefined =>
  ((object["spec"] ?? {}) as { readonly replicas?: number }).replicas;

/** Returns what a set of Machines still lacks; `undefined` when it is as its spec says. */
export const shortfall = (set: KubeObject): string | undefined => {
  const wanted = replicasOf(set) ?? 1;
  if (isUntouched(set)) return untouched;
  const { observedGeneration, replicas = 0, upToDateReplicas = wanted, availableReplicas = wanted } = statusOf(set);
  const why = whyLacking(set);
  if (observedGeneration !== undefined && observedGeneration !== set.metadata.generation) return unobserved(why);
  const because = why === "" ? "" : `: ${why}`;
  if (replicas !== wanted) return `${String(replicas)} of ${wanted} Machines exist${because}`;
  if (upToDateReplicas !== wanted) return `${String(upToDateReplicas)} of ${wanted} Machines are up to date${because}`;
  if (availableReplicas !== wanted) return `${String(availableReplicas)} of ${wanted} Machines are available${because}`;
  return undefined;
};
