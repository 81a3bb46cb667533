import { Group } from "@capstan/contract";
import type { KubeadmControlPlane } from "@capstan/controlplane-kubeadm/api";
import type { MachineDeployment, MachineSet } from "@capstan/core/api";
import { describe, expect, it } from "vitest";
import { type ControlPlaneObject, controlPlaneStatus } from "./control-plane-status.ts";
import { rolloutStatus } from "./rollout-status.ts";

const spec = { clusterName: "prod", bootstrap: {}, infrastructureRef: { apiGroup: "g", kind: "K", name: "n" } };
const apiVersion = `${Group.core}/v1beta2`;
const now = Date.parse("2026-01-02T00:00:00Z");

const deployment = (more: Partial<MachineDeployment["spec"]> = {}, blocked = "", observed = 2): MachineDeployment => ({
  apiVersion,
  kind: "MachineDeployment",
  metadata: { name: "md", namespace: "default", uid: "uid-md", generation: 2 },
  spec: { clusterName: "prod", replicas: 3, selector: {}, template: { spec: { ...spec, version: "v2" } }, ...more },
  status: {
    observedGeneration: observed,
    ...(blocked === ""
      ? {}
      : {
          conditions: [
            {
              type: "ScalingUp",
              status: "True",
              reason: "ScalingUp",
              message: `Scaling up from 3 to 4 replicas is blocked because:\n* ${blocked}`,
              lastTransitionTime: "2026-01-01T00:00:00Z",
            },
          ],
        }),
  },
});

const set = (version: string, replicas: number, availableReplicas = replicas, owner = "uid-md"): MachineSet => ({
  apiVersion,
  kind: "MachineSet",
  metadata: {
    name: `${version}-${owner}`,
    namespace: "default",
    creationTimestamp: "2026-01-01T00:00:00Z",
    ownerReferences: [{ apiVersion, kind: "MachineDeployment", name: "md", uid: owner, controller: true }],
  },
  spec: { clusterName: "prod", replicas, selector: {}, template: { spec: { ...spec, version } } },
  status: { replicas, availableReplicas },
});

const after = { rollout: { after: "2026-01-01T12:00:00Z" } };
const later = { rollout: { after: "2026-01-03T00:00:00Z" } };

describe("rolloutStatus", () => {
  it.each<[string, MachineDeployment, readonly MachineSet[], string, RegExp]>([
    [
      "a change just made",
      deployment({}, "", 1),
      [set("v2", 3)],
      "underway",
      /: the controller has not observed the last change yet$/,
    ],
    [
      "a change that the controller fails on",
      deployment({}, "K n does not exist", 1),
      [set("v2", 3)],
      "underway",
      /: K n does not exist; the last change has not taken effect yet$/,
    ],
    ["no set yet", deployment(), [set("v1", 3)], "underway", /MachineSet is not created yet/],
    ["a restart not acted on", deployment(after), [set("v2", 3)], "underway", /MachineSet is not created yet/],
    ["a restart to come", deployment(later), [set("v2", 3)], "done", /rolled out/],
    ["few new replicas", deployment(), [set("v1", 3), set("v2", 1)], "underway", /1 of 3 new replicas are created$/],
    [
      "templates gone",
      deployment({}, "K n does not exist"),
      [set("v2", 0)],
      "underway",
      /are created; K n does not exist$/,
    ],
    ["one old replica", deployment(), [set("v1", 1), set("v2", 3)], "underway", /1 old replica is pending deletion/],
    [
      "new replicas that are not available",
      deployment(),
      [set("v1", 1), set("v2", 3, 2)],
      "underway",
      /1 old replica is pending deletion, 2 of 3 new replicas are available$/,
    ],
    ["one of one", deployment({ replicas: 1 }), [set("v2", 1)], "done", /is rolled out: 1 replica$/],
    ["none of one", deployment({ replicas: 1 }), [set("v2", 1, 0)], "underway", /0 of 1 new replicas are available$/],
    ["old replicas", deployment(), [set("v1", 2), set("v2", 3)], "underway", /2 old replicas are pending deletion/],
    ["too many new replicas", deployment(), [set("v2", 4)], "underway", /1 surplus replica is pending deletion/],
    ["unavailable replicas", deployment(), [set("v2", 3, 1)], "underway", /1 of 3 new replicas are available/],
    ["all", deployment(), [set("v1", 0), set("v2", 3), set("v1", 5, 5, "other")], "done", /is rolled out: 3 replicas/],
    ["a pause", deployment({ paused: true }), [set("v1", 3)], "stuck", /paused with 0 of 3.*rollout resume/],
    ["a pause midway", deployment({ paused: true }), [set("v1", 1), set("v2", 3)], "stuck", /paused with 3 of 3/],
    ["a pause with nothing to do", deployment({ paused: true }), [set("v2", 3)], "done", /rolled out/],
  ])("with %s", (_, given, sets, state, text) => {
    const status = rolloutStatus(given, sets, now);
    expect(status.state).toBe(state);
    expect(status.text).toMatch(text);
  });
});

