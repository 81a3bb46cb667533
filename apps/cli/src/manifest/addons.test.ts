import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { isAddon, leftOutWords } from "./addons.ts";

const object = (kind: string, name: string, fields: object = {}): KubeObject => ({
  apiVersion: /Set|Proxy/.test(kind) ? "addons.cluster.x-k8s.io/v1beta2" : "v1",
  kind,
  metadata: { name },
  ...fields,
});

const clusterSelector = { matchLabels: { cni: "orchid" } };

const cluster = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { name: "orchid", labels: { cni: "orchid" } },
} as unknown as KubeObject;

const chart = (name: string, chartName: string): KubeObject =>
  object("HelmChartProxy", name, { spec: { chartName, clusterSelector } });

const said = (...objects: readonly KubeObject[]): readonly string[] => {
  const all = objects.map((each) => ({ object: each, source: "a.yaml:1" }));
  const words = leftOutWords(
    all.filter((each) => isAddon(each.object)),
    all,
  );
  return (words ?? "").split("\n  ");
};

const bytes = (text: string): string => Buffer.from(text).toString("base64");

describe("words on add-ons that nothing serves", () => {
  it("are none where there are none", () => {
    expect(said(cluster, object("ConfigMap", "a"))).toEqual([""]);
  });

  it("name each once by its kind, and what the Clusters that they select lack", () => {
    expect(
      said(cluster, chart("net", "cilium"), chart("ccm", "ccm-linode"), object("ClusterResourceSet", "crs")),
    ).toEqual([
      "skipped, because nothing serves these kinds here: HelmChartProxy net, ccm; ClusterResourceSet crs",
      "no network plugin for Cluster orchid: Nodes stay NotReady unless bootstrap data installs one",
      "no cloud controller for Cluster orchid: Nodes of kubelets with cloud-provider external stay tainted and get no provider ID",
      expect.stringContaining("helm or kubectl"),
    ]);
  });

  it.each<[string, KubeObject]>([
    ["ConfigMap", object("ConfigMap", "net", { data: { "a.yaml": "kind: DaemonSet\nname: calico-node\n" } })],
    ["Secret", object("Secret", "net", { data: { "a.yaml": bytes("kind: DaemonSet\nname: calico-node\n") } })],
    ["Secret", object("Secret", "net", { stringData: { "a.yaml": "kind: DaemonSet\nname: calico-node\n" } })],
  ])("look into the %s that is to be applied", (kind, held) => {
    const crs = object("ClusterResourceSet", "crs", { spec: { clusterSelector, resources: [{ kind, name: "net" }] } });
    expect(said(cluster, crs, held)[1]).toContain("no network plugin for Cluster orchid");
  });

  it("do not take a policy for a network plugin", () => {
    const held = object("ConfigMap", "p", { data: { "a.yaml": "kind: CiliumNetworkPolicy\n" } });
    const crs = object("ClusterResourceSet", "crs", { spec: { resources: [{ kind: "ConfigMap", name: "p" }] } });
    expect(said(cluster, crs, held)).toHaveLength(2);
  });
});
