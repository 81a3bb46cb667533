import { kubeadmConfigSpecShape, type KubeadmConfigSpec } from "@capstan/bootstrap-kubeadm/spec";
import { describe, expect, it } from "vitest";
import type { KubeadmControlPlane } from "../api.ts";
import { isConfigOutdated } from "./config-difference.ts";

type Json = Readonly<Record<string, unknown>>;

const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "ThingTemplate", name: "t" };
const wanted = (kubeadmConfigSpec: KubeadmConfigSpec, version = "v1.32.4"): Pick<KubeadmControlPlane, "spec"> => ({
  spec: { version, machineTemplate: { spec: { infrastructureRef } }, kubeadmConfigSpec },
});

/** Configuration written by a user for a control plane: in the older version of the kinds, and in the current one. */
const registration = { name: "{{ ds.name }}", kubeletExtraArgs: { "node-ip": "::", "cloud-provider": "external" } };
const older: Json = {
  clusterConfiguration: {
    apiServer: {
      extraArgs: { "cloud-provider": "external", "audit-log-path": "-" },
      extraVolumes: [{ name: "audit", hostPath: "/etc/audit", mountPath: "/etc/audit", readOnly: false }],
      timeoutForControlPlane: "20m0s",
    },
    dns: { imageTag: "v1.11.3" },
  },
  initConfiguration: { nodeRegistration: registration },
  joinConfiguration: { nodeRegistration: registration },
  files: [{ path: "/etc/note", content: "note", append: false }],
  preKubeadmCommands: ["true"],
};
const args = [
  { name: "node-ip", value: "::" },
  { name: "cloud-provider", value: "external" },
];
const newer: KubeadmConfigSpec = {
  clusterConfiguration: {
    apiServer: {
      // In an order of the user's own.
      extraArgs: [
        { name: "cloud-provider", value: "external" },
        { name: "audit-log-path", value: "-" },
      ],
      extraVolumes: [{ name: "audit", hostPath: "/etc/audit", mountPath: "/etc/audit", readOnly: false }],
    },
    dns: { imageTag: "v1.12.0" },
  },
  initConfiguration: { nodeRegistration: { name: "{{ ds.name }}", kubeletExtraArgs: args } },
  joinConfiguration: { nodeRegistration: { name: "{{ ds.name }}", kubeletExtraArgs: args } },
  files: [{ path: "/etc/note", content: "note", append: false }],
  preKubeadmCommands: ["true"],
};

const gate = { ControlPlaneKubeletLocalMode: true };
const discovery = { bootstrapToken: { apiServerEndpoint: "192.0.2.1:6443", token: "abcdef.0123456789abcdef" } };
const pulls = { imagePullPolicy: "IfNotPresent" };

/** Objects that stand in the older version, where nothing but pointers can be left out. */
const cluster = (featureGates?: Json, more: Json = {}): Json => ({
  networking: {},
  controlPlaneEndpoint: "192.0.2.1:6443",
  controllerManager: {},
  scheduler: {},
  etcd: {},
  ...(older["clusterConfiguration"] as Json),
  ...(featureGates === undefined ? {} : { featureGates }),
  ...more,
});
/** Fields that the bootstrap provider of these releases filled in for the first Machine and stored. */
const filledIn = { clusterName: "prod", kubernetesVersion: "v1.32.4", networking: { podSubnet: "10.0.0.0/8" } };
const common = { format: "cloud-config", files: older["files"], preKubeadmCommands: ["true"] };
const init = (featureGates?: Json): Json => ({
  ...common,
  clusterConfiguration: cluster(featureGates, filledIn),
  initConfiguration: {
    apiVersion: "kubeadm.k8s.io/v1beta3",
    kind: "InitConfiguration",
    localAPIEndpoint: {},
    nodeRegistration: { ...registration, ...pulls },
  },
});
const join = (featureGates?: Json): Json => ({
  ...common,
  clusterConfiguration: cluster(featureGates),
  joinConfiguration: {
    controlPlane: { localAPIEndpoint: {} },
    discovery,
    nodeRegistration: { ...registration, ...pulls },
  },
});

/** As the older version is stored, read in today's. */
const read = (stored: Json): KubeadmConfigSpec => kubeadmConfigSpecShape.up(stored, {} as never) as KubeadmConfigSpec;

