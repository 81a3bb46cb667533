import type { PlannedMachineV1, PlannedResourceV1 } from "@capstan/contract/v1";
import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import { certainFailures, type MachineMaker } from "./certain-failures.ts";
import type { SetupSource } from "./machine-setup.ts";

type Spec = Readonly<Record<string, unknown>>;

const secret = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "script", namespace: "default" },
  stringData: { install: "apt-get install -y kubeadm; swapoff -a" },
} as KubeObject;

const objects: KubeObject[] = [secret];

const source: SetupSource = {
  find: async ({ kind, name }) => {
    const after = objects.find((each) => each.kind === kind && each.metadata.name === name);
    return { before: undefined, after };
  },
};

const server = (name: string): KubeObject => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha2",
  kind: "LinodeMachine",
  metadata: { name },
});

const controlPlane = (kubeadmConfigSpec: Spec): MachineMaker => ({
  owner: {
    apiVersion: "controlplane.cluster.x-k8s.io/v1beta2",
    kind: "KubeadmControlPlane",
    metadata: { name: "cp", namespace: "default" },
    spec: { kubeadmConfigSpec },
  },
  infrastructure: server("cp"),
  cluster: "orchid",
  isControlPlane: true,
});

/** A Machine with a config of any kind. */
const machine = (kind: string, spec: Spec, isControlPlane = false): MachineMaker => {
  const name = `m${objects.length}`;
  const apiVersion = "bootstrap.cluster.x-k8s.io/v1beta2";
  objects.push({ apiVersion, kind, metadata: { name, namespace: "default" }, spec });
  const bootstrap = { configRef: { apiGroup: "bootstrap.cluster.x-k8s.io", kind, name } };
  return {
    owner: {
      apiVersion: "cluster.x-k8s.io/v1beta2",
      kind: "Machine",
      metadata: { name, namespace: "default" },
      spec: { clusterName: "orchid", bootstrap },
    },
    infrastructure: server(name),
    cluster: "orchid",
    isControlPlane,
  };
};

const stock: PlannedMachineV1 = { hasKubernetes: false, hasSwap: true, cpus: 2, memoryMiB: 4096 };
const ready: PlannedMachineV1 = { hasKubernetes: true, cpus: 2, memoryMiB: 4096 };

/** Returns the first words of the failures of makers whose machines are of one kind. */
const said = async (known: PlannedMachineV1, ...makers: readonly MachineMaker[]): Promise<readonly string[]> => {
  const resources = makers.map(
    ({ infrastructure }) => ({ object: infrastructure, machine: known }) as unknown as PlannedResourceV1,
  );
  const words = ["no kubeadm", "has swap", "kubeadm requires at least", "CNI plugin", "cloud controller"];
  return (await certainFailures(makers, resources, source)).map(
    ({ message, object }) => `${object.kind}: ${words.find((each) => message.includes(each)) ?? message}`,
  );
};

const flannel = "kubectl apply -f https://github.com/flannel-io/flannel/releases/download/v0.27.4/kube-flannel.yml";
const withNetwork = { postKubeadmCommands: [flannel] };
const external = (args: unknown) => ({ joinConfiguration: { nodeRegistration: { kubeletExtraArgs: args } } });

