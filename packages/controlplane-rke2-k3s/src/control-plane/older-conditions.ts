import type { ConditionInput } from "@capstan/contract/wire";
import { isOutdated, type Member } from "@capstan/kit/control-plane";
import { Reason, resized, specUpToDate } from "../api/conditions.ts";

/** The conditions that only the older contract has, from the Machines of a control plane and the number that is wanted. */
export const olderConditions = (members: readonly Member[], wanted: number): readonly ConditionInput[] => {
  const outdated = members.filter(isOutdated).length;
  const rolling = `Rolling ${outdated} replicas with outdated spec (${members.length - outdated} replicas up to date)`;
  const resizing = `Scaling ${members.length < wanted ? "up" : "down"} control plane to ${wanted} replicas (actual ${members.length})`;
  return [
    outdated === 0
      ? { type: specUpToDate.type, status: "True", reason: Reason.upToDate }
      : {
          type: specUpToDate.type,
          status: "False",
          reason: Reason.rollingUpdate,
          severity: "Warning",
          message: rolling,
        },
    members.length === wanted
      ? { type: resized.type, status: "True", reason: Reason.resized }
      : {
          type: resized.type,
          status: "False",
          reason: members.length < wanted ? Reason.scalingUp : Reason.scalingDown,
          severity: "Warning",
          message: resizing,
        },
  ];
};
