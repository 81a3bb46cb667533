import { conditionOf, ConditionType } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";

/** Why its controller leaves an object as it is: its Cluster is paused, or it is itself; empty while it does not. */
export const whyPaused = (object: KubeObject): string => {
  const { message = "", status } = conditionOf(object, ConditionType.paused) ?? {};
  return status === "True" ? `paused: ${message.replaceAll("\n", "; ")}` : "";
};
