import { Group } from "@capstan/contract";
import type { KubeObject, Resource } from "@capstan/schema";
import type { AnyObject } from "../world.ts";
import { playedKinds, refTo } from "./played-kinds.ts";
import type { RequestCase } from "./requests.ts";
import { coreKinds } from "./stage.ts";

/** Fields by name. */
export type Fields = Readonly<Record<string, unknown>>;

/** References as the older version writes them. */
export const older = {
  config: { apiVersion: `${Group.bootstrap}/v1`, kind: "PlayedConfig", name: "a" },
  configTemplate: { apiVersion: `${Group.bootstrap}/v1`, kind: "PlayedConfigTemplate", name: "a" },
  machine: { apiVersion: `${Group.infrastructure}/v1`, kind: "PlayedMachine", name: "a" },
  machineTemplate: { apiVersion: `${Group.infrastructure}/v1`, kind: "PlayedMachineTemplate", name: "a" },
  cluster: { apiVersion: `${Group.infrastructure}/v1`, kind: "PlayedCluster", name: "a", namespace: "default" },
} as const;

const long = (length: number): string => "x".repeat(length);

/** One case. */
export interface Told {
  readonly spec?: Fields;
  readonly metadata?: Fields;
  /** What an update makes of it. */
  readonly update?: Fields;
  readonly updateMetadata?: Fields;
  readonly version?: "v1beta1";
}

/** Cases of one kind by title, of which each spec is merged into one that is whole. */
export const casesOf = (
  kind: Resource,
  whole: Readonly<Record<"v1beta1" | "v1beta2", Fields>>,
  told: Readonly<Record<string, Told>>,
): readonly RequestCase[] =>
  Object.entries(told).map(([title, { spec = {}, metadata = {}, update, updateMetadata, version }], index) => {
    const object: KubeObject = {
      apiVersion: `${kind.group}/${version ?? "v1beta2"}`,
      kind: kind.kind,
      metadata: { name: `case-${index}`, namespace: "default", ...metadata },
      spec: without({ ...whole[version ?? "v1beta2"], ...spec }),
    };
    if (update === undefined && updateMetadata === undefined) return { title, object };
    const changed = (stored: AnyObject): KubeObject => ({
      ...stored,
      metadata: { ...stored.metadata, ...updateMetadata },
      spec: without({ ...stored.spec, ...update }),
    });
    return { title, object, update: changed };
  });

/** Fields that are null are left out. */
const without = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

const infrastructureRef = refTo(playedKinds.machine, "a");
const bootstrap = { configRef: refTo(playedKinds.config, "a") };
const wholeMachine = { clusterName: "prod", bootstrap, infrastructureRef };
const olderMachine = { clusterName: "prod", bootstrap: { configRef: older.config }, infrastructureRef: older.machine };

const key = (text: string): Told => ({
  spec: { taints: [{ key: text, effect: "NoSchedule", propagation: "Always" }] },
});

