import { PlainControlPlane } from "@capstan/testing/plain-control-plane";
import { expect, it } from "vitest";
import { statusPatch } from "./status.ts";

const machineOf = (kubeletVersion: string) => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Machine",
  metadata: { name: "a", namespace: "default" },
  spec: {
    clusterName: "red",
    version: "v1.34.0",
    bootstrap: {},
    infrastructureRef: { apiGroup: "", kind: "", name: "" },
  },
  status: { nodeInfo: { kubeletVersion } },
});

it.each([
  ["of the kubelet", "v1.34.1", "v1.34.1"],
  ["of the Machine while the Node says none", "", "v1.34.0"],
])("counts the version %s", (_, kubelet, version) => {
  const object = { apiVersion: "plain.example/v1", kind: "PlainControlPlane", metadata: { name: "red" } };
  const facts = { object, machines: [machineOf(kubelet)], clusterName: "red", desired: 1, initialized: true };
  expect(statusPatch(PlainControlPlane, "v1beta2", facts as never)).toMatchObject({
    status: { versions: [{ version, replicas: 1 }] },
  });
});
