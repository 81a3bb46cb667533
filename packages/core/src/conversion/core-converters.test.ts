import { Group } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { coreConverters } from "./core-converters.ts";

const convert = (plural: string, kind: string, [from, to]: readonly [string, string], body: object) => {
  const metadata = { name: "one", namespace: "default" };
  const object: KubeObject = { apiVersion: `${Group.core}/${from}`, kind, metadata, ...body };
  const { spec, status } = converted(plural, object, to);
  return { ...(spec !== undefined && { spec }), ...(status !== undefined && { status }) };
};

/** The object in another version of its own group. */
const converted = (plural: string, object: KubeObject, version: string): KubeObject => {
  const [group = ""] = object.apiVersion.split("/");
  return coreConverters[`${plural}.${group}`]!(object, `${group}/${version}`, (of) => `${of}/v1beta9`);
};

const up = ["v1beta1", "v1beta2"] as const;
const down = ["v1beta2", "v1beta1"] as const;
const time = "2026-01-02T03:04:05Z";

it("drops of a Machine what v1beta2 has no place for", () => {
  const reference = { apiVersion: "toys.example.io/v1", kind: "Toy", name: "a" };
  const spec = {
    clusterName: "c",
    bootstrap: { configRef: { ...reference, namespace: "x", uid: "u" } },
    infrastructureRef: reference,
  };
  const status = { nodeRef: { kind: "Node", name: "n", uid: "u" }, bootstrapReady: true, infrastructureReady: false };
  const short = { apiGroup: "toys.example.io", kind: "Toy", name: "a" };
  expect(convert("machines", "Machine", up, { spec, status })).toEqual({
    spec: { clusterName: "c", bootstrap: { configRef: short }, infrastructureRef: short },
    status: { nodeRef: { name: "n" }, initialization: { bootstrapDataSecretCreated: true } },
  });
});

it("keeps both generations of conditions of a Machine, and shows Updating as Running", () => {
  const older = { type: "Ready", status: "True", lastTransitionTime: time };
  const newer = { ...older, reason: "Ready" };
  const status = {
    phase: "Updating",
    conditions: [newer],
    deprecated: { v1beta1: { conditions: [older], failureReason: "x" } },
  };
  expect(convert("machines", "Machine", down, { status })).toEqual({
    status: {
      phase: "Running",
      bootstrapReady: false,
      infrastructureReady: false,
      conditions: [older],
      failureReason: "x",
      v1beta2: { conditions: [newer] },
    },
  });
});

it("moves the fields of a MachineDeployment", () => {
  const spec = {
    strategy: { type: "OnDelete", rollingUpdate: { deletePolicy: "Newest" }, remediation: { maxInFlight: "20%" } },
    rolloutAfter: time,
    machineNamingStrategy: { template: "{{ .random }}" },
    minReadySeconds: 3,
    revisionHistoryLimit: 1,
    progressDeadlineSeconds: 600,
    paused: false,
    template: { metadata: {} },
  };
  expect(convert("machinedeployments", "MachineDeployment", up, { spec })).toEqual({
    spec: {
      rollout: { after: time, strategy: { type: "OnDelete" } },
      deletion: { order: "Newest" },
      remediation: { maxInFlight: "20%" },
      machineNaming: { template: "{{ .random }}" },
      template: { spec: { minReadySeconds: 3 } },
    },
  });
});

it("moves the fields of a MachineSet", () => {
  const older = {
    spec: {
      deletePolicy: "Oldest",
      minReadySeconds: 3,
      machineNamingStrategy: { template: "{{ .random }}" },
      template: { spec: { clusterName: "c", bootstrap: { dataSecretName: "" }, nodeDrainTimeout: "1m0s" } },
    },
    status: { fullyLabeledReplicas: 2, readyReplicas: 1, v1beta2: { readyReplicas: 2, upToDateReplicas: 2 } },
  };
  const template = { clusterName: "c", bootstrap: { dataSecretName: "" }, deletion: { nodeDrainTimeoutSeconds: 60 } };
  const newer = {
    spec: {
      deletion: { order: "Oldest" },
      machineNaming: { template: "{{ .random }}" },
      template: { spec: { ...template, minReadySeconds: 3 } },
    },
    status: {
      readyReplicas: 2,
      upToDateReplicas: 2,
      deprecated: { v1beta1: { fullyLabeledReplicas: 2, readyReplicas: 1 } },
    },
  };
  expect(convert("machinesets", "MachineSet", up, older)).toEqual(newer);
  const written = { ...older, status: { ...older.status, replicas: 0, availableReplicas: 0 } };
  expect(convert("machinesets", "MachineSet", down, newer)).toEqual(written);
});

