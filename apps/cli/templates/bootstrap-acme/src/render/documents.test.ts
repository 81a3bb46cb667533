import { describe, expect, it } from "vitest";
import { initDocument, joinDocument, type Setup } from "./documents.ts";

const setup: Setup = {
  clusterName: "oak",
  version: "v1.34.0",
  endpoint: "192.0.2.10:6443",
  token: "0123456789abcdef0123456789abcdef",
  files: [{ path: "/etc/motd", content: "hello\n" }],
  commands: ["swapoff -a"],
};

describe("documents", () => {
  it("the first machine begins the cluster, with the token that the others join by", () => {
    const text = initDocument(setup, new Map());
    expect(text).toMatch(/^## template: jinja\n#cloud-config\n/);
    expect(text).toContain("controlPlaneEndpoint: 192.0.2.10:6443");
    expect(text).toContain("token: 012345.6789abcdef012345");
    expect(text).toContain("swapoff -a");
    expect(text).toContain("kubeadm init --config /run/kubeadm/kubeadm.yaml && echo success");
  });

  it("a worker joins by pinned authorities, and is kept free until it is known", () => {
    const text = joinDocument(setup, ["sha256:abc"]);
    expect(text).toContain("sha256:abc");
    expect(text).toContain("node.cluster.x-k8s.io/uninitialized");
    expect(text).not.toContain("controlPlane:");
  });

  it("a further machine of the control plane gets no such taint", () => {
    const text = joinDocument(setup, ["sha256:abc"], new Map());
    expect(text).toContain("controlPlane:");
    expect(text).not.toContain("uninitialized");
  });
});