/** What is asked of Machines. */
export const machineCases = casesOf(
  coreKinds.machine,
  { v1beta2: wholeMachine, v1beta1: olderMachine },
  {
    "a Machine": {},
    "no cluster": { spec: { clusterName: null } },
    "an empty cluster": { spec: { clusterName: "" } },
    "a long cluster": { spec: { clusterName: long(64) } },
    "another cluster": { update: { clusterName: "other" } },
    "no bootstrap": { spec: { bootstrap: null } },
    "an empty bootstrap": { spec: { bootstrap: {} } },
    "a Secret": { spec: { bootstrap: { dataSecretName: "a" } } },
    "an empty Secret": { spec: { bootstrap: { dataSecretName: "" } } },
    "both ways of bootstrap": { spec: { bootstrap: { ...bootstrap, dataSecretName: "a" } } },
    "bootstrap is taken away": { update: { bootstrap: {} } },
    "no infrastructure": { spec: { infrastructureRef: null } },
    "infrastructure without a name": { spec: { infrastructureRef: { ...infrastructureRef, name: "" } } },
    "infrastructure of an odd kind": { spec: { infrastructureRef: { ...infrastructureRef, kind: "a.b" } } },
    "infrastructure of an odd group": { spec: { infrastructureRef: { ...infrastructureRef, apiGroup: "A_b" } } },
    "a version": { spec: { version: "v1.33.4" } },
    "a version without a v": { spec: { version: "1.33.4" } },
    "a version of two parts": { spec: { version: "v1.33" } },
    "a version that is none": { spec: { version: "latest" } },
    "an empty version": { spec: { version: "" } },
    "a version with a build": { spec: { version: "v1.33.4+rke2r1" } },
    "another version": { spec: { version: "v1.33.4" }, update: { version: "1.34.0" } },
    "a provider id": { spec: { providerID: "a://b" } },
    "an empty provider id": { spec: { providerID: "" } },
    "a failure domain": { spec: { failureDomain: "a" } },
    "an empty failure domain": { spec: { failureDomain: "" } },
    "seconds to be ready": { spec: { minReadySeconds: 3 } },
    "seconds below zero": { spec: { minReadySeconds: -1 } },
    timeouts: {
      spec: {
        deletion: { nodeDrainTimeoutSeconds: 1, nodeVolumeDetachTimeoutSeconds: 0, nodeDeletionTimeoutSeconds: 3 },
      },
    },
    "an empty deletion": { spec: { deletion: {} } },
    "a timeout below zero": { spec: { deletion: { nodeDrainTimeoutSeconds: -1 } } },
    gates: { spec: { readinessGates: [{ conditionType: "a.b/c" }, { conditionType: "D", polarity: "Negative" }] } },
    "no gates": { spec: { readinessGates: [] } },
    "a gate twice": { spec: { readinessGates: [{ conditionType: "A" }, { conditionType: "A" }] } },
    "a gate without a type": { spec: { readinessGates: [{ polarity: "Positive" }] } },
    "a gate of an odd polarity": { spec: { readinessGates: [{ conditionType: "A", polarity: "Both" }] } },
    "a gate of an odd type": { spec: { readinessGates: [{ conditionType: "a b" }] } },
    "a taint": key("a/b"),
    "a taint of the control plane": key("node-role.kubernetes.io/control-plane"),
    "a taint of a master": key("node-role.kubernetes.io/master"),
    "a taint of ours": key("node.cluster.x-k8s.io/uninitialized"),
    "another taint of ours": key("node.cluster.x-k8s.io/outdated-revision"),
    "a taint of Kubernetes": key("node.kubernetes.io/not-ready"),
    "a taint of out of service": key("node.kubernetes.io/out-of-service"),
    "a taint of clouds": key("node.cloudprovider.kubernetes.io/uninitialized"),
    "an odd taint": key("a b"),
    "a taint without propagation": { spec: { taints: [{ key: "a", effect: "NoSchedule" }] } },
    "a taint of an odd effect": { spec: { taints: [{ key: "a", effect: "Never", propagation: "Always" }] } },
    "an odd value of a taint": {
      spec: { taints: [{ key: "a", value: "a b", effect: "NoSchedule", propagation: "Always" }] },
    },
    "no taints": { spec: { taints: [] } },
    "labels of its own": { metadata: { labels: { a: "b", "cluster.x-k8s.io/cluster-name": "other" } } },
    "without its label": { updateMetadata: { labels: {} } },
    "of a control plane": {
      metadata: { labels: { "cluster.x-k8s.io/control-plane": "" } },
      ...key("node-role.kubernetes.io/control-plane"),
    },
    "the older version": { version: "v1beta1" },
    "the older version with everything": {
      version: "v1beta1",
      spec: {
        version: "1.33.4",
        providerID: "a://b",
        failureDomain: "a",
        nodeDrainTimeout: "10s",
        nodeVolumeDetachTimeout: "1m30s",
        nodeDeletionTimeout: "0s",
        readinessGates: [{ conditionType: "A" }],
      },
    },
    "the older version with half a second": { version: "v1beta1", spec: { nodeDrainTimeout: "1500ms" } },
    "the older version with no duration": { version: "v1beta1", spec: { nodeDrainTimeout: "soon" } },
    "the older version without references": { version: "v1beta1", spec: { bootstrap: {}, infrastructureRef: {} } },
    "the older version with a Secret": { version: "v1beta1", spec: { bootstrap: { dataSecretName: "a" } } },
    "the older version of a kind that there is not": {
      version: "v1beta1",
      spec: { infrastructureRef: { ...older.machine, kind: "NoMachine" } },
    },
  },
);

