import { describe, expect, it } from "vitest";
import { clusterConfiguration, initConfiguration, joinConfiguration } from "./kubeadm-documents.ts";
import { kubeadmApiFor } from "./kubeadm-version.ts";

const facts = { clusterName: "c", kubernetesVersion: "v1.30.0" };

describe("kubeadmApiFor", () => {
  it.each([
    ["v1.22.0", "v1beta3"],
    ["1.30.5", "v1beta3"],
    ["v1.31.0-alpha.1", "v1beta4"],
    ["v1.36.2+build", "v1beta4"],
    ["v2.0.0", "v1beta4"],
  ])("%s is written as %s", (version, api) => expect(kubeadmApiFor(version)).toBe(api));

  it.each([
    ["v1.21.9", "kubeadm.version_unsupported"],
    ["", "kubeadm.version_invalid"],
    ["latest", "kubeadm.version_invalid"],
    [undefined, "kubeadm.version_invalid"],
  ])("%s is refused with %s", (version, code) =>
    expect(() => kubeadmApiFor(version)).toThrow(expect.objectContaining({ code })),
  );
});

describe("kubeadm documents", () => {
  it("have the parts kubeadm always prints, empty if need be", () => {
    expect(clusterConfiguration({}, facts, { api: "v1beta4" })).toEqual({
      apiVersion: "kubeadm.k8s.io/v1beta4",
      kind: "ClusterConfiguration",
      clusterName: "c",
      kubernetesVersion: "v1.30.0",
      networking: {},
      apiServer: {},
      controllerManager: {},
      scheduler: {},
      dns: {},
      etcd: {},
      proxy: {},
    });
    expect(initConfiguration({}, "v1beta4")).toEqual({
      apiVersion: "kubeadm.k8s.io/v1beta4",
      kind: "InitConfiguration",
      localAPIEndpoint: {},
      nodeRegistration: { taints: null },
    });
    expect(joinConfiguration({ controlPlane: {}, nodeRegistration: { taints: [] } }, "v1beta4")).toEqual({
      apiVersion: "kubeadm.k8s.io/v1beta4",
      kind: "JoinConfiguration",
      controlPlane: { localAPIEndpoint: {} },
      discovery: {},
      nodeRegistration: { taints: [] },
    });
  });

  it("carry arguments as a map before v1beta4 and as a list since", () => {
    const configuration = {
      apiServer: { extraArgs: [{ name: "v", value: "4" }], extraEnvs: [{ name: "A", value: "b" }], certSANs: ["x"] },
      etcd: { local: { extraArgs: [{ name: "quota", value: "" }] } },
    };
    expect(
      clusterConfiguration(configuration, facts, { api: "v1beta3", controlPlaneTimeoutSeconds: 240 }),
    ).toMatchObject({
      apiServer: { extraArgs: { v: "4" }, certSANs: ["x"], timeoutForControlPlane: "4m0s" },
      etcd: { local: { dataDir: "", extraArgs: { quota: "" } } },
    });
    const newer = clusterConfiguration(configuration, facts, { api: "v1beta4", controlPlaneTimeoutSeconds: 240 });
    expect(newer["apiServer"]).toEqual(configuration.apiServer);
  });

  it("write days as hours and seconds as Go durations, and drop in v1beta3 what it does not know", () => {
    const cluster = {
      certificateValidityPeriodDays: 365,
      caCertificateValidityPeriodDays: 3650,
      encryptionAlgorithm: "ECDSA-P256",
    } as const;
    expect(clusterConfiguration(cluster, facts, { api: "v1beta4" })).toMatchObject({
      certificateValidityPeriod: "8760h0m0s",
      caCertificateValidityPeriod: "87600h0m0s",
      encryptionAlgorithm: "ECDSA-P256",
    });
    expect(clusterConfiguration(cluster, facts, { api: "v1beta3" })).not.toHaveProperty("encryptionAlgorithm");
    const timeouts = { discoverySeconds: 30, tlsBootstrapSeconds: 300 };
    const join = { timeouts, discovery: { bootstrapToken: { token: "a" } } };
    expect(joinConfiguration(join, "v1beta4")).toMatchObject({ timeouts: { discovery: "30s", tlsBootstrap: "5m0s" } });
    expect(joinConfiguration(join, "v1beta3")).toMatchObject({ discovery: { timeout: "5m0s" } });
    expect(joinConfiguration(join, "v1beta3")).not.toHaveProperty("timeouts");
  });

  it("never carry the kubeconfig of file discovery", () => {
    const file = { kubeConfigPath: "/x", kubeConfig: { user: {} } };
    expect(joinConfiguration({ discovery: { file } }, "v1beta4")["discovery"]).toEqual({
      file: { kubeConfigPath: "/x" },
    });
  });
});
