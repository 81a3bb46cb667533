import { conditionsOf, ConditionType, type Condition } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { Row } from "../view/row.ts";

const summaries = ["Ready", "Available"] as const;

/** Follow from others, or from time alone, and say little while another condition is not True. */
const lesser: readonly string[] = [...summaries, "RemoteConnectionProbe"];

const statusOf = (object: KubeObject): Readonly<Record<string, unknown>> =>
  (object["status"] ?? {}) as Record<string, unknown>;

/** What the server itself reported says more than whatever else waits for it. */
const failedBootstrap = (conditions: readonly Condition[]): Condition | undefined =>
  conditions.find(({ type, status }) => type === ConditionType.bootstrapSucceeded && status === "False");

/** The condition that says most about why an object is not ready: the first that is not True and not only a summary of others. */
const decisive = (conditions: readonly Condition[]): Condition | undefined => {
  const positive = conditions.filter(
    ({ type }) =>
      !["Paused", "Deleting", "Updating", "RollingOut", "ScalingUp", "ScalingDown", "Remediating"].includes(type),
  );
  const open = positive.filter(({ status }) => status !== "True");
  return (
    failedBootstrap(conditions) ?? open.find(({ type, message }) => !lesser.includes(type) && message !== "") ?? open[0]
  );
};

/** One line of a message of several: a line that ends in a colon is a heading and takes the next one along. */
const firstLine = (text: string): string => {
  const lines = text.split("\n").map((line) => line.trim().replace(/^\* /, ""));
  const end = lines.findIndex((line) => !line.endsWith(":"));
  return lines
    .slice(0, end + 1)
    .join(" ")
    .replaceAll(": * ", ": ");
};

interface Standing {
  readonly state: string;
  readonly done: boolean;
}

/** Where an object is: its phase; without one, whether it is ready; for a set, how many of its replicas are. */
const standing = (object: KubeObject, conditions: readonly Condition[]): Standing => {
  const { phase, readyReplicas = 0 } = statusOf(object);
  const failed = failedBootstrap(conditions);
  if (failed !== undefined && phase !== "Running") {
    return { state: typeof phase === "string" ? phase : `Bootstrap${failed.reason}`, done: false };
  }
  if (typeof phase === "string") return { state: phase, done: ["Running", "Provisioned"].includes(phase) };
  const wanted = replicasOf(object);
  if (wanted !== undefined) {
    return { state: `${String(readyReplicas)}/${wanted} ready`, done: readyReplicas === wanted };
  }
  const ready = conditions.find(({ type }) => summaries.some((summary) => summary === type));
  return ready?.status === "True" ? { state: "Ready", done: true } : { state: ready?.reason ?? "Pending", done: false };
};

const replicasOf = (object: KubeObject): number | undefined =>
  ((object["spec"] ?? {}) as { readonly replicas?: number }).replicas;

/** Why a set cannot make the Machines that it lacks, if it says so. */
const blockade = (conditions: readonly Condition[]): Condition | undefined =>
  conditions.find(({ type, message }) => type === "ScalingUp" && message.includes("blocked"));

/** Shows an object as a line: where it is, and what it waits for. */
export const rowOf = (object: KubeObject): Row => {
  const conditions = conditionsOf(object);
  const deleting = object.metadata.deletionTimestamp !== undefined;
  const { state, done } = deleting ? { state: "Deleting", done: false } : standing(object, conditions);
  const why = deleting
    ? conditions.find(({ type }) => type === "Deleting")
    : (blockade(conditions) ?? decisive(conditions));
  return {
    kind: object.kind,
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name ?? "",
    state,
    detail: why === undefined || done ? "" : firstLine(why.message === "" ? why.reason : why.message),
    done,
  };
};

/** What a set of Machines still lacks; `undefined` when it is as its spec says. */
const shortfall = (set: KubeObject): string | undefined => {
  const { observedGeneration, replicas = 0, upToDateReplicas } = statusOf(set);
  const wanted = replicasOf(set) ?? 1;
  if (observedGeneration !== undefined && observedGeneration !== set.metadata.generation) {
    return "its last change is not looked at yet";
  }
  if (replicas !== wanted) {
    const why = blockade(conditionsOf(set))?.message;
    return `${String(replicas)} of ${wanted} Machines exist${why === undefined ? "" : `: ${firstLine(why)}`}`;
  }
  if (upToDateReplicas === undefined || upToDateReplicas === wanted) return undefined;
  return `${String(upToDateReplicas)} of ${wanted} Machines are up to date`;
};

const reasonOf = ({ kind, name, state, detail }: Row): string =>
  `${kind} ${name}: ${state}${detail === "" ? "" : `: ${detail}`}`;

/** Whether every desired Machine runs and nothing of their making is left, and if not, why; what a Cluster waits for comes first, since its Machines wait for it. */
export const machinesVerdict = (facts: {
  readonly clusters: readonly KubeObject[];
  readonly machines: readonly KubeObject[];
  /** What makes Machines and is not made by something else. */
  readonly owners: readonly KubeObject[];
  /** What has bootstrap data in an object store that its controller still has to delete. */
  readonly stored: readonly KubeObject[];
}): { readonly running: boolean; readonly reasons: readonly string[] } => {
  const reasons: string[] = [];
  for (const owner of facts.owners) {
    const lacking = shortfall(owner);
    if (lacking !== undefined) reasons.push(`${owner.kind} ${owner.metadata.name ?? ""}: ${lacking}`);
  }
  for (const row of facts.machines.map(rowOf)) if (row.state !== "Running") reasons.push(reasonOf(row));
  if (facts.machines.length === 0) reasons.push("there is no Machine");
  for (const { kind, metadata } of facts.stored) {
    reasons.push(`${kind} ${metadata.name ?? ""}: its bootstrap data is still in the object store`);
  }
  if (reasons.length === 0) return { running: true, reasons };
  const clusters = facts.clusters.map(rowOf).filter(({ done }) => !done);
  return { running: false, reasons: [...clusters.map(reasonOf), ...reasons] };
};
