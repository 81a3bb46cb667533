import { readYaml } from "@capstan/kube-values/yaml";
import { expect, it } from "vitest";
import { publishedManifest } from "./published-manifests.ts";

const raw = "https://raw.githubusercontent.com";

interface Published {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: object;
}

const workloads = (url: string): readonly string[] =>
  readYaml(publishedManifest(url) ?? "").flatMap(({ value }) => {
    const { kind, metadata, spec } = value as Published;
    if (spec === undefined) return [];
    const images = [...JSON.stringify(spec).matchAll(/"image":"([^"]+)"/g)].map(([, image]) => image);
    return [`${kind} ${metadata.name} ${images.join(" ")}`];
  });

it.each([
  [
    "https://github.com/flannel-io/flannel/releases/download/v0.26.1/kube-flannel.yml",
    ["DaemonSet kube-flannel-ds ghcr.io/flannel-io/flannel:v0.26.1"],
  ],
  [
    "https://github.com/flannel-io/flannel/releases/latest/download/kube-flannel.yml",
    ["DaemonSet kube-flannel-ds ghcr.io/flannel-io/flannel:v0.27.4"],
  ],
  [
    `${raw}/projectcalico/calico/v3.30.3/manifests/calico.yaml`,
    [
      "DaemonSet calico-node docker.io/calico/node:v3.30.3",
      "Deployment calico-kube-controllers docker.io/calico/kube-controllers:v3.30.3",
    ],
  ],
  [`${raw}/cilium/cilium/v1.9/install/kubernetes/quick-install.yaml`, ["DaemonSet cilium quay.io/cilium/cilium:v1.9"]],
  [
    `${raw}/kubernetes-sigs/cloud-provider-azure/master/examples/out-of-tree/cloud-controller-manager.yaml`,
    ["Deployment cloud-controller-manager mcr.microsoft.com/oss/v2/kubernetes/azure-cloud-controller-manager:v1.34.3"],
  ],
  [
    `${raw}/kubernetes-sigs/cloud-provider-azure/master/examples/out-of-tree/cloud-node-manager.yaml`,
    ["DaemonSet cloud-node-manager mcr.microsoft.com/oss/v2/kubernetes/azure-cloud-node-manager:v1.34.3"],
  ],
  ["https://kube-vip.io/manifests/rbac.yaml", []],
  [
    `${raw}/kube-vip/kube-vip-cloud-provider/main/manifest/kube-vip-cloud-controller.yaml`,
    ["Deployment kube-vip-cloud-provider ghcr.io/kube-vip/kube-vip-cloud-provider:v0.0.12"],
  ],
])("has a stand-in for %s", (url, expected) => {
  expect(publishedManifest(url)).toBeDefined();
  expect(workloads(url)).toEqual(expected);
});

it.each([
  "https://github.com/flannel-io/flannel/releases/download/v0.26.1/flannel.yml",
  "http://github.com/flannel-io/flannel/releases/latest/download/kube-flannel.yml",
  `${raw}/projectcalico/calico/a/b/manifests/calico.yaml`,
  "https://example.com/calico.yaml",
])("has none for %s", (url) => {
  expect(publishedManifest(url)).toBeUndefined();
});