const controlPlane = (counters: readonly [made: number, current: number, available: number], more: object = {}) => {
  const [replicas, upToDateReplicas, availableReplicas] = counters;
  return {
    apiVersion: `${Group.controlPlane}/v1beta2`,
    kind: "KubeadmControlPlane",
    metadata: { name: "cp", namespace: "default", generation: 2, ...more },
    spec: { replicas: 3 },
    status: { observedGeneration: 2, replicas, upToDateReplicas, availableReplicas },
  } as unknown as KubeadmControlPlane;
};

const paused = { annotations: { "cluster.x-k8s.io/paused": "true" } };

const older = ([replicas, updatedReplicas, readyReplicas]: readonly [number, number, number]): ControlPlaneObject => ({
  apiVersion: `${Group.controlPlane}/v1beta2`,
  kind: "KThreesControlPlane",
  metadata: { name: "cp" },
  spec: { replicas: 3 },
  status: { replicas, updatedReplicas, readyReplicas },
});

/** The same with conditions: `type`, `status` and `message`. */
const saying = (object: ControlPlaneObject, ...said: readonly (readonly [string, string, string])[]) => {
  const conditions = said.map(([type, status, message]) => ({ type, status, reason: "Said", message }));
  return { ...object, status: { ...object.status, conditions } } as ControlPlaneObject;
};
const quorum = "3 of 3 voting members are healthy, 2 required; cp-0 leads";

describe("controlPlaneStatus", () => {
  it.each<[string, ControlPlaneObject, string, RegExp]>([
    ["a change just made", controlPlane([3, 3, 3], { generation: 3 }), "underway", /not observed/],
    ["few new replicas", controlPlane([3, 1, 3]), "underway", /1 of 3 new replicas are created$/],
    ["one old replica", controlPlane([4, 3, 4]), "underway", /1 old replica is pending deletion$/],
    ["too many new replicas", controlPlane([5, 5, 5]), "underway", /2 surplus replicas are pending deletion$/],
    ["unavailable replicas", controlPlane([3, 3, 2]), "underway", /2 of 3 new replicas are available$/],
    [
      "a paused Cluster",
      saying(controlPlane([3, 3, 3], { generation: 3 }), ["Paused", "True", "Cluster spec.paused is set to true"]),
      "underway",
      /: paused: Cluster spec\.paused is set to true; the last change has not taken effect yet$/,
    ],
    [
      "a change that the controller fails on",
      saying(controlPlane([3, 3, 3], { generation: 3 }), ["Ready", "False", "Secret orchid-ca does not exist"]),
      "underway",
      /: Secret orchid-ca does not exist; the last change has not taken effect yet$/,
    ],
    [
      "a change that the controller fails on, with members of etcd",
      saying(
        controlPlane([3, 3, 3], { generation: 3 }),
        ["Ready", "False", "Secret orchid-ca does not exist"],
        ["EtcdClusterHealthy", "True", quorum],
      ),
      "underway",
      /: Secret orchid-ca does not exist; the last change has not taken effect yet; etcd: 3 of 3/,
    ],
    ["all", controlPlane([3, 3, 3]), "done", /^kubeadmcontrolplane\/cp is rolled out: 3 replicas$/],
    ["a pause midway", controlPlane([4, 2, 4], paused), "stuck", /paused with 2 of 3.*resume kubeadmcontrolplane\/cp$/],
    ["a pause with nothing to do", controlPlane([3, 3, 3], { ...paused, generation: 3 }), "done", /rolled out/],
    [
      "one old replica, in counters of the older generation",
      older([4, 3, 4]),
      "underway",
      /1 old replica is pending deletion$/,
    ],
    [
      "the members of etcd",
      saying(controlPlane([4, 3, 4]), ["EtcdClusterHealthy", "True", quorum]),
      "underway",
      /1 old replica is pending deletion; etcd: 3 of 3 voting members are healthy, 2 required; cp-0 leads$/,
    ],
    [
      "the members of etcd of k3s",
      saying(older([3, 3, 3]), ["EtcdClusterHealthyCondition", "True", quorum]),
      "done",
      /rolled out: 3 replicas; etcd: 3 of 3/,
    ],
    [
      "a Machine that cannot leave yet",
      saying(controlPlane([4, 3, 4]), ["Ready", "False", "etcd would lose its majority"]),
      "underway",
      /1 old replica is pending deletion; etcd would lose its majority$/,
    ],
    ["all, in counters of the older generation", older([3, 3, 3]), "done", /^kthreescontrolplane\/cp is rolled out/],
  ])("with %s", (_, given, state, text) => {
    const status = controlPlaneStatus(given);
    expect(status.state).toBe(state);
    expect(status.text).toMatch(text);
  });
});