const template = (more: Fields = {}, metadata?: Fields): Fields => ({
  ...(metadata !== undefined && { metadata }),
  spec: without({
    clusterName: "prod",
    bootstrap: { configRef: refTo(playedKinds.configTemplate, "a") },
    infrastructureRef: refTo(playedKinds.machineTemplate, "a"),
    ...more,
  }),
});
const olderTemplate = (more: Fields = {}, metadata?: Fields): Fields => ({
  ...(metadata !== undefined && { metadata }),
  spec: {
    clusterName: "prod",
    bootstrap: { configRef: older.configTemplate },
    infrastructureRef: older.machineTemplate,
    ...more,
  },
});

const min = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size";
const max = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size";
const skip = "machineset.cluster.x-k8s.io/skip-preflight-checks";

const app = { matchLabels: { app: "a" } };

/** What MachineSets and MachineDeployments have alike. */
const ofGroups: Readonly<Record<string, Told>> = {
  "nothing more": {},
  "a long name": { metadata: { name: `a${"b".repeat(69)}` } },
  "no cluster": { spec: { clusterName: null } },
  "two clusters": { spec: { clusterName: "other" } },
  "another cluster": { update: { clusterName: "other", template: template({ clusterName: "other" }) } },
  replicas: { spec: { replicas: 3 } },
  "replicas below zero": { spec: { replicas: -1 } },
  "replicas between bounds": { metadata: { annotations: { [min]: "2", [max]: "4" } } },
  "one bound alone": { metadata: { annotations: { [min]: "2" } } },
  "a bound that is no number": { metadata: { annotations: { [min]: "two", [max]: "4" } } },
  "replicas out of bounds": {
    spec: { replicas: 9 },
    metadata: { annotations: { [min]: "2", [max]: "4" } },
    update: { replicas: null },
  },
  "an empty selector": { spec: { selector: {} } },
  "a selector": { spec: { selector: app, template: template({}, { labels: { app: "a" } }) } },
  "a selector that selects nothing": { spec: { selector: app } },
  "an odd selector": { spec: { selector: { matchLabels: { "a b": "c" } } } },
  "a selector by expression": {
    spec: {
      selector: { matchExpressions: [{ key: "app", operator: "Exists" }] },
      template: template({}, { labels: { app: "a" } }),
    },
  },
  "an odd expression": { spec: { selector: { matchExpressions: [{ key: "app", operator: "In" }] } } },
  "another selector": { update: { selector: app, template: template({}, { labels: { app: "a" } }) } },
  "odd labels": { spec: { template: template({}, { labels: { "a b": "c", d: "e f" } }) } },
  "odd annotations": { spec: { template: template({}, { annotations: { "a b": "c" } }) } },
  "a version without a v": { spec: { template: template({ version: "1.33.4" }) } },
  "a version that is none": { spec: { template: template({ version: "latest" }) } },
  "no bootstrap": { spec: { template: template({ bootstrap: {} }) } },
  "no infrastructure": { spec: { template: template({ infrastructureRef: null }) } },
  "a taint of the control plane": {
    spec: {
      template: template({
        taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule", propagation: "Always" }],
      }),
    },
  },
  "a taint of ours": {
    spec: {
      template: template({
        taints: [{ key: "node.cluster.x-k8s.io/uninitialized", effect: "NoSchedule", propagation: "Always" }],
      }),
    },
  },
  "a naming": { spec: { machineNaming: { template: "{{ .machineSet.name }}-{{ .random }}" } } },
  "a naming without randomness": { spec: { machineNaming: { template: "{{ .machineSet.name }}" } } },
  "an odd naming": { spec: { machineNaming: { template: "A_{{ .random }}" } } },
  "a naming that cannot be read": { spec: { machineNaming: { template: "{{ .random" } } },
  "an empty naming": { spec: { machineNaming: {} } },
  "checks skipped": { metadata: { annotations: { [skip]: "All, ControlPlaneIsStable" } } },
  "odd checks skipped": { metadata: { annotations: { [skip]: "All,Mine" } } },
  "an order": { spec: { deletion: { order: "Oldest" } } },
  "an odd order": { spec: { deletion: { order: "Youngest" } } },
  "the older version": { version: "v1beta1" },
};

