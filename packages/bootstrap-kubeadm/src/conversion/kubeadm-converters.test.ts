import { Group } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { convertKubeadmConfig } from "./kubeadm-converters.ts";

const convert = (to: string, spec: object) => {
  const version = to === "v1beta2" ? "v1beta1" : "v1beta2";
  const object: KubeObject = {
    apiVersion: `${Group.bootstrap}/${version}`,
    kind: "KubeadmConfig",
    metadata: { name: "one" },
    spec,
  };
  return convertKubeadmConfig(object, `${Group.bootstrap}/${to}`, (group) => `${group}/v1`)["spec"];
};

it("gives the timeout of the control plane to init and join", () => {
  const clusterConfiguration = {
    clusterName: "x",
    networking: {},
    apiServer: { timeoutForControlPlane: "5m", extraArgs: {} },
  };
  const timeouts = { controlPlaneComponentHealthCheckSeconds: 300 };
  expect(convert("v1beta2", { clusterConfiguration, joinConfiguration: { discovery: { timeout: "1m0.7s" } } })).toEqual(
    {
      initConfiguration: { timeouts },
      joinConfiguration: { timeouts: { ...timeouts, tlsBootstrapSeconds: 60 } },
    },
  );
});

it("sorts arguments by name, and takes the last of duplicates on the way back", () => {
  const nodeRegistration = (kubeletExtraArgs: unknown) => ({
    joinConfiguration: { nodeRegistration: { kubeletExtraArgs } },
  });
  const sorted = [
    { name: "a", value: "1" },
    { name: "b", value: "" },
  ];
  expect(convert("v1beta2", nodeRegistration({ b: "", a: "1" }))).toEqual(nodeRegistration(sorted));
  expect(convert("v1beta1", nodeRegistration([...sorted, { name: "a", value: "2" }]))).toMatchObject(
    nodeRegistration({ a: "2", b: "" }),
  );
});

it("writes the older version as programs in Go do, and reads it as they mean it", () => {
  const newer = {
    clusterConfiguration: { imageRepository: "registry.example" },
    initConfiguration: { nodeRegistration: { name: "a" } },
    joinConfiguration: { controlPlane: {}, nodeRegistration: { taints: [] } },
    files: [{ path: "/a", append: false }],
    users: [{ name: "ops", sshAuthorizedKeys: [], lockPassword: false }],
    ntp: { enabled: false, servers: [] },
  };
  const older = convert("v1beta1", newer);
  expect(older).toEqual({
    clusterConfiguration: {
      imageRepository: "registry.example",
      etcd: {},
      networking: {},
      apiServer: {},
      controllerManager: {},
      scheduler: {},
      dns: {},
    },
    initConfiguration: { nodeRegistration: { name: "a" }, localAPIEndpoint: {} },
    joinConfiguration: { controlPlane: { localAPIEndpoint: {} }, discovery: {}, nodeRegistration: { taints: [] } },
    files: [{ path: "/a" }],
    users: [{ name: "ops", lockPassword: false }],
    ntp: { enabled: false },
  });
  expect(convert("v1beta2", older as object)).toEqual({
    clusterConfiguration: newer.clusterConfiguration,
    initConfiguration: newer.initConfiguration,
    joinConfiguration: newer.joinConfiguration,
    files: [{ path: "/a" }],
    users: [{ name: "ops", lockPassword: false }],
    ntp: { enabled: false },
  });
});

it("leaves out what was empty or false, but not the empty list of taints", () => {
  const spec = {
    format: "",
    verbosity: 0,
    useExperimentalRetryJoin: true,
    initConfiguration: { nodeRegistration: { taints: [] } },
  };
  const files = [{ path: "/a", append: false, owner: "" }];
  expect(convert("v1beta2", { ...spec, clusterConfiguration: {}, files })).toEqual({
    verbosity: 0,
    initConfiguration: { nodeRegistration: { taints: [] } },
    files: [{ path: "/a" }],
  });
});

it("has either a layout or partitions", () => {
  const partition = (more: object) => ({ diskSetup: { partitions: [{ device: "/dev/sdb", ...more }] } });
  const diskLayout = [{ percentage: 50 }];
  expect(convert("v1beta2", partition({ layout: false, diskLayout }))).toEqual(partition({ diskLayout }));
  expect(convert("v1beta2", partition({ layout: false }))).toEqual(partition({ layout: false }));
  expect(convert("v1beta1", partition({ diskLayout }))).toEqual(partition({ layout: false, diskLayout }));
});
