import type { ConditionInput } from "@capstan/contract/wire";
import { clusterParts, service } from "../api/azure-conditions.ts";

export type ClusterService = keyof typeof clusterParts;

/** The parts of a cluster's infrastructure, in the order in which they are made. Conditions are called after them. */
export const clusterServices = Object.keys(clusterParts) as readonly ClusterService[];

/** State of a part. */
export type ServiceState = keyof typeof service;

const failures: ReadonlySet<ServiceState> = new Set(["failed", "deletionFailed"]);

/** The condition of a part. */
export const serviceCondition = (name: string, state: ServiceState, message = ""): ConditionInput => {
  const type = `${name}Ready`;
  if (state === "ready") return { type, status: "True", reason: service.ready };
  return { type, status: "False", reason: service[state], message, severity: failures.has(state) ? "Error" : "Info" };
};
