import { caCertHashes, createCertificateAuthority } from "@capstan/pki";
import type { Client } from "@capstan/kube";
import { resource, type KubeObject, type Resource } from "@capstan/schema";
import { freePort, recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGuestHost } from "../src/index.ts";
import { address, administrator, authorityFiles, initData, joinData, putToken } from "./machines.ts";

const core = (kind: string, plural: string, namespaced = true): Resource =>
  resource({ group: "", version: "v1", kind, plural, namespaced });

const Node = core("Node", "nodes", false);
const Pod = core("Pod", "pods");
const Event = core("Event", "events");
const DaemonSet = resource({ group: "apps", version: "v1", kind: "DaemonSet", plural: "daemonsets" });

interface Looked extends KubeObject {
  readonly spec: { readonly taints?: readonly { readonly key: string; readonly effect: string }[] };
  readonly status?: {
    readonly phase?: string;
    readonly addresses?: readonly { readonly type: string }[];
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
    readonly containerStatuses?: readonly { readonly state: object }[];
  };
}

const namespace = "default";
const image = "cluster-api-ubuntu-2204-v1.34.2";
const hardware = { cpus: 2, memoryMiB: 4096 };
const clock = recentClock();
const host = createGuestHost({ clock, random: seededRandom(5), lenient: false });
const configuration = JSON.stringify({ name: "bridge", cniVersion: "1.0.0", plugins: [{ type: "bridge" }] });
let client: Client;
let close: () => Promise<void>;
let join: (afterwards?: string, taints?: readonly object[]) => string;

const boot = async (id: string, userData: string): Promise<void> => {
  const metadata = { "local-hostname": id };
  let over = false;
  void host
    .boot({ id, name: id, metadata, userData, address, providerID: `example://${id}`, image, hardware })
    .then(() => (over = true));
  await clock.advanceUntil(() => over, { stepMs: 100 });
};

const until = (condition: () => Promise<boolean>): Promise<void> => clock.advanceUntil(condition, { stepMs: 250 });

const look = (kind: Resource, name: string): Promise<Looked | undefined> =>
  client.find(kind as Resource<Looked>, kind.namespaced ? { namespace, name } : { name });

const readyOf = async (kind: Resource, name: string) =>
  (await look(kind, name))?.status?.conditions?.find(({ type }) => type === "Ready");

const isReady = async (kind: Resource, name: string): Promise<boolean> =>
  (await readyOf(kind, name))?.status === "True";

const createPod = (name: string, nodeName: string, spec: object = {}): Promise<KubeObject> =>
  client.create(Pod, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace, name },
    spec: { nodeName, containers: [{ name: "app", image: "app:1" }], ...spec },
  });

/** A network plugin as its authors publish it, in short. */
const createPlugin = (name: string, tolerations: readonly object[]): Promise<KubeObject> => {
  const labels = { app: name };
  const containers = [
    { name: "plugin", image: "plugin:1", volumeMounts: [{ name: "cni", mountPath: "/etc/cni/net.d" }] },
  ];
  const volumes = [{ name: "cni", hostPath: { path: "/etc/cni/net.d" } }];
  return client.create(DaemonSet, {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { namespace, name },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { hostNetwork: true, tolerations, containers, volumes } },
    },
  });
};

beforeAll(async () => {
  const authority = await createCertificateAuthority({ now: clock.now() });
  const port = await freePort();
  const endpoint = `${address}:${port}`;
  await boot("control", initData(authorityFiles(authority), { port, version: "v1.34.2" }));
  ({ client, close } = await administrator(authority, endpoint, clock));
  const token = "abcdef.0123456789abcdef";
  await putToken(client, token, clock.now() + 24 * 3_600_000);
  const [hash = ""] = caCertHashes(authority.certificate);
  join = (afterwards, taints) =>
    joinData({
      endpoint,
      token,
      hash,
      ...(afterwards !== undefined && { afterwards }),
      ...(taints !== undefined && { taints }),
    });
  await boot("worker", join());
  await until(async () => (await readyOf(Node, "worker")) !== undefined);
}, 30_000);

afterAll(async () => {
  await close();
  await host.stop();
});

describe("a machine that kubeadm has started", () => {
  it("has the settings of its kubelet, those of the cluster", () => {
    for (const id of ["control", "worker"]) {
      const disk = host.disk(id);
      expect(disk?.text("/var/lib/kubelet/instance-config.yaml")).toMatch(
        /^containerRuntimeEndpoint: "unix:\/\/.+"\n$/,
      );
      expect(disk?.text("/var/lib/kubelet/config.yaml")).toBe(
        host.disk("control")?.text("/var/lib/kubelet/config.yaml"),
      );
    }
  });

  it("shows objects as names and as JSON, and no other way", async () => {
    const get = (form: string) =>
      host.run("control", `kubectl --kubeconfig /etc/kubernetes/admin.conf get nodes ${form}`);
    expect(await get("-o name")).toEqual({ exitCode: 0, stdout: "node/control\nnode/worker\n", stderr: "" });
    const list: unknown = JSON.parse((await get("-o json"))?.stdout ?? "");
    expect(list).toMatchObject({ kind: "List", items: [{ metadata: { name: "control" } }, expect.anything()] });
    const one: unknown = JSON.parse((await get("worker -o json"))?.stdout ?? "");
    expect(one).toMatchObject({ kind: "Node", metadata: { name: "worker" } });
    expect(await get("-o jsonpath={.items[*].kind}")).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "error: the model has no kubectl get -o jsonpath={.items[*].kind}; it has json and name\n",
    });
  });
});

