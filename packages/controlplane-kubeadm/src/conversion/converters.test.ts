import { Annotation, Group } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { kubeadmControlPlaneConverters } from "./kubeadm-control-plane-converters.ts";

const convert = (object: KubeObject, version: string): KubeObject =>
  kubeadmControlPlaneConverters[`${object.kind.toLowerCase()}s.${Group.controlPlane}`]!(
    object,
    `${Group.controlPlane}/${version}`,
    (group) => `${group}/v1beta2`,
  );
const object = (kind: string, version: string, body: object): KubeObject => ({
  apiVersion: `${Group.controlPlane}/${version}`,
  kind,
  metadata: { name: "cp", namespace: "default" },
  ...body,
});

const older = {
  spec: {
    replicas: 3,
    version: "v1.34.1",
    kubeadmConfigSpec: {},
    machineTemplate: {
      infrastructureRef: {
        apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2",
        kind: "ThingTemplate",
        name: "t",
        namespace: "default",
      },
      nodeDrainTimeout: "1m0s",
      readinessGates: [{ conditionType: "Fit" }],
    },
    rolloutAfter: "2026-01-01T00:00:00Z",
    rolloutBefore: { certificatesExpiryDays: 21 },
    rolloutStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0 } },
    remediationStrategy: { maxRetry: 2, retryPeriod: "10m0s", minHealthyPeriod: "1h0m0s" },
    machineNamingStrategy: { template: "{{ .random }}" },
  },
  status: {
    initialized: true,
    ready: true,
    readyReplicas: 3,
    updatedReplicas: 2,
    lastRemediation: { machine: "m", retryCount: 0, timestamp: "2026-01-02T00:00:00Z" },
    v1beta2: { readyReplicas: 2, conditions: [] },
  },
};

const newer = {
  spec: {
    replicas: 3,
    version: "v1.34.1",
    machineTemplate: {
      spec: {
        infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "ThingTemplate", name: "t" },
        deletion: { nodeDrainTimeoutSeconds: 60 },
        readinessGates: [{ conditionType: "Fit" }],
      },
    },
    rollout: {
      after: "2026-01-01T00:00:00Z",
      before: { certificatesExpiryDays: 21 },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0 } },
    },
    remediation: { maxRetry: 2, retryPeriodSeconds: 600, minHealthyPeriodSeconds: 3600 },
    machineNaming: { template: "{{ .random }}" },
  },
  status: {
    initialization: { controlPlaneInitialized: true },
    readyReplicas: 2,
    conditions: [],
    lastRemediation: { machine: "m", retryCount: 0, time: "2026-01-02T00:00:00Z" },
    deprecated: { v1beta1: { readyReplicas: 3, updatedReplicas: 2 } },
  },
};

it("moves every field, and back", () => {
  const { metadata, ...body } = convert(object("KubeadmControlPlane", "v1beta1", older), "v1beta2");
  expect(body).toEqual({ apiVersion: `${Group.controlPlane}/v1beta2`, kind: "KubeadmControlPlane", ...newer });
  const back = convert({ ...body, metadata }, "v1beta1");
  expect(Object.keys(back.metadata.annotations ?? {})).toEqual([Annotation.conversionData]);
  const { machineTemplate } = older.spec;
  expect({ spec: back["spec"], status: back["status"] }).toEqual({
    spec: { ...older.spec, machineTemplate: { metadata: {}, ...machineTemplate } },
    status: { replicas: 0, unavailableReplicas: 0, ...older.status },
  });
});

it("says that no API server serves when no Node is ready", () => {
  const status = { deprecated: { v1beta1: { readyReplicas: 0 } } };
  const down = convert(object("KubeadmControlPlane", "v1beta2", { spec: newer.spec, status }), "v1beta1");
  expect(down["status"]).toEqual({
    initialized: false,
    ready: false,
    replicas: 0,
    readyReplicas: 0,
    unavailableReplicas: 0,
    updatedReplicas: 0,
  });
});

it("gives an older template the configuration that it needs", () => {
  const metadata = { labels: { tier: "a" } };
  const down = convert(
    object("KubeadmControlPlaneTemplate", "v1beta2", { spec: { template: { metadata } } }),
    "v1beta1",
  );
  expect(down["spec"]).toEqual({ template: { metadata, spec: { kubeadmConfigSpec: {} } } });
  expect(convert(down, "v1beta2")["spec"]).toEqual({ template: { metadata } });
});
