import { Annotation, Group, Label } from "@capstan/contract";
import {
  cluster as clusterFields,
  ClusterResource,
  conditionsOf,
  ConditionType,
  controlPlane,
  controllerOf,
  isControlPlane,
  machine as machineFields,
  machinePool as poolFields,
  MachineDeploymentResource,
  MachineSetResource,
  readReference,
  type Condition,
  type ContractReference,
} from "@capstan/contract/wire";
import { valuesInUse } from "@capstan/kit/admission";
import { blockersIn, ReplicasCondition } from "@capstan/kit/machines";
import { byText, groupOf } from "@capstan/kube-values";
import { type KubeObject, own } from "@capstan/schema";
import { isNegative, mainCondition, mainTypesOf } from "../state/main-condition.ts";
import { etcdCondition } from "../state/etcd-condition.ts";
import { isUntouched, untouched } from "../state/untouched.ts";
import { whyPaused } from "../state/why-paused.ts";

/** Where an object stands, in one condition. */
export interface Standing {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** RFC 3339; absent when no one said. */
  readonly since?: string;
  /** Remark that does not depend on its standing, such as edits that change nothing. */
  readonly remark?: string;
}

/** One line of the tree, with what belongs to it. */
export interface TreeNode {
  /** Role for its parent, for example `ClusterInfrastructure`; empty when it is obvious. */
  readonly role: string;
  readonly kind: string;
  readonly name: string;
  /** `ready/wanted`, of what has replicas; of a health check `healthy/checked`. */
  readonly replicas?: string;
  readonly standing?: Standing;
  readonly conditions: readonly Condition[];
  readonly children: readonly TreeNode[];
  /** Says no more than its parent when it is ready. */
  readonly echo?: true;
}

/** Objects that belong to an object, as they were read. */
interface Members {
  readonly machines: readonly KubeObject[];
  readonly machineSets: readonly KubeObject[];
  readonly machineDeployments: readonly KubeObject[];
  readonly machinePools: readonly KubeObject[];
  readonly healthChecks: readonly KubeObject[];
  /** The object a reference names; `undefined` when there is none. */
  readonly find: (reference: ContractReference) => KubeObject | undefined;
}

const nameOf = ({ metadata }: KubeObject): string => metadata.name ?? "";

const deleting = (object: KubeObject, conditions: readonly Condition[]): Standing | undefined => {
  const since = object.metadata.deletionTimestamp;
  if (since === undefined) return undefined;
  // A controller that has not looked at it since says that it is not being deleted.
  const said = conditions.find(({ type, status }) => type === ConditionType.deleting && status === "True");
  const paused = whyPaused(object);
  return {
    type: ConditionType.deleting,
    status: "True",
    reason: paused === "" ? (said?.reason ?? "") : ConditionType.paused,
    message: paused === "" ? (said?.message ?? "") : `not deleted while it is ${paused}`,
    since,
  };
};

/** Returns one of conditions that have no summary: one that is not as it should be, else the first. */
const anyCondition = (conditions: readonly Condition[]): Condition | undefined =>
  conditions.find((condition) => (condition.status === "True") === isNegative(condition)) ?? conditions[0];

/**
 * Returns the main condition with what keeps the object from making its Machines, which says more than their number.
 */
const withBlockers = (object: KubeObject, main: Condition | undefined): Condition | undefined => {
  const blockers = blockersIn(object).filter((blocker) => main?.message.includes(blocker) !== true);
  if (blockers.length === 0) return main;
  const scaling = conditionsOf(object).find(({ type }) => type === ReplicasCondition.scalingUp);
  // Without any Machine, as of a set that can make none, all of them are ready.
  if (main === undefined || main.status === "True") return scaling?.status === "True" ? scaling : main;
  const lines = blockers.map((blocker) => `* ${blocker}`);
  return { ...main, message: [...(main.message === "" ? [] : [main.message]), ...lines].join("\n") };
};

/** That its Cluster is paused is said once, there; what is being deleted says it anyway. */
const saysPause = ({ kind, metadata }: KubeObject): boolean =>
  metadata.deletionTimestamp === undefined &&
  (kind === ClusterResource.kind || metadata.annotations?.[Annotation.paused] !== undefined);

