import { describe, expect, it } from "vitest";
import type { KubeadmConfigSpec } from "@capstan/bootstrap-kubeadm/spec";
import type { KubeadmControlPlane } from "../api.ts";
import { isConfigOutdated } from "./config-difference.ts";
import { machineConfig } from "./machine-config.ts";

type Wanted = Pick<KubeadmControlPlane, "spec">;

const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "ThingTemplate", name: "t" };
const wanted = (kubeadmConfigSpec: KubeadmConfigSpec = {}, version = "v1.34.1"): Wanted => ({
  spec: { version, machineTemplate: { spec: { infrastructureRef } }, kubeadmConfigSpec },
});
const registration = (name: string) => ({ nodeRegistration: { name } });
const both = (name: string): KubeadmConfigSpec => ({
  initConfiguration: registration(name),
  joinConfiguration: registration(name),
});

describe("the configuration of a Machine", () => {
  it("is for the first or for one that joins", () => {
    expect(machineConfig(wanted(both("n")), "init")).toMatchObject({ initConfiguration: registration("n") });
    expect(machineConfig(wanted(both("n")), "init").joinConfiguration).toBeUndefined();
    const joining = machineConfig(wanted(both("n")), "join");
    expect(joining.joinConfiguration).toEqual({ controlPlane: {}, ...registration("n") });
    expect(joining.initConfiguration).toBeUndefined();
  });

  it("leaves the token of a server that joins to its bootstrap provider, also where the user gave one for all", () => {
    const discovery = { bootstrapToken: { token: "abcdef.0123456789abcdef", apiServerEndpoint: "192.0.2.1:6443" } };
    const made = machineConfig(wanted({ joinConfiguration: { discovery } }), "join");
    const bootstrapToken = { apiServerEndpoint: "192.0.2.1:6443" };
    expect(made.joinConfiguration?.discovery).toEqual({ bootstrapToken });
  });

  it.each([
    ["v1.30.4", undefined],
    ["v1.31.0", { ControlPlaneKubeletLocalMode: true }],
    ["v1.36.0", undefined],
  ])("has the feature gate that %s needs", (version, featureGates) => {
    expect(machineConfig(wanted({}, version), "join").clusterConfiguration?.featureGates).toEqual(featureGates);
  });

  it("keeps a feature gate that a user turned off", () => {
    const featureGates = { ControlPlaneKubeletLocalMode: false };
    const given = wanted({ clusterConfiguration: { featureGates } });
    expect(machineConfig(given, "join").clusterConfiguration).toEqual({ featureGates });
  });
});

describe("isConfigOutdated", () => {
  it.each(["init", "join"] as const)("is false for what was made as %s, with what its provider added", (role) => {
    const made = machineConfig(wanted(both("n")), role);
    const discovery = { bootstrapToken: { token: "abcdef.0123456789abcdef" } };
    const stored: KubeadmConfigSpec = {
      ...made,
      clusterConfiguration: { ...made.clusterConfiguration, controlPlaneEndpoint: "192.0.2.1:6443" },
      ...(made.joinConfiguration && { joinConfiguration: { ...made.joinConfiguration, discovery } }),
    };
    expect(isConfigOutdated(wanted(both("n")), stored)).toBe(false);
  });

  it.each<[string, KubeadmConfigSpec, boolean]>([
    ["another command", { ...both("n"), preKubeadmCommands: ["true"] }, true],
    ["another name", both("m"), true],
    [
      "other timeouts of health checks",
      {
        ...both("n"),
        joinConfiguration: { ...registration("n"), timeouts: { controlPlaneComponentHealthCheckSeconds: 9 } },
      },
      false,
    ],
    ["another DNS", { ...both("n"), clusterConfiguration: { dns: { imageTag: "v1" } } }, false],
    ["what is empty", { ...both("n"), files: [] }, false],
    ["no taints", { ...both("n"), joinConfiguration: { nodeRegistration: { name: "n", taints: [] } } }, true],
  ])("with %s", (_, next, expected) => {
    expect(isConfigOutdated(wanted(next), machineConfig(wanted(both("n")), "join"))).toBe(expected);
  });

  it("leaves the first Machine alone when only the others would differ", () => {
    const first = machineConfig(wanted(both("n")), "init");
    expect(isConfigOutdated(wanted({ ...both("n"), joinConfiguration: registration("m") }), first)).toBe(false);
  });
});
