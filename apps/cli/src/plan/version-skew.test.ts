import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { withoutChecks } from "../manifest/held-workers.ts";
import { heldWorkers } from "./version-skew.ts";
import type { World } from "./world.ts";

const namespace = "default";
const core = "cluster.x-k8s.io/v1beta2";

const cluster = (controlPlaneRef?: object): KubeObject => ({
  apiVersion: core,
  kind: "Cluster",
  metadata: { namespace, name: "orchid" },
  spec: { controlPlaneRef },
});

const machine = (name: string, version: string, labels: Record<string, string>): KubeObject => ({
  apiVersion: core,
  kind: "Machine",
  metadata: { namespace, name, labels: { "cluster.x-k8s.io/cluster-name": "orchid", ...labels } },
  spec: { clusterName: "orchid", version },
});

const leader = (name: string, version: string): KubeObject =>
  machine(name, version, { "cluster.x-k8s.io/control-plane": "" });
const worker = (name: string, version: string): KubeObject =>
  machine(name, version, { "cluster.x-k8s.io/deployment-name": "md" });

const workers = (
  version: string,
  { skip, replicas = 1 }: { readonly skip?: string; readonly replicas?: number } = {},
) =>
  ({
    apiVersion: core,
    kind: "MachineDeployment",
    metadata: {
      namespace,
      name: "md",
      annotations: skip === undefined ? {} : { "machineset.cluster.x-k8s.io/skip-preflight-checks": skip },
    },
    spec: {
      clusterName: "orchid",
      replicas,
      template: {
        spec: {
          version,
          bootstrap: {
            configRef: { apiGroup: "bootstrap.cluster.x-k8s.io", kind: "KubeadmConfigTemplate", name: "workers" },
          },
        },
      },
    },
  }) as unknown as KubeObject;

const controlPlane = {
  apiVersion: "controlplane.cluster.x-k8s.io/v1beta2",
  kind: "KubeadmControlPlane",
  metadata: { namespace, name: "cp" },
  spec: { version: "v1.34.1" },
} as KubeObject;
const controlPlaneRef = { apiGroup: "controlplane.cluster.x-k8s.io", kind: "KubeadmControlPlane", name: "cp" };

const worldOf = (...objects: readonly KubeObject[]): World => ({
  find: async ({ kind, name }) => {
    const after = objects.find((each) => each.kind === kind && each.metadata.name === name);
    return { before: after, after };
  },
  list: async ({ kind }) => objects.filter((each) => each.kind === kind).map((after) => ({ before: undefined, after })),
});

it.each<[string, KubeObject, readonly KubeObject[], readonly string[]]>([
  ["of the version of single Machines", workers("v1.34.0"), [cluster(), leader("cp-0", "v1.34.1")], []],
  [
    "newer than single Machines",
    workers("v1.35.0"),
    [cluster(), leader("cp-0", "v1.34.1")],
    ["KubernetesVersionSkew", "KubeadmVersionSkew"],
  ],
  [
    "newer than one of them",
    workers("v1.35.0"),
    [cluster(), leader("cp-0", "v1.35.0"), leader("cp-1", "v1.34.1")],
    ["KubernetesVersionSkew", "KubeadmVersionSkew"],
  ],
  ["older, and joined by kubeadm", workers("v1.33.0"), [cluster(), leader("cp-0", "v1.34.1")], ["KubeadmVersionSkew"]],
  ["newer, before there is a control plane", workers("v1.35.0"), [cluster()], []],
  [
    "newer than a control plane object",
    workers("v1.35.0"),
    [cluster(controlPlaneRef), controlPlane],
    ["KubernetesVersionSkew", "KubeadmVersionSkew"],
  ],
  ["newer, and allowed", workers("v1.35.0", { skip: "All" }), [cluster(), leader("cp-0", "v1.34.1")], []],
  [
    "newer, and there already",
    workers("v1.35.0"),
    [cluster(), leader("cp-0", "v1.34.1"), worker("md-1", "v1.35.0")],
    [],
  ],
  [
    "newer, and not all there",
    workers("v1.35.0", { replicas: 2 }),
    [cluster(), leader("cp-0", "v1.34.1"), worker("md-1", "v1.35.0"), worker("md-2", "v1.34.1")],
    ["KubernetesVersionSkew", "KubeadmVersionSkew"],
  ],
])("finds workers %s", async (_, object, others, expected) => {
  const held = await heldWorkers([object], worldOf(...others, object));
  expect(held.flatMap(({ checks }) => checks)).toEqual(expected);
});

it("says what to do", async () => {
  const [held] = await heldWorkers([workers("v1.35.0")], worldOf(cluster(), leader("cp-0", "v1.34.1")));
  expect(held?.message).toMatch(
    /^spec\.template\.spec\.version: no Machine is created: MachineSet version \(1\.35\.0\) and ControlPlane version \(1\.34\.1, of Machine cp-0\) .*; upgrade the control plane first, or set the annotation machineset\.cluster\.x-k8s\.io\/skip-preflight-checks to KubernetesVersionSkew,KubeadmVersionSkew, as capstan up --force does$/,
  );
});

it("adds the checks to those that are skipped already, and then holds nothing", async () => {
  const object = workers("v1.35.0", { skip: "ControlPlaneIsStable, KubeadmVersionSkew" });
  const item = { object, source: "cluster.yaml:1" };
  const checks = ["KubernetesVersionSkew", "KubeadmVersionSkew"];
  const { object: allowed } = withoutChecks({ item, checks });
  expect(allowed.metadata.annotations).toEqual({
    "machineset.cluster.x-k8s.io/skip-preflight-checks":
      "ControlPlaneIsStable,KubeadmVersionSkew,KubernetesVersionSkew",
  });
  expect(await heldWorkers([allowed], worldOf(cluster(), leader("cp-0", "v1.34.1")))).toEqual([]);
});
