import { Annotation, CapstanError, Label, rfc3339 } from "@capstan/contract";
import { controllerOf, describeObject, infraMachine } from "@capstan/contract/wire";
import { nodeByProviderID } from "@capstan/kit/workload";
import type { WorkloadCluster } from "@capstan/kit/workload";
import { keyOf } from "@capstan/kube-values";
import type { Result } from "@capstan/runtime";
import { replaced, withStatus } from "@capstan/kit/machines";
import type { Machine } from "../api.ts";
import { MachineDeployment, MachineSet } from "../api.ts";
import { revisionOf } from "../rollout/revision.ts";
import { nodePatch } from "./node-sync.ts";
import type { MachineScope } from "./scope.ts";
import { found, isDeleting } from "./scope.ts";
import type { Node } from "../object/workload-kinds.ts";
import { Nodes } from "../object/workload-kinds.ts";
import { CoreErrorCode } from "../errors.ts";
import { EventReason } from "../api/event-reasons.ts";

type NodeInfo = NonNullable<NonNullable<Machine["status"]>["nodeInfo"]>;

const nodeInfoKeys = [
  "architecture",
  "bootID",
  "containerRuntimeVersion",
  "kernelVersion",
  "kubeProxyVersion",
  "kubeletVersion",
  "machineID",
  "operatingSystem",
  "osImage",
  "systemUUID",
] as const;

/** The Node's facts about its system. Kubernetes leaves out none of them, so a missing one is empty. */
const nodeInfoOf = (node: Node): NodeInfo => {
  const info = node.status?.nodeInfo ?? {};
  const text = Object.fromEntries(nodeInfoKeys.map((key) => [key, typeof info[key] === "string" ? info[key] : ""]));
  return { ...text, ...(info["swap"] === undefined ? {} : { swap: info["swap"] }) } as NodeInfo;
};

/** Returns whether the Machine's set is older than its deployment's revision; `undefined` when either does not exist. */
const isOutdated = ({ context, machine }: MachineScope): boolean | undefined => {
  const namespace = machine.metadata.namespace ?? "";
  const set = controllerOf(machine);
  if (set?.kind !== MachineSet.kind) return undefined;
  const machineSet = context.cache.get(MachineSet, { namespace, name: set.name });
  const owner = machineSet === undefined ? undefined : controllerOf(machineSet);
  if (machineSet === undefined || owner?.kind !== MachineDeployment.kind) return undefined;
  const deployment = context.cache.get(MachineDeployment, { namespace, name: owner.name });
  return deployment === undefined ? undefined : revisionOf(machineSet) < revisionOf(deployment);
};

const nodeFor = (machine: Machine, connection: WorkloadCluster): Node | undefined => {
  const nodes: readonly Node[] = connection.nodes.byIndex(nodeByProviderID, machine.spec.providerID ?? "");
  if (nodes.length <= 1) return nodes[0];
  const names = nodes.map(({ metadata }) => metadata.name).join(", ");
  throw new CapstanError({
    code: CoreErrorCode.nodeAmbiguous,
    reason: "AmbiguousNode",
    message: `${describeObject(machine)}: the Nodes ${names} all carry the provider id ${machine.spec.providerID}; delete those that are stale`,
  });
};

const syncNode = async (scope: MachineScope, connection: WorkloadCluster, node: Node): Promise<Node> => {
  const external = found(scope.infrastructure);
  const interruptible =
    external !== undefined && infraMachine.for(external.contract).interruptible.get(external.object) === true;
  const body = nodePatch({
    node,
    machine: scope.machine,
    interruptible,
    outdated: isOutdated(scope),
    options: scope.options.nodeSync,
  });
  if (body === undefined) return node;
  const key = { name: node.metadata.name ?? "" };
  const answer = await connection.client.patch(Nodes, key, { type: "merge", body });
  if (interruptible && node.metadata.labels?.[Label.interruptible] === undefined) {
    const message = `Node ${key.name} is labelled as interruptible`;
    scope.context.events.event(scope.machine, {
      type: "Normal",
      reason: EventReason.interruptibleLabelSet,
      message,
    });
  }
  return answer;
};

const isAnonymous = ({ spec }: Node): boolean => (spec?.providerID ?? "") === "";

const reportMissing = (scope: MachineScope, connection: WorkloadCluster): Result => {
  const nodes: readonly Node[] = connection.nodes.list();
  scope.node = { state: "missing", anonymous: nodes.filter(isAnonymous).length };
  const nodeRef = scope.machine.status?.nodeRef;
  if (nodeRef === undefined || isDeleting(scope)) return {};
  throw new CapstanError({
    code: CoreErrorCode.nodeLost,
    reason: "NodeLost",
    message: `${describeObject(scope.machine)}: Node ${nodeRef.name} has been deleted from the workload cluster; delete the Machine to have it replaced`,
  });
};

const recordNode = (scope: MachineScope, node: Node): void => {
  const { machine } = scope;
  const name = node.metadata.name ?? "";
  if (machine.status?.nodeRef?.name !== name) scope.context.log.debug("the Machine has its Node", { node: name });
  const before = machine.status?.nodeInfo;
  scope.machine = withStatus(machine, {
    nodeRef: machine.status?.nodeRef?.name === name ? machine.status.nodeRef : { name },
    nodeInfo: before === undefined ? nodeInfoOf(node) : replaced<NodeInfo>(before, nodeInfoOf(node)),
  });
};

/** Finds the Machine's Node by its provider id, records it and brings what the Machine says to the Node. */
export const reconcileNode = async (scope: MachineScope): Promise<Result> => {
  const { machine, cluster } = scope;
  if (machine.spec.providerID === undefined) return {};
  if (cluster.status?.initialization?.infrastructureProvisioned !== true) return {};
  const connection = scope.workload.connection(keyOf(cluster));
  if (connection === undefined) {
    scope.node = { state: "unreachable" };
    return {};
  }
  scope.node = { state: "unreadable" };
  const node = nodeFor(machine, connection);
  if (node === undefined) return reportMissing(scope, connection);
  scope.node = { state: "found", node };
  recordNode(scope, node);
  scope.node = { state: "found", node: await syncNode(scope, connection, node) };
  return {};
};

/** Takes the date over at which a control-plane machine's certificates expire; it goes when no one states it any more. */
export const reconcileCertificateExpiry = async (scope: MachineScope): Promise<Result> => {
  if (scope.machine.metadata.labels?.[Label.controlPlane] === undefined) return {};
  const expiry =
    scope.machine.metadata.annotations?.[Annotation.certificatesExpiry] ??
    found(scope.bootstrap)?.object.metadata.annotations?.[Annotation.certificatesExpiry];
  const at = Date.parse(expiry ?? "");
  if (expiry !== undefined && Number.isNaN(at)) {
    scope.context.log.warn(`the annotation ${Annotation.certificatesExpiry} is not a time, and left out`, {
      value: expiry,
    });
  }
  scope.machine = withStatus(scope.machine, { certificatesExpiryDate: Number.isNaN(at) ? undefined : rfc3339(at) });
  return {};
};
