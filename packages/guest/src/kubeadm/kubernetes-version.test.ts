import { expect, it } from "vitest";
import { installedVersion, knownVersion } from "./kubernetes-version.ts";

it.each(["v1.34.0", "1.34.0", "v1.22.17", "v1.36.2", "v1.31.1+k3s1", "v1.34.0-rc.1"])("knows %s", (version) => {
  expect(knownVersion(version)).toBe(`v${version.replace(/^v/, "")}`);
});

it.each(["", "v1.34", "latest", "v1.99.0", "v2.0.0", "v1.9.3", "1.x.0"])("does not know %j", (version) => {
  expect(() => knownVersion(version)).toThrow(
    `Kubernetes version ${JSON.stringify(version)} is not known here; there are v1.22.0 to v1.36.x`,
  );
});

it.each([
  ["runcmd: [apt-get install -y kubelet=1.31.4-1.1 kubeadm=1.31.4-1.1]", "1.31.4"],
  ["yum install -y kubelet-1.30.2", "1.30.2"],
  ["curl -L https://dl.k8s.io/release/v1.33.1/bin/linux/amd64/kubelet", "1.33.1"],
  ["curl -L https://dl.k8s.io/v1.33.1/kubernetes-server-linux-amd64.tar.gz", "1.33.1"],
  ['export KUBERNETES_VERSION="v1.32.0"', "1.32.0"],
  ["kubeadm join --config /run/kubeadm/join.yaml", undefined],
])("reads %s", (document, version) => {
  expect(installedVersion(["#cloud-config", document])).toBe(version);
});