it("moves the fields of a MachinePool", () => {
  const newer = {
    spec: { template: { spec: { bootstrap: {}, minReadySeconds: 3, deletion: { nodeDeletionTimeoutSeconds: 10 } } } },
    status: {
      initialization: { infrastructureProvisioned: true },
      availableReplicas: 2,
      deprecated: { v1beta1: { availableReplicas: 1, failureReason: "x" } },
    },
  };
  expect(convert("machinepools", "MachinePool", down, newer)).toEqual({
    spec: { minReadySeconds: 3, template: { spec: { bootstrap: {}, nodeDeletionTimeout: "10s" } } },
    status: {
      infrastructureReady: true,
      availableReplicas: 1,
      failureReason: "x",
      v1beta2: { availableReplicas: 2 },
    },
  });
});

it("moves the fields of a Cluster and its topology", () => {
  const machineHealthCheck = {
    enable: false,
    unhealthyConditions: [{ type: "Ready", status: "False", timeout: "5m" }],
  };
  const workers = { machineDeployments: [{ name: "w", class: "d", machineHealthCheck, nodeDrainTimeout: "1s" }] };
  const spec = {
    controlPlaneEndpoint: { host: "", port: 0 },
    topology: { class: "k", classNamespace: "n", version: "v1.33.0", workers },
  };
  const status = { failureDomains: { b: { controlPlane: true }, a: { controlPlane: false } }, controlPlaneReady: true };
  const checks = { unhealthyNodeConditions: [{ type: "Ready", status: "False", timeoutSeconds: 300 }] };
  const worker = {
    name: "w",
    class: "d",
    healthCheck: { enabled: false, checks },
    deletion: { nodeDrainTimeoutSeconds: 1 },
  };
  expect(convert("clusters", "Cluster", up, { spec, status })).toEqual({
    spec: {
      topology: {
        classRef: { name: "k", namespace: "n" },
        version: "v1.33.0",
        workers: { machineDeployments: [worker] },
      },
    },
    status: {
      failureDomains: [{ name: "a" }, { name: "b", controlPlane: true }],
      initialization: { controlPlaneInitialized: true },
    },
  });
});

it("writes the older version of a Cluster as programs in Go do, and reads it as they mean it", () => {
  const written = {
    spec: { controlPlaneEndpoint: { host: "", port: 0 } },
    status: { infrastructureReady: false, controlPlaneReady: false },
  };
  expect(convert("clusters", "Cluster", down, { spec: { paused: false } })).toEqual(written);
  expect(convert("clusters", "Cluster", up, { ...written, spec: { ...written.spec, paused: false } })).toEqual({
    spec: {},
  });
});

it("takes a reference to nothing for none", () => {
  const spec = { clusterName: "c", bootstrap: { dataSecretName: "d" }, infrastructureRef: {} };
  expect(convert("machines", "Machine", up, { spec })).toEqual({
    spec: { clusterName: "c", bootstrap: { dataSecretName: "d" } },
  });
});

it("moves the fields of a MachineHealthCheck", () => {
  const remediationTemplate = { apiVersion: "toys.example.io/v1", kind: "Fix", name: "f", namespace: "default" };
  const spec = { maxUnhealthy: "40%", unhealthyRange: "[1-3]", nodeStartupTimeout: "10m", remediationTemplate };
  expect(convert("machinehealthchecks", "MachineHealthCheck", up, { spec })).toEqual({
    spec: {
      checks: { nodeStartupTimeoutSeconds: 600 },
      remediation: {
        triggerIf: { unhealthyLessThanOrEqualTo: "40%", unhealthyInRange: "[1-3]" },
        templateRef: { apiVersion: "toys.example.io/v1", kind: "Fix", name: "f" },
      },
    },
  });
});

it("takes an IPAddressClaim through all its versions without loss", () => {
  const claim = {
    apiVersion: `${Group.ipam}/v1beta2`,
    kind: "IPAddressClaim",
    metadata: { name: "one", namespace: "default" },
    spec: { clusterName: "c", poolRef: { apiGroup: "pools.example.io", kind: "Pool", name: "p" } },
    status: {
      addressRef: { name: "one" },
      conditions: [{ type: "Ready", status: "True", reason: "Allocated", message: "", lastTransitionTime: time }],
    },
  };
  const oldest = converted("ipaddressclaims", claim, "v1alpha1");
  expect(oldest["spec"]).toEqual({ poolRef: claim.spec.poolRef });
  expect(oldest["status"]).toEqual({ addressRef: { name: "one" } });
  const older = converted("ipaddressclaims", oldest, "v1beta1");
  expect(older["spec"]).toEqual(claim.spec);
  expect(older["status"]).toMatchObject({ v1beta2: { conditions: claim.status.conditions } });
  expect(converted("ipaddressclaims", older, "v1beta2")).toEqual(claim);
});
