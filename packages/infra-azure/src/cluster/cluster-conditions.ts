import type { ConditionInput } from "@capstan/contract/wire";
import { AzureReason } from "../api/azure-conditions.ts";

/** The parts of a cluster's infrastructure, in the order in which they are made. Conditions are called after them. */
export const clusterServices = [
  "ResourceGroup",
  "VNet",
  "SecurityGroups",
  "RouteTables",
  "PublicIPs",
  "NATGateways",
  "Subnets",
  "VnetPeering",
  "LoadBalancers",
  "PrivateDNSZone",
  "PrivateDNSLink",
  "PrivateDNSRecord",
  "PrivateEndpoints",
  "BastionHost",
] as const;
export type ClusterService = (typeof clusterServices)[number];

/** How far a part is. */
export type ServiceState = "ready" | "creating" | "updating" | "failed" | "deleting" | "deleted" | "deletionFailed";

const reasons = {
  creating: AzureReason.creating,
  updating: AzureReason.updating,
  failed: AzureReason.failed,
  deleting: AzureReason.deleting,
  deleted: AzureReason.deleted,
  deletionFailed: AzureReason.deletionFailed,
} as const;

const failures: ReadonlySet<ServiceState> = new Set(["failed", "deletionFailed"]);

/** The condition of a part. */
export const serviceCondition = (service: string, state: ServiceState, message = ""): ConditionInput => {
  const type = `${service}Ready`;
  if (state === "ready") return { type, status: "True", reason: AzureReason.ready };
  return { type, status: "False", reason: reasons[state], message, severity: failures.has(state) ? "Error" : "Info" };
};