describe("a machine without a network plugin", () => {
  it("has a Node that is not ready, in the kubelet's words, and takes no Pods", async () => {
    await until(async () => (await look(Node, "worker"))?.spec.taints?.length === 3);
    expect(await readyOf(Node, "worker")).toMatchObject({
      status: "False",
      reason: "KubeletNotReady",
      message:
        "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady " +
        "message:Network plugin returns error: cni plugin not initialized",
    });
    expect((await look(Node, "worker"))?.spec.taints).toMatchObject([
      { key: "node.cloudprovider.kubernetes.io/uninitialized", effect: "NoSchedule" },
      { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" },
      { key: "node.kubernetes.io/not-ready", effect: "NoExecute" },
    ]);
  });

  it("shows no address while its kubelet waits for a cloud controller", async () => {
    expect((await look(Node, "worker"))?.status?.addresses).toEqual([{ type: "Hostname", address: "worker" }]);
    expect((await look(Node, "control"))?.status?.addresses).toMatchObject([
      { type: "InternalIP" },
      { type: "Hostname" },
    ]);
  });

  it("runs Pods of its own network alone; others say that they wait for the network", async () => {
    await createPod("of-host", "worker", { hostNetwork: true });
    await createPod("of-cluster", "worker");
    await until(() => isReady(Pod, "of-host"));
    await until(async () => (await look(Pod, "of-cluster"))?.status?.containerStatuses !== undefined);
    expect((await look(Pod, "of-cluster"))?.status).toMatchObject({
      phase: "Pending",
      containerStatuses: [{ ready: false, state: { waiting: { reason: "ContainerCreating" } } }],
    });
    await until(async () => {
      const { items } = await client.list(Event, { namespace });
      return items.some((event) => event["reason"] === "NetworkNotReady");
    });
  });
});

describe("a network plugin", () => {
  it("of a DaemonSet gets nowhere when it does not tolerate what Nodes without a network have", async () => {
    await createPlugin("timid", []);
    await until(async () => (await look(DaemonSet, "timid"))?.status !== undefined);
    expect((await look(DaemonSet, "timid"))?.status).toMatchObject({ desiredNumberScheduled: 0 });
    await client.delete(DaemonSet, { namespace, name: "timid" });
  });

  it("of a DaemonSet writes the configuration of the machines it runs on: their Nodes are ready, and Pods run", async () => {
    await createPlugin("flannel", [{ operator: "Exists" }]);
    for (const node of ["control", "worker"]) await until(() => isReady(Node, node));
    await until(() => isReady(Pod, "of-cluster"));
    expect(host.disk("worker")?.paths()).toContain("/etc/cni/net.d/10-flannel.conflist");
    expect((await look(Node, "worker"))?.spec.taints).toMatchObject([
      { key: "node.cloudprovider.kubernetes.io/uninitialized" },
    ]);
  });

  it("stays where it was when its DaemonSet is gone, until its configuration is removed", async () => {
    await client.delete(DaemonSet, { namespace, name: "flannel" });
    host.disk("control")?.remove("/etc/cni/net.d/10-flannel.conflist");
    await until(async () => (await readyOf(Node, "control"))?.status === "False");
    expect(await isReady(Node, "worker")).toBe(true);
    expect(await isReady(Pod, "of-cluster")).toBe(true);
  });

  it.each([
    ["is there as soon as a script has written one", "10-bridge.conflist", configuration, true],
    ["is not there when the first file is cut", "10-bridge.conflist", configuration.slice(0, 40), false],
    ["is not there without plugins", "10-bridge.conflist", JSON.stringify({ name: "bridge", plugins: [] }), false],
    ["is a file of the older form too", "10-bridge.conf", JSON.stringify({ type: "bridge" }), true],
    ["is not a file of another name", "bridge.txt", configuration, false],
  ])("%s", async (_case, file, text, ready) => {
    const name = `scripted-${file.replaceAll(/\W/g, "-")}-${text.length}`;
    await boot(name, join());
    await until(async () => (await readyOf(Node, name)) !== undefined);
    expect(await isReady(Node, name)).toBe(false);
    host.disk(name)?.write(`/etc/cni/net.d/${file}`, text);
    if (ready) await until(() => isReady(Node, name));
    await clock.advance(5000);
    expect(await isReady(Node, name)).toBe(ready);
  });
});

describe("a machine that joined with taints", () => {
  it("starts its kubelet with them, and keeps nothing of it after a reset", async () => {
    await boot("tainted", join(undefined, [{ key: "example/new", effect: "NoSchedule" }]));
    const flags = (id: string) => host.disk(id)?.text("/var/lib/kubelet/kubeadm-flags.env");
    expect(flags("control")).toBe('KUBELET_KUBEADM_ARGS=""\n');
    expect(flags("tainted")).toBe(
      'KUBELET_KUBEADM_ARGS="--register-with-taints=example/new:NoSchedule --cloud-provider=external"\n',
    );
    let over = false;
    void host.run("tainted", "kubeadm reset --force").then(() => (over = true));
    await clock.advanceUntil(() => over, { stepMs: 100 });
    const paths = host.disk("tainted")?.paths() ?? [];
    expect(paths.filter((path) => path.startsWith("/var/lib/kubelet/"))).toEqual([]);
  });
});
