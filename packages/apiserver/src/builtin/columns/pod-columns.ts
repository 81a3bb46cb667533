import type { KubeObject } from "@capstan/schema";
import type { Part } from "../../values/object-parts.ts";
import type { PrinterColumn } from "../../model/types.ts";
import { age } from "../../table/age.ts";
import {
  ageColumn,
  at,
  column,
  nameColumn,
  numberAt,
  orNone,
  partAt,
  partsAt,
  textAt,
  wide,
} from "../../table/column.ts";

const isRestartable = (pod: KubeObject, status: Part): boolean =>
  partsAt(pod, "spec", "initContainers").some(
    (container) => container["name"] === status["name"] && container["restartPolicy"] === "Always",
  );

/** Why an init container keeps the Pod from running; undefined when it does not. */
const initReason = (pod: KubeObject): string | undefined => {
  const statuses = partsAt(pod, "status", "initContainerStatuses");
  const index = statuses.findIndex((status) => {
    const done = at(status, "state", "terminated", "exitCode") === 0;
    return !done && !(isRestartable(pod, status) && status["started"] === true);
  });
  const status = statuses[index];
  if (status === undefined) {
    return undefined;
  }
  const terminated = partAt(status, "state", "terminated");
  if (terminated["exitCode"] !== undefined) {
    return `Init:${endReason(terminated)}`;
  }
  const waiting = textAt(status, "state", "waiting", "reason");
  return waiting !== "" && waiting !== "PodInitializing"
    ? `Init:${waiting}`
    : `Init:${index}/${partsAt(pod, "spec", "initContainers").length}`;
};

const endReason = (terminated: Part): string => {
  const signal = numberAt(terminated, "signal");
  const exit = signal === 0 ? `ExitCode:${numberAt(terminated, "exitCode")}` : `Signal:${signal}`;
  return textAt(terminated, "reason") || exit;
};

const isReady = (pod: KubeObject): boolean =>
  partsAt(pod, "status", "conditions").some(
    (condition) => condition["type"] === "Ready" && condition["status"] === "True",
  );

/** The state of the first container that says something; undefined when all run. */
const containerReason = (pod: KubeObject): string | undefined =>
  partsAt(pod, "status", "containerStatuses")
    .map((status) => {
      const terminated = partAt(status, "state", "terminated");
      return (
        textAt(status, "state", "waiting", "reason") ||
        (terminated["exitCode"] === undefined ? "" : endReason(terminated))
      );
    })
    .find((reason) => reason !== "");

const podStatus = (pod: KubeObject): string => {
  if (pod.metadata.deletionTimestamp !== undefined) {
    return textAt(pod, "status", "reason") === "NodeLost" ? "Unknown" : "Terminating";
  }
  const phase = textAt(pod, "status", "reason") || textAt(pod, "status", "phase");
  const init = initReason(pod);
  if (init !== undefined) {
    return init;
  }
  const reason = containerReason(pod) ?? phase;
  const running = partsAt(pod, "status", "containerStatuses").some(
    (status) => status["ready"] === true && at(status, "state", "running") !== undefined,
  );
  return reason === "Completed" && running ? (isReady(pod) ? "Running" : "NotReady") : reason;
};

const readyCount = (pod: KubeObject): string => {
  const sidecars = partsAt(pod, "status", "initContainerStatuses").filter((status) => isRestartable(pod, status));
  const statuses = [...partsAt(pod, "status", "containerStatuses"), ...sidecars];
  const total =
    partsAt(pod, "spec", "containers").length +
    partsAt(pod, "spec", "initContainers").filter((container) => container["restartPolicy"] === "Always").length;
  return `${statuses.filter((status) => status["ready"] === true).length}/${total}`;
};

/** Restarts of all containers, with the time since the last one. */
const restarts = (pod: KubeObject, now: number): string => {
  const statuses = partsAt(pod, "status", "containerStatuses");
  const total = statuses.reduce((sum, status) => sum + numberAt(status, "restartCount"), 0);
  const last = statuses
    .map((status) => textAt(status, "lastState", "terminated", "finishedAt"))
    .sort()
    .at(-1);
  return total === 0 || last === undefined || last === "" ? String(total) : `${total} (${age(last, now)} ago)`;
};

const gates = (pod: KubeObject): string => {
  const wanted = partsAt(pod, "spec", "readinessGates").map((gate) => gate["conditionType"]);
  const met = partsAt(pod, "status", "conditions").filter(
    (condition) => wanted.includes(condition["type"]) && condition["status"] === "True",
  );
  return wanted.length === 0 ? "<none>" : `${met.length}/${wanted.length}`;
};

export const podColumns: readonly PrinterColumn[] = [
  nameColumn,
  column("Ready", "Containers that are ready, of all.", readyCount),
  column("Status", "What the Pod is doing or waiting for.", podStatus),
  column("Restarts", "How often containers were restarted, and when last.", restarts),
  ageColumn,
  wide(column("IP", "Address of the Pod.", (pod) => orNone(textAt(pod, "status", "podIP")))),
  wide(column("Node", "Node the Pod is on.", (pod) => orNone(textAt(pod, "spec", "nodeName")))),
  wide(
    column("Nominated Node", "Node where room is made for the Pod.", (pod) =>
      orNone(textAt(pod, "status", "nominatedNodeName")),
    ),
  ),
  wide(column("Readiness Gates", "Additional conditions that are met, of all.", gates)),
];
