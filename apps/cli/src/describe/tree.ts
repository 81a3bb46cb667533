import { Label } from "@capstan/contract";
import {
  cluster as clusterFields,
  conditionsOf,
  ConditionType,
  controllerOf,
  isControlPlane,
  machine as machineFields,
  readReference,
  type Condition,
  type ContractReference,
} from "@capstan/contract/wire";
import { byText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { mainCondition, mainTypesOf } from "../standing/main-condition.ts";

/** Where an object stands, in one condition. */
export interface Standing {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339; absent when nobody said. */
  readonly since?: string;
}

/** One line of the tree, with what belongs to it. */
export interface TreeNode {
  /** What it is to its parent, for example `ClusterInfrastructure`; empty when that goes without saying. */
  readonly role: string;
  readonly kind: string;
  readonly name: string;
  /** `ready/wanted`, of what has replicas. */
  readonly replicas?: string;
  readonly standing?: Standing;
  readonly conditions: readonly Condition[];
  readonly children: readonly TreeNode[];
  /** Says no more than its parent when it is ready. */
  readonly echo?: true;
}

/** Everything that a Cluster consists of, as it was read. */
export interface ClusterObjects {
  readonly cluster: KubeObject;
  readonly machines: readonly KubeObject[];
  readonly machineSets: readonly KubeObject[];
  readonly machineDeployments: readonly KubeObject[];
  readonly healthChecks: readonly KubeObject[];
  /** The object a reference names; `undefined` when there is none. */
  readonly find: (reference: ContractReference) => KubeObject | undefined;
}

const nameOf = ({ metadata }: KubeObject): string => metadata.name ?? "";

const deleting = (object: KubeObject, conditions: readonly Condition[]): Standing | undefined => {
  const since = object.metadata.deletionTimestamp;
  if (since === undefined) return undefined;
  const said = conditions.find(({ type }) => type === ConditionType.deleting);
  return {
    type: ConditionType.deleting,
    status: "True",
    reason: said?.reason ?? "",
    message: said?.message ?? "",
    since,
  };
};

const standingOf = (object: KubeObject): Standing => {
  const gone = deleting(object, conditionsOf(object));
  if (gone !== undefined) return gone;
  const found = mainCondition(object);
  if (found === undefined) {
    return { type: mainTypesOf(object.kind)[0] ?? ConditionType.ready, status: "Unknown", reason: "", message: "" };
  }
  const { type, status, reason, message, lastTransitionTime: since } = found;
  return { type, status, reason, message, since };
};

const replicasOf = ({ spec, status }: KubeObject): string | undefined => {
  const wanted = (spec as { readonly replicas?: number } | undefined)?.replicas;
  const ready = (status as { readonly readyReplicas?: number } | undefined)?.readyReplicas ?? 0;
  return wanted === undefined ? undefined : `${ready}/${wanted}`;
};

const nodeOf = (object: KubeObject, role = "", children: readonly TreeNode[] = []): TreeNode => {
  const replicas = replicasOf(object);
  return {
    role,
    kind: object.kind,
    name: nameOf(object),
    ...(replicas !== undefined && { replicas }),
    standing: standingOf(object),
    conditions: conditionsOf(object),
    children,
  };
};

/** What a reference leads to, or that it leads nowhere. */
const referenced = (
  { find }: Pick<ClusterObjects, "find">,
  role: string,
  reference: ContractReference | undefined,
): readonly TreeNode[] => {
  if (reference === undefined) return [];
  const object = find(reference);
  if (object !== undefined) return [nodeOf(object, role)];
  const { kind, name, apiGroup } = reference;
  const standing = {
    type: "Exists",
    status: "False",
    reason: "NotFound",
    message: `there is no ${kind} of ${apiGroup} with this name`,
  };
  return [{ role, kind, name, standing, conditions: [], children: [] }];
};

const byName = (a: KubeObject, b: KubeObject): number => byText(nameOf(a), nameOf(b));

/** A Machine with its bootstrap config and its infrastructure. */
export const machineTree = (machine: KubeObject, objects: Pick<ClusterObjects, "find">): TreeNode =>
  nodeOf(
    machine,
    "",
    [
      ...referenced(objects, "BootstrapConfig", readReference(machine, machineFields.bootstrapConfigRefPath)),
      ...referenced(objects, "MachineInfrastructure", readReference(machine, machineFields.infrastructureRefPath)),
    ].map((node) => ({ ...node, echo: true })),
  );

const ownedBy = (objects: readonly KubeObject[], owner: KubeObject): readonly KubeObject[] =>
  objects.filter((object) => controllerOf(object)?.uid === owner.metadata.uid).toSorted(byName);

const isEmptySet = (set: KubeObject, objects: ClusterObjects): boolean =>
  (set["spec"] as { readonly replicas?: number } | undefined)?.replicas === 0 &&
  ownedBy(objects.machines, set).length === 0;

const setTree = (set: KubeObject, objects: ClusterObjects): TreeNode =>
  nodeOf(
    set,
    "",
    ownedBy(objects.machines, set).map((machine) => machineTree(machine, objects)),
  );

const deploymentTree = (deployment: KubeObject, objects: ClusterObjects): TreeNode =>
  nodeOf(
    deployment,
    "",
    ownedBy(objects.machineSets, deployment)
      .filter((set) => !isEmptySet(set, objects))
      .map((set) => setTree(set, objects)),
  );

/** A heading over nodes; nothing without any. */
const heading = (name: string, children: readonly TreeNode[]): readonly TreeNode[] =>
  children.length === 0 ? [] : [{ role: "", kind: "", name, conditions: [], children }];

const controlPlaneTree = (objects: ClusterObjects): readonly TreeNode[] => {
  const members = objects.machines.filter(isControlPlane).toSorted(byName);
  const machines = members.map((machine) => machineTree(machine, objects));
  const [owner] = referenced(
    objects,
    "ControlPlane",
    readReference(objects.cluster, clusterFields.controlPlaneRefPath),
  );
  return owner === undefined ? heading("ControlPlane", machines) : [{ ...owner, children: machines }];
};

const workersTree = (objects: ClusterObjects): readonly TreeNode[] => {
  const owners = new Set([...objects.machineDeployments, ...objects.machineSets].map(({ metadata }) => metadata.uid));
  // What names an owner that is not there, as after a restore, has no other place in the tree.
  const isAlone = (object: KubeObject): boolean => !owners.has(controllerOf(object)?.uid);
  return heading("Workers", [
    ...objects.machineDeployments.toSorted(byName).map((each) => deploymentTree(each, objects)),
    ...objects.machineSets
      .filter(isAlone)
      .toSorted(byName)
      .map((each) => setTree(each, objects)),
    ...objects.machines
      .filter((machine) => isAlone(machine) && !isControlPlane(machine))
      .toSorted(byName)
      .map((each) => machineTree(each, objects)),
  ]);
};

/** A Cluster with everything that belongs to it. */
export const clusterTree = (objects: ClusterObjects): TreeNode =>
  nodeOf(objects.cluster, "", [
    ...referenced(
      objects,
      "ClusterInfrastructure",
      readReference(objects.cluster, clusterFields.infrastructureRefPath),
    ),
    ...controlPlaneTree(objects),
    ...workersTree(objects),
    ...objects.healthChecks.toSorted(byName).map((each) => nodeOf(each)),
  ]);

/** Whether an object belongs to a Cluster. */
export const isOfCluster =
  (name: string) =>
  (object: KubeObject): boolean =>
    (object["spec"] as { readonly clusterName?: string } | undefined)?.clusterName === name ||
    object.metadata.labels?.[Label.clusterName] === name;
