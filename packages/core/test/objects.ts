import { Group, Label } from "@capstan/contract";
import {
  Cluster,
  IPAddress,
  IPAddressClaim,
  Machine,
  MachineDeployment,
  MachineDrainRule,
  MachineHealthCheck,
  MachinePool,
  MachineSet,
} from "../src/api.ts";

/** Objects for tests, complete enough for the API and short to write. */
export const at = (seconds: number): string =>
  new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString().replace(".000Z", "Z");

/** Milliseconds of `at(seconds)`. */
export const ms = (seconds: number): number => Date.parse(at(seconds));

const namespace = "default";
const apiVersion = `${Group.core}/v1beta2`;

type Parts<T> = {
  readonly metadata?: Partial<T extends { readonly metadata: infer M } ? M : never>;
  readonly spec?: Partial<T extends { readonly spec: infer S } ? S : never>;
  readonly status?: T extends { readonly status?: infer S } ? S : never;
};

const ref = (kind: string, name: string) => ({ apiGroup: Group.infrastructure, kind, name });

export const cluster = ({ metadata, spec, status }: Parts<Cluster> = {}): Cluster => ({
  apiVersion,
  kind: Cluster.kind,
  metadata: { name: "prod", namespace, uid: "uid-cluster", generation: 1, creationTimestamp: at(0), ...metadata },
  spec: { infrastructureRef: ref("TestCluster", "prod"), ...spec },
  ...(status === undefined ? {} : { status }),
});

export const machine = ({ metadata, spec, status }: Parts<Machine> = {}): Machine => ({
  apiVersion,
  kind: Machine.kind,
  metadata: {
    name: "m",
    namespace,
    uid: `uid-${metadata?.name ?? "m"}`,
    generation: 1,
    creationTimestamp: at(0),
    ...metadata,
  },
  spec: {
    clusterName: "prod",
    bootstrap: { configRef: { apiGroup: Group.bootstrap, kind: "TestConfig", name: "m" } },
    infrastructureRef: ref("TestMachine", "m"),
    ...spec,
  },
  ...(status === undefined ? {} : { status }),
});

const template = (spec: Partial<Machine["spec"]> = {}): MachineSet["spec"]["template"] => ({
  spec: {
    clusterName: "prod",
    bootstrap: { configRef: { apiGroup: Group.bootstrap, kind: "TestConfigTemplate", name: "t" } },
    infrastructureRef: ref("TestMachineTemplate", "t"),
    version: "v1.33.4",
    ...spec,
  },
});

export const machineSet = (
  { metadata, spec, status }: Parts<MachineSet> = {},
  templateSpec?: Partial<Machine["spec"]>,
): MachineSet => ({
  apiVersion,
  kind: MachineSet.kind,
  metadata: {
    name: "set",
    namespace,
    uid: `uid-${metadata?.name ?? "set"}`,
    generation: 1,
    creationTimestamp: at(0),
    ...metadata,
  },
  spec: {
    clusterName: "prod",
    replicas: 3,
    selector: { matchLabels: { [Label.setName]: "set" } },
    template: template(templateSpec),
    ...spec,
  },
  ...(status === undefined ? {} : { status }),
});

export const machineDeployment = (
  { metadata, spec, status }: Parts<MachineDeployment> = {},
  templateSpec?: Partial<Machine["spec"]>,
): MachineDeployment => ({
  apiVersion,
  kind: MachineDeployment.kind,
  metadata: { name: "md", namespace, uid: "uid-md", generation: 1, creationTimestamp: at(0), ...metadata },
  spec: {
    clusterName: "prod",
    replicas: 3,
    selector: { matchLabels: { [Label.deploymentName]: "md" } },
    template: template(templateSpec),
    ...spec,
  },
  ...(status === undefined ? {} : { status }),
});

export const machinePool = (
  { metadata, spec }: Parts<MachinePool> = {},
  templateSpec?: Partial<Machine["spec"]>,
): MachinePool => ({
  apiVersion,
  kind: MachinePool.kind,
  metadata: { name: "pool", namespace, ...metadata },
  spec: { clusterName: "prod", template: template(templateSpec), ...spec },
});

const poolRef = { apiGroup: Group.ipam, kind: "TestPool", name: "pool" };

export const ipAddress = (spec: Partial<IPAddress["spec"]> = {}): IPAddress => ({
  apiVersion: `${Group.ipam}/v1beta2`,
  kind: IPAddress.kind,
  metadata: { name: "address", namespace },
  spec: { claimRef: { name: "claim" }, poolRef, address: "10.0.0.7", prefix: 24, ...spec },
});

export const ipAddressClaim = (spec: Partial<IPAddressClaim["spec"]> = {}): IPAddressClaim => ({
  apiVersion: `${Group.ipam}/v1beta2`,
  kind: IPAddressClaim.kind,
  metadata: { name: "claim", namespace },
  spec: { poolRef, ...spec },
});

export const healthCheck = (spec: Partial<MachineHealthCheck["spec"]> = {}): MachineHealthCheck => ({
  apiVersion,
  kind: MachineHealthCheck.kind,
  metadata: { name: "check", namespace },
  spec: { clusterName: "prod", selector: { matchLabels: { role: "worker" } }, ...spec },
});

export const drainRule = (name: string, spec: Partial<MachineDrainRule["spec"]> = {}): MachineDrainRule => ({
  apiVersion,
  kind: MachineDrainRule.kind,
  metadata: { name, namespace },
  spec: { drain: { behavior: "Drain" }, ...spec },
});

export const condition = (
  type: string,
  status: "True" | "False" | "Unknown",
  more: { reason?: string; message?: string; since?: number } = {},
) => ({
  type,
  status,
  reason: more.reason ?? "Because",
  message: more.message ?? "",
  lastTransitionTime: at(more.since ?? 0),
});