const standingOf = (object: KubeObject): Standing => {
  const edits = Object.entries(valuesInUse(object)).map(
    ([path, value]) => `${path} was edited without effect: ${JSON.stringify(value)} is in use`,
  );
  const paused = saysPause(object) ? whyPaused(object) : "";
  const remarks = [...(paused === "" ? [] : [paused]), ...edits];
  return { ...conditionStanding(object), ...(remarks.length > 0 && { remark: remarks.join("\n") }) };
};

const conditionStanding = (object: KubeObject): Standing => {
  const gone = deleting(object, conditionsOf(object));
  if (gone !== undefined) return gone;
  const found = withBlockers(object, mainCondition(object)) ?? anyCondition(conditionsOf(object));
  if (found === undefined) {
    const type = mainTypesOf(object.kind)[0] ?? ConditionType.ready;
    return { type, status: "Unknown", reason: "", message: isUntouched(object) ? untouched : "" };
  }
  const { type, status, reason, message, lastTransitionTime: since } = found;
  return { type, status, reason, message, since };
};

interface Counted {
  readonly readyReplicas?: number;
  readonly currentHealthy?: number;
  readonly expectedMachines?: number;
}

const replicasOf = ({ spec, status }: KubeObject): string | undefined => {
  const { readyReplicas = 0, currentHealthy = 0, expectedMachines } = (status ?? {}) as Counted;
  if (expectedMachines !== undefined) return `${currentHealthy}/${expectedMachines}`;
  const wanted = (spec as { readonly replicas?: number } | undefined)?.replicas;
  return wanted === undefined ? undefined : `${readyReplicas}/${wanted}`;
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

/** Returns the node of a referenced object, or a node that says that it does not exist. */
const referenced = (
  { find }: Pick<Members, "find">,
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
const machineTree = (machine: KubeObject, objects: Pick<Members, "find">): TreeNode =>
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

const isEmptySet = (set: KubeObject, objects: Members): boolean =>
  (set["spec"] as { readonly replicas?: number } | undefined)?.replicas === 0 &&
  ownedBy(objects.machines, set).length === 0;

/** Where objects of a kind name templates that Machines are made from. */
export const templatePaths = ({ apiVersion, kind }: KubeObject): readonly string[] => {
  if (kind === MachineDeploymentResource.kind || kind === MachineSetResource.kind) {
    return ["spec.template.spec.bootstrap.configRef", "spec.template.spec.infrastructureRef"];
  }
  if (groupOf(apiVersion) !== Group.controlPlane || kind.endsWith("Template")) return [];
  return (["v1beta2", "v1beta1"] as const).map((version) => controlPlane.for(version).infrastructureRefPath);
};

/** Templates say nothing of their own: only that one is missing matters. */
const missingTemplates = (object: KubeObject, objects: Members): readonly TreeNode[] =>
  templatePaths(object)
    .flatMap((path) => readReference(object, path) ?? [])
    .filter((reference) => objects.find(reference) === undefined)
    .flatMap((reference) => referenced(objects, "Template", reference));

const setTree = (set: KubeObject, objects: Members): TreeNode =>
  nodeOf(set, "", [
    // Those of a deployment's present set are named at the deployment.
    ...(controllerOf(set) === undefined ? missingTemplates(set, objects) : []),
    ...ownedBy(objects.machines, set).map((machine) => machineTree(machine, objects)),
  ]);

const deploymentTree = (deployment: KubeObject, objects: Members): TreeNode =>
  nodeOf(deployment, "", [
    ...missingTemplates(deployment, objects),
    ...ownedBy(objects.machineSets, deployment)
      .filter((set) => !isEmptySet(set, objects))
      .map((set) => setTree(set, objects)),
  ]);

/** A MachinePool with what makes its data and its machines, and with its Machines where it has them. */
const poolTree = (pool: KubeObject, objects: Members): TreeNode =>
  nodeOf(pool, "", [
    ...referenced(objects, "BootstrapConfig", readReference(pool, poolFields.bootstrapConfigRefPath)),
    ...referenced(objects, "MachinePoolInfrastructure", readReference(pool, poolFields.infrastructureRefPath)),
    ...ownedBy(objects.machines, pool).map((machine) => machineTree(machine, objects)),
  ]);

/** A heading over nodes; nothing without any. */
const heading = (name: string, children: readonly TreeNode[]): readonly TreeNode[] =>
  children.length === 0 ? [] : [{ role: "", kind: "", name, conditions: [], children }];

const controlPlaneTree = (cluster: KubeObject, objects: Members): readonly TreeNode[] => {
  const members = objects.machines.filter(isControlPlane).toSorted(byName);
  const machines = members.map((machine) => machineTree(machine, objects));
  const reference = readReference(cluster, clusterFields.controlPlaneRefPath);
  if (reference === undefined) return heading("ControlPlane", machines);
  const owner = objects.find(reference);
  const missing = owner === undefined ? [] : missingTemplates(owner, objects);
  return referenced(objects, "ControlPlane", reference).map((node) => ({
    ...node,
    children: [...missing, ...(owner === undefined ? [] : etcdTree(owner, members)), ...machines],
  }));
};

const memberType = "EtcdMemberHealthy";

/** The etcd of a control plane: how many members are healthy, and its quorum and leader. */
const etcdTree = (owner: KubeObject, machines: readonly KubeObject[]): readonly TreeNode[] => {
  const condition = etcdCondition(owner);
  if (condition === undefined) return [];
  const members = machines.flatMap((machine) => conditionsOf(machine).filter(({ type }) => type === memberType));
  const healthy = members.filter(({ status }) => status === "True").length;
  const { lastTransitionTime: since, message, ...rest } = condition;
  const standing = { ...rest, message, since, ...(rest.status === "True" && message !== "" && { remark: message }) };
  const replicas = `${healthy}/${members.length}`;
  return [{ role: "", kind: "", name: "etcd", replicas, standing, conditions: [], children: [] }];
};

const workersTree = (objects: Members): readonly TreeNode[] => {
  const { machineDeployments, machinePools, machineSets } = objects;
  const makers = [...machineDeployments, ...machinePools, ...machineSets];
  const owners = new Set(makers.map(({ metadata }) => metadata.uid));
  // What names an owner that is not there, as after a restore, has no other place in the tree.
  const isAlone = (object: KubeObject): boolean => !owners.has(controllerOf(object)?.uid);
  return heading("Workers", [
    ...machineDeployments.toSorted(byName).map((each) => deploymentTree(each, objects)),
    ...machinePools.toSorted(byName).map((each) => poolTree(each, objects)),
    ...machineSets
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
const clusterTree = (cluster: KubeObject, objects: Members): TreeNode =>
  nodeOf(cluster, "", [
    ...referenced(objects, "ClusterInfrastructure", readReference(cluster, clusterFields.infrastructureRefPath)),
    ...controlPlaneTree(cluster, objects),
    ...workersTree(objects),
    ...objects.healthChecks.toSorted(byName).map((each) => nodeOf(each)),
  ]);

/** Any other object with the Machines that it controls. */
const otherTree = (object: KubeObject, objects: Members): TreeNode => {
  const own = ownedBy(objects.machines, object);
  const machines = own.map((machine) => machineTree(machine, objects));
  const node = nodeOf(object, "", [...missingTemplates(object, objects), ...etcdTree(object, own), ...machines]);
  if (object["status"] !== undefined) return node;
  // What has no status, as a template, stands nowhere.
  const { standing: _, ...rest } = node;
  return rest;
};

const trees: Readonly<Record<string, (object: KubeObject, objects: Members) => TreeNode>> = {
  Cluster: clusterTree,
  Machine: machineTree,
  MachineSet: setTree,
  MachineDeployment: deploymentTree,
  MachinePool: poolTree,
};

/** An object with what belongs to it. */
export const objectTree = (object: KubeObject, objects: Members): TreeNode => {
  const tree = groupOf(object.apiVersion) === Group.core ? own(trees, object.kind) : undefined;
  return (tree ?? otherTree)(object, objects);
};

/** Returns whether an object belongs to a Cluster. */
export const isOfCluster =
  (name: string) =>
  (object: KubeObject): boolean =>
    (object["spec"] as { readonly clusterName?: string } | undefined)?.clusterName === name ||
    object.metadata.labels?.[Label.clusterName] === name;
