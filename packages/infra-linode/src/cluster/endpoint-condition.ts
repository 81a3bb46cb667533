import { isIP } from "node:net";
import type { ConditionInput } from "@capstan/contract/wire";
import { conditionOf, describeObject, valueAt } from "@capstan/contract/wire";
import type { NodeBalancer } from "@capstan/linode-client";
import { linodeClusterConditions, LinodeReason } from "../api/linode-conditions.ts";
import type { ClusterContext } from "./node-balancer.ts";

const { type } = linodeClusterConditions.endpointCorrect;

const field = "spec.controlPlaneEndpoint.host";

/** An address that is not the NodeBalancer's is wrong; a name may lead there, but what the Cluster has taken over once does not change. */
const problemOf = ({ cluster, object }: ClusterContext, { id, ipv4, ipv6 }: NodeBalancer): string | undefined => {
  const host = object.spec.controlPlaneEndpoint?.host ?? "";
  if (host === "") return undefined;
  const taken = valueAt(cluster, field);
  if (typeof taken === "string" && taken !== "" && taken !== host) {
    return `${field} is ${host}, but ${describeObject(cluster)} already uses the immutable endpoint ${taken}; revert the change`;
  }
  if (isIP(host) === 0 || host === ipv4 || `${ipv6 ?? ""}/`.startsWith(`${host}/`)) return undefined;
  return `${field} is ${host}, but NodeBalancer ${id} has the address ${ipv4}; revert the change`;
};

/** Returns the condition of the endpoint; none if it was always right. */
export const endpointConditions = (context: ClusterContext, balancer: NodeBalancer): readonly ConditionInput[] => {
  const message = problemOf(context, balancer);
  if (message !== undefined) {
    return [{ type, status: "False", severity: "Warning", reason: LinodeReason.endpointElsewhere, message }];
  }
  return conditionOf(context.object, type) === undefined
    ? []
    : [{ type, status: "True", reason: LinodeReason.endpointCorrect }];
};
