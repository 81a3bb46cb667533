import { Group, Label } from "@capstan/contract";
import type { PlanItemV1 } from "@capstan/contract/v1";
import {
  cluster as clusterFields,
  ClusterResource,
  machine as machineFields,
  MachineDeploymentResource,
  MachineResource,
  MachineSetResource,
  readReference,
  valueAt,
} from "@capstan/contract/wire";
import { isBeingDeleted } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { PlannedObject } from "./plan.ts";
import type { World } from "./world.ts";

/** What becomes of Machines, and of what infrastructure stands behind them and their Clusters. */
export interface MachinePlan {
  readonly machines: readonly PlannedObject[];
  readonly items: readonly PlanItemV1[];
}

interface Pair {
  readonly before: KubeObject | undefined;
  readonly after: KubeObject;
}

const templatePath = `spec.template.${machineFields.infrastructureRefPath}`;

/** What Machines are made from: they are replaced when it changes. */
const madeFrom = (owner: KubeObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ["version", "failureDomain", "bootstrap", "infrastructureRef"].map((name) => [
      name,
      JSON.stringify(valueAt(owner, `spec.template.spec.${name}`)),
    ]),
  );

const replacementReason = ({ before, after }: Pair): string | undefined => {
  if (before === undefined) return undefined;
  const [from, to] = [madeFrom(before), madeFrom(after)];
  const changed = Object.keys(to).filter((name) => from[name] !== to[name]);
  return changed.length === 0 ? undefined : `the template's ${changed.join(", ")} changed`;
};

const infraClusterOf = async (cluster: string, namespace: string, world: World): Promise<KubeObject | undefined> => {
  const { after } = await world.find({ apiGroup: Group.core, kind: ClusterResource.kind, name: cluster }, namespace);
  const reference = after === undefined ? undefined : readReference(after, clusterFields.infrastructureRefPath);
  return reference === undefined ? undefined : (await world.find(reference, namespace)).after;
};

/** What a template would make. */
const fromTemplate = async (owner: KubeObject, world: World): Promise<KubeObject | undefined> => {
  const { namespace = "", name = "" } = owner.metadata;
  const reference = readReference(owner, templatePath);
  const template = reference === undefined ? undefined : (await world.find(reference, namespace)).after;
  if (template === undefined) return undefined;
  const clusterName = machineFields.clusterName.get(owner) ?? "";
  return {
    apiVersion: template.apiVersion,
    kind: template.kind.replace(/Template$/, ""),
    metadata: { name: `${name}-*`, namespace, labels: { [Label.clusterName]: clusterName } },
    spec: valueAt(template, "spec.template.spec"),
  } as KubeObject;
};

const infrastructureOf = async (machine: KubeObject, world: World) => {
  const reference = readReference(machine, machineFields.infrastructureRefPath);
  const nothing = { before: undefined, after: undefined };
  return reference === undefined ? nothing : world.find(reference, machine.metadata.namespace ?? "");
};

/** Machines of an owner with a number of replicas. */
const planOwner = async (pair: Pair, members: readonly KubeObject[], world: World): Promise<MachinePlan> => {
  const { after } = pair;
  const namespace = after.metadata.namespace ?? "";
  const wanted = Number(valueAt(after, "spec.replicas") ?? 1);
  const reason = replacementReason(pair);
  const made = await fromTemplate(after, world);
  const infraCluster = await infraClusterOf(machineFields.clusterName.get(after) ?? "", namespace, world);
  const machines: PlannedObject[] = [];
  const items: PlanItemV1[] = [];
  for (const [index, machine] of members.entries()) {
    const { before } = await infrastructureOf(machine, world);
    const stays = index < wanted;
    const replaced = stays && reason !== undefined;
    const action = stays ? (replaced ? "replace" : "keep") : "delete";
    machines.push({ action, object: machine, count: 1, changes: [], ...(replaced && { note: reason }) });
    items.push({ before, after: stays ? (replaced ? made : before) : undefined, replaced, count: 1, infraCluster });
  }
  const added = wanted - members.length;
  if (added > 0) {
    const object = {
      ...after,
      kind: MachineResource.kind,
      metadata: { namespace, name: `${after.metadata.name ?? ""}-*` },
    };
    machines.push({ action: "create", object: object as KubeObject, count: added, changes: [] });
    items.push({ before: undefined, after: made, replaced: false, count: added, infraCluster });
  }
  return { machines, items };
};

const joined = (plans: readonly MachinePlan[]): MachinePlan => ({
  machines: plans.flatMap(({ machines }) => machines),
  items: plans.flatMap(({ items }) => items),
});

/** Works out what becomes of every Machine, and of the infrastructure of Machines and Clusters. */
export const planMachines = async (world: World): Promise<MachinePlan> => {
  const machines = await world.list(MachineResource);
  const owners = [
    ...(await world.list(MachineDeploymentResource)).map((pair) => ({ pair, label: Label.deploymentName })),
    ...(await world.list(MachineSetResource))
      .filter(({ after }) => after.metadata.labels?.[Label.deploymentName] === undefined)
      .map((pair) => ({ pair, label: Label.setName })),
  ];
  const plans: MachinePlan[] = [];
  const owned = new Set<KubeObject>();
  for (const { pair, label } of owners) {
    const { name, namespace } = pair.after.metadata;
    const members = machines.filter(
      ({ before }) => before?.metadata.labels?.[label] === name && before?.metadata.namespace === namespace,
    );
    for (const { after } of members) owned.add(after);
    const living = members.map(({ after }) => after).filter((machine) => !isBeingDeleted(machine));
    plans.push(await planOwner(pair, isBeingDeleted(pair.after) ? [] : living, world));
  }
  for (const { after } of machines) {
    if (owned.has(after) || isBeingDeleted(after)) continue;
    const found = await infrastructureOf(after, world);
    const cluster = machineFields.clusterName.get(after) ?? "";
    const infraCluster = await infraClusterOf(cluster, after.metadata.namespace ?? "", world);
    plans.push({ machines: [], items: [{ ...found, replaced: false, count: 1, infraCluster }] });
  }
  for (const { after } of await world.list(ClusterResource)) {
    const reference = readReference(after, clusterFields.infrastructureRefPath);
    if (reference === undefined || isBeingDeleted(after)) continue;
    const found = await world.find(reference, after.metadata.namespace ?? "");
    plans.push({ machines: [], items: [{ ...found, replaced: false, count: 1, infraCluster: undefined }] });
  }
  return joined(plans);
};