describe("what is certain to fail", () => {
  it("is said of a stock image to which nothing adds Kubernetes", async () => {
    expect(await said(stock, controlPlane(withNetwork), machine("KubeadmConfig", {}))).toEqual([
      "KubeadmControlPlane: no kubeadm",
      "KubeadmControlPlane: has swap",
      "Machine: no kubeadm",
      "Machine: has swap",
    ]);
  });

  it.each<[string, Spec]>([
    ["a command", { preKubeadmCommands: ["apt-get install -y kubeadm && swapoff -a"] }],
    ["a file", { files: [{ path: "/i", content: "curl x\nswapoff -a" }], preKubeadmCommands: ["/i"] }],
    [
      "a Secret",
      {
        files: [{ path: "/i", contentFrom: { secret: { name: "script", key: "install" } } }],
        preKubeadmCommands: ["/i"],
      },
    ],
    [
      "a file that another file runs",
      {
        files: [
          { path: "/opt/a/install", content: "dnf install kubeadm\nswapoff -a" },
          { path: "/opt/b/setup", content: "for each in /opt/a/*; do $each; done" },
        ],
        preKubeadmCommands: ["/opt/b/setup"],
      },
    ],
    [
      "a unit of systemd",
      {
        files: [
          { path: "/etc/systemd/system/x.service", content: "ExecStart=/bin/apt-get install kubeadm; swapoff -a" },
        ],
      },
    ],
    ["a Secret that is not there", { files: [{ path: "/i", contentFrom: { secret: { name: "away", key: "x" } } }] }],
    ["an encoded file", { files: [{ path: "/i", content: "H4sIAAA", encoding: "gzip+base64" }] }],
  ])("is not said where %s may do it", async (_, setup) => {
    expect(await said(stock, controlPlane({ ...withNetwork, ...setup }))).toEqual([]);
  });

  it("is said of a stock image whose install script is a file that nothing runs, or runs too late", async () => {
    const files = [{ path: "/usr/local/sbin/install-kubernetes", content: "apt-get install -y kubeadm\nswapoff -a" }];
    const failures = ["KubeadmControlPlane: no kubeadm", "KubeadmControlPlane: has swap"];
    expect(await said(stock, controlPlane({ ...withNetwork, files }))).toEqual(failures);
    const late = { files, postKubeadmCommands: ["/usr/local/sbin/install-kubernetes", `curl -fsSL x | ${flannel}`] };
    expect(await said(stock, controlPlane(late))).toEqual(failures);
  });

  it("is said of a control plane that kubeadm finds too small, and not of a worker or where the check is left out", async () => {
    const small = { ...ready, cpus: 1, memoryMiB: 1024 };
    const lenient = { initConfiguration: { nodeRegistration: { ignorePreflightErrors: ["NumCPU", "Mem"] } } };
    expect(await said(small, controlPlane(withNetwork), machine("KubeadmConfig", {}))).toEqual([
      "KubeadmControlPlane: kubeadm requires at least",
    ]);
    expect(await said(small, controlPlane({ ...withNetwork, ...lenient }))).toEqual([]);
  });

  it("is said of a cluster without a network, unless a command does what cannot be read", async () => {
    expect(await said(ready, controlPlane({}))).toEqual(["KubeadmControlPlane: CNI plugin"]);
    const addon = { files: [{ path: "/addon.yaml", content: "kind: ConfigMap" }] };
    const applied = { ...addon, postKubeadmCommands: ["test -f /x || kubectl apply -f /addon.yaml"] };
    expect(await said(ready, controlPlane(applied))).toEqual(["KubeadmControlPlane: CNI plugin"]);
    expect(await said(ready, controlPlane({ postKubeadmCommands: ["/opt/addons.sh"] }))).toEqual([]);
    expect(await said(ready, controlPlane({ postKubeadmCommands: ["kubectl apply -f https://x.test/y"] }))).toEqual([]);
  });

  it.each([
    ["today's", [{ name: "cloud-provider", value: "external" }]],
    ["the older", { "cloud-provider": "external" }],
  ])("is said of kubelets that wait for a cloud controller which nobody brings, in %s API", async (_, args) => {
    const worker = machine("KubeadmConfig", external(args));
    expect(await said(ready, controlPlane(withNetwork), worker)).toEqual(["KubeadmControlPlane: cloud controller"]);
    const controller = [{ path: "/c.yaml", content: "image: linode-cloud-controller-manager" }];
    expect(await said(ready, controlPlane({ ...withNetwork, files: controller }), worker)).toEqual([]);
  });

  it("is said of k3s that leaves Nodes to a cloud controller, as it does by default", async () => {
    expect(await said(stock, machine("KThreesConfig", {}, true))).toEqual(["Machine: cloud controller"]);
    const own = { serverConfig: { disableCloudController: false } };
    expect(await said(stock, machine("KThreesConfig", own, true))).toEqual([]);
    expect(await said(stock, machine("RKE2Config", {}, true))).toEqual([]);
  });

  it.each([
    ["v9.99.0", "Kubernetes v9.99.0 does not exist; versions start with v1"],
    ["v1.99.0", "v1.99.0 is newer than any Kubernetes that this release of Capstan knows"],
    ["v9.0.0+k3s1", "Kubernetes v9.0.0+k3s1 does not exist"],
    ["v1.36.9", undefined],
    ["v1.35.4+rke2r1", undefined],
  ])("is said of the version %s where there is none such", async (version, words) => {
    const maker = controlPlane(withNetwork);
    const owner = { ...maker.owner, spec: { version } } as KubeObject;
    const failures = await certainFailures([{ ...maker, owner }], [], source);
    expect(failures.map(({ message }) => message)).toEqual(words === undefined ? [] : [expect.stringContaining(words)]);
  });

  it("is not said of a cluster whose control plane is set up by another kind", async () => {
    expect(await said(stock, machine("CompositeConfig", {}, true), machine("KThreesConfig", {}, true))).toEqual([]);
  });
});