const groupWhole = {
  v1beta2: { clusterName: "prod", selector: {}, template: template() },
  v1beta1: { clusterName: "prod", selector: {}, template: olderTemplate() },
};

/** What is asked of MachineSets. */
export const setCases = casesOf(coreKinds.set, groupWhole, {
  ...ofGroups,
  "the older version with everything": {
    version: "v1beta1",
    spec: {
      replicas: 2,
      minReadySeconds: 3,
      deletePolicy: "Newest",
      machineNamingStrategy: { template: "a-{{ .random }}" },
      template: olderTemplate({ nodeDrainTimeout: "1m", version: "1.33.4" }, { labels: { a: "b" } }),
    },
  },
});

const rolling = (rollingUpdate: Fields): Told => ({
  spec: { rollout: { strategy: { type: "RollingUpdate", rollingUpdate } } },
});

/** What is asked of MachineDeployments. */
export const deploymentCases = casesOf(coreKinds.deployment, groupWhole, {
  ...ofGroups,
  "an odd name": { metadata: { name: "a.b" } },
  "a strategy": { spec: { rollout: { strategy: { type: "OnDelete" } } } },
  "an odd strategy": { spec: { rollout: { strategy: { type: "Recreate" } } } },
  "a strategy without a type": { spec: { rollout: { strategy: { rollingUpdate: { maxSurge: 1 } } } } },
  "an empty strategy": { spec: { rollout: {} } },
  "bounds by OnDelete": { spec: { rollout: { strategy: { type: "OnDelete", rollingUpdate: { maxSurge: 1 } } } } },
  "bounds of zero": rolling({ maxSurge: 0, maxUnavailable: 0 }),
  "bounds of zero percent": rolling({ maxSurge: "0%", maxUnavailable: 0 }),
  percentages: rolling({ maxSurge: "30%", maxUnavailable: "10%" }),
  "an odd surge": rolling({ maxSurge: "many" }),
  "an odd loss": rolling({ maxUnavailable: "-1" }),
  "a loss over all": rolling({ maxUnavailable: "101%" }),
  "a surge below zero": rolling({ maxSurge: -1 }),
  "in flight": { spec: { remediation: { maxInFlight: "50%" } } },
  "an odd number in flight": { spec: { remediation: { maxInFlight: "some" } } },
  "an empty remediation": { spec: { remediation: {} } },
  "a rollout after a time": { spec: { rollout: { after: "2026-01-01T00:00:00Z" } } },
  paused: { spec: { paused: true } },
  "not paused": { spec: { paused: false } },
  "the older version with everything": {
    version: "v1beta1",
    spec: {
      replicas: 2,
      minReadySeconds: 3,
      paused: true,
      revisionHistoryLimit: 3,
      progressDeadlineSeconds: 9,
      rolloutAfter: "2026-01-01T00:00:00Z",
      strategy: {
        type: "RollingUpdate",
        rollingUpdate: { maxSurge: 2, maxUnavailable: "10%", deletePolicy: "Oldest" },
        remediation: { maxInFlight: 1 },
      },
      machineNamingStrategy: { template: "a-{{ .random }}" },
      template: olderTemplate({ nodeDrainTimeout: "1m", version: "1.33.4" }, { labels: { a: "b" } }),
    },
  },
});