const { initConfiguration: newInit, joinConfiguration: newJoin, ...newCommon } = newer;
/** As today's version is stored, with what is added by a release. */
const first = (more: KubeadmConfigSpec = {}): KubeadmConfigSpec => ({
  ...newCommon,
  initConfiguration: newInit!,
  ...more,
});
const further = (joining: NonNullable<KubeadmConfigSpec["joinConfiguration"]>): KubeadmConfigSpec => ({
  ...newCommon,
  joinConfiguration: { ...newJoin, discovery, ...joining },
});

/** The control plane of a user who has written nothing at all. */
const nothing: KubeadmConfigSpec = {};

interface Stored {
  readonly title: string;
  readonly config: KubeadmConfigSpec;
  readonly wants: KubeadmConfigSpec;
}

const stored = (
  [
    ["1.8", "the first Machine, without the gate", read(init())],
    ["1.8", "a further Machine, without the gate", read({ ...join(), useExperimentalRetryJoin: true })],
    ["1.9", "the first Machine", read(init(gate))],
    ["1.9", "a further Machine", read(join(gate))],
    ["1.10", "the first Machine", read(init(gate))],
    ["1.10", "a further Machine", read(join(gate))],
    [
      "1.10",
      "a further Machine of a user who wrote nothing",
      read({
        format: "cloud-config",
        joinConfiguration: { controlPlane: { localAPIEndpoint: {} }, discovery, nodeRegistration: pulls },
      }),
      nothing,
    ],
    ["1.11", "the first Machine, in today's version", first({ format: "cloud-config" })],
    ["1.11", "a further Machine, without controlPlane", further({})],
    [
      "1.11",
      "a further Machine before its token is made, without controlPlane",
      { ...further({}), joinConfiguration: newJoin! },
    ],
    ["1.11", "a further Machine of a user who wrote nothing", { joinConfiguration: { discovery } }, nothing],
    ["1.11", "a further Machine of a user who wrote nothing, before its token is made", {}, nothing],
    [
      "1.11",
      "a Machine whose switches the conversion of 1.10's objects had dropped",
      { ...further({}), files: [{ path: "/etc/note", content: "note" }] },
    ],
    [
      "1.11",
      "a Machine with the timeout that 1.10 had for both",
      {
        ...further({}),
        initConfiguration: { timeouts: { controlPlaneComponentHealthCheckSeconds: 1200 } },
      },
    ],
    [
      "1.12",
      "the first Machine",
      first({ clusterConfiguration: { ...newCommon.clusterConfiguration!, featureGates: gate } }),
    ],
    ["1.12", "a further Machine", further({ controlPlane: {} })],
    [
      "1.13",
      "a first Machine that came when the cluster was there",
      first({ joinConfiguration: { controlPlane: {}, discovery } }),
    ],
    ["1.13", "a further Machine", further({ controlPlane: { localAPIEndpoint: {} } })],
    ["1.14", "the first Machine", first({ format: "cloud-config" })],
    ["1.14", "a further Machine", further({ controlPlane: {}, timeouts: {} })],
  ] satisfies readonly (readonly [string, string, KubeadmConfigSpec, KubeadmConfigSpec?])[]
).map(([release, what, config, wants = newer]): Stored => ({ title: `${release}: ${what}`, config, wants }));

describe("a KubeadmConfig as an earlier release has left it", () => {
  it.each(stored)("$title is up to date", ({ config, wants }) => {
    expect(isConfigOutdated(wanted(wants), config)).toBe(false);
    // Whoever moved away from the gate, or to a version that has it for good, did not ask for another configuration.
    expect(isConfigOutdated(wanted(wants, "v1.36.0"), config)).toBe(false);
  });

  it.each(stored)("$title is not, with another command", ({ config, wants }) => {
    expect(isConfigOutdated(wanted({ ...wants, preKubeadmCommands: ["false"] }), config)).toBe(true);
  });

  it.each(stored)("$title is not, with another name of its Node", ({ config, wants }) => {
    const nodeRegistration = { name: "another" };
    const next = { ...wants, initConfiguration: { nodeRegistration }, joinConfiguration: { nodeRegistration } };
    expect(isConfigOutdated(wanted(next), config)).toBe(true);
  });

  it("is not up to date once a user turns the gate off, or on again", () => {
    const featureGates = { ControlPlaneKubeletLocalMode: false };
    const off = { ...newer, clusterConfiguration: { ...newer.clusterConfiguration!, featureGates } };
    expect(isConfigOutdated(wanted(off), read(join(gate)))).toBe(true);
    expect(isConfigOutdated(wanted(off), read(join()))).toBe(true);
    expect(isConfigOutdated(wanted(newer), read(join(featureGates)))).toBe(true);
    expect(isConfigOutdated(wanted(off), read(join(featureGates)))).toBe(false);
  });
});
