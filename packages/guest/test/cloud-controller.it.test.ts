import { caCertHashes, createCertificateAuthority } from "@capstan/pki";
import type { BalancedServiceV1, CloudInstanceV1, GuestCloudV1 } from "@capstan/contract/v1";
import type { Client } from "@capstan/kube";
import { resource, type KubeObject, type Resource } from "@capstan/schema";
import { freePort, recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGuestHost } from "../src/index.ts";
import { address, administrator, authorityFiles, initData, joinData, putToken, SecretResource } from "./machines.ts";

const core = (kind: string, plural: string, namespaced = true): Resource<Looked> =>
  resource<Looked>({ group: "", version: "v1", kind, plural, namespaced });

interface Looked extends KubeObject {
  readonly spec?: {
    readonly providerID?: string;
    readonly taints?: readonly { readonly key: string }[];
    readonly ports?: readonly { readonly name: string; readonly port: number; readonly nodePort?: number }[];
    readonly type?: string;
    readonly selector?: object;
  };
  readonly status?: {
    readonly phase?: string;
    readonly addresses?: readonly object[];
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly {
      readonly restartCount: number;
      readonly state: { readonly waiting?: { readonly reason: string; readonly message: string } };
      readonly lastState?: { readonly terminated?: { readonly message: string } };
    }[];
    readonly loadBalancer?: object;
  };
}

const Node = core("Node", "nodes", false);
const Pod = core("Pod", "pods");
const Service = core("Service", "services");
const Event = core("Event", "events");

const namespace = "kube-system";
const uninitialized = "node.cloudprovider.kubernetes.io/uninitialized";
const clock = recentClock();
const host = createGuestHost({ clock, random: seededRandom(6), lenient: false });
const instances = new Map<string, CloudInstanceV1>();
const balancers = new Map<string, BalancedServiceV1>();
let refused: string | undefined;

const cloud: GuestCloudV1 = {
  name: "example",
  controller: ({ command }) =>
    command.includes("--cloud-provider=example") ? ["nodes", "lifecycle", "services"] : undefined,
  refusal: ({ environment, file }) =>
    environment["TOKEN"] !== "right"
      ? "the token is wrong"
      : file("/etc/kubernetes/kubelet.conf") === undefined
        ? "no such file"
        : undefined,
  instance: ({ name, providerID = `example://${name}` }) => instances.get(providerID),
  balance: async (service) => {
    if (refused !== undefined) throw new Error(refused);
    balancers.set(service.uid, service);
    return [{ ip: "192.0.2.1" }];
  },
  unbalance: async ({ uid }) => void balancers.delete(uid),
};

const instance = (name: string, isOff = false): CloudInstanceV1 => ({
  providerID: `example://${name}`,
  type: "large",
  region: "north",
  zone: "north-1",
  isOff,
  addresses: [
    { type: "Hostname", address: name },
    { type: "InternalIP", address: "10.0.0.7" },
  ],
});

let client: Client;
let close: () => Promise<void>;

const boot = async (id: string, userData: string): Promise<void> => {
  const request = {
    id,
    name: id,
    metadata: { "local-hostname": id },
    userData,
    address,
    providerID: `example://${id}`,
    image: "cluster-api-ubuntu-2204-v1.34.2",
    hardware: { cpus: 2, memoryMiB: 4096 },
  };
  let over = false;
  void host.boot(request).then(() => (over = true));
  await clock.advanceUntil(() => over, { stepMs: 100 });
};

const until = (condition: () => Promise<boolean>): Promise<void> => clock.advanceUntil(condition, { stepMs: 250 });

const nodeOf = (name: string): Promise<Looked | undefined> => client.find(Node, { name });

const isTainted = async (name: string): Promise<boolean> =>
  (await nodeOf(name))?.spec?.taints?.some(({ key }) => key === uninitialized) === true;

const controllerPod = async (): Promise<Looked | undefined> =>
  (await client.list(Pod, { namespace, labelSelector: "app=controller" })).items[0];

const waiting = async () => (await controllerPod())?.status?.containerStatuses?.[0]?.state.waiting;

const reasons = async (name: string): Promise<readonly unknown[]> =>
  (await client.list(Event, { namespace: "default" })).items
    .filter((event) => (event["involvedObject"] as { readonly name?: string }).name === name)
    .map((event) => event["reason"]);

const install = (): Promise<KubeObject> => {
  const labels = { app: "controller" };
  const valueFrom = { secretKeyRef: { name: "cloud", key: "token" } };
  return client.create(resource({ group: "apps", version: "v1", kind: "DaemonSet", plural: "daemonsets" }), {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { namespace, name: "controller" },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          hostNetwork: true,
          nodeSelector: { "node-role.kubernetes.io/control-plane": "" },
          tolerations: [{ operator: "Exists" }],
          containers: [
            {
              name: "controller",
              image: "controller:1",
              args: ["--cloud-provider=example", "--cluster-name=prod"],
              env: [{ name: "TOKEN", valueFrom }],
              volumeMounts: [{ name: "kubernetes", mountPath: "/etc/kubernetes", readOnly: true }],
            },
          ],
          volumes: [{ name: "kubernetes", hostPath: { path: "/etc/kubernetes" } }],
        },
      },
    },
  });
};

beforeAll(async () => {
  host.connect(cloud);
  const authority = await createCertificateAuthority({ now: clock.now() });
  const port = await freePort();
  const endpoint = `${address}:${port}`;
  await boot("control", initData(authorityFiles(authority), { port, version: "v1.34.2" }));
  ({ client, close } = await administrator(authority, endpoint, clock));
  const token = "abcdef.0123456789abcdef";
  await putToken(client, token, clock.now() + 24 * 3_600_000);
  const [hash = ""] = caCertHashes(authority.certificate);
  for (const name of ["worker", "stranger"]) await boot(name, joinData({ endpoint, token, hash }));
  for (const name of ["control", "worker"]) instances.set(`example://${name}`, instance(name));
  for (const name of ["control", "worker", "stranger"]) {
    host.disk(name)?.write("/etc/cni/net.d/10-bridge.conf", JSON.stringify({ type: "bridge" }));
  }
}, 30_000);

afterAll(async () => {
  await close();
  await host.stop();
});

describe("the controller of a cloud", () => {
  it("does nothing as long as it is not installed: Nodes stay uninitialized", async () => {
    await clock.advance(60_000);
    expect(await isTainted("worker")).toBe(true);
    expect((await nodeOf("worker"))?.spec?.providerID).toBeUndefined();
  });

  it("is not started without the Secret that its Pod names, and says which", async () => {
    await install();
    await until(async () => (await waiting()) !== undefined);
    expect(await waiting()).toEqual({ reason: "CreateContainerConfigError", message: 'secret "cloud" not found' });
    await client.create(SecretResource, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace, name: "cloud" },
      stringData: { other: "x" },
    });
    await until(async () => (await waiting())?.message === `couldn't find key token in Secret ${namespace}/cloud`);
  });

  it("ends again and again with a wrong token", async () => {
    await client.patch(
      SecretResource,
      { namespace, name: "cloud" },
      { type: "merge", body: { stringData: { token: "wrong" } } },
    );
    await until(async () => ((await controllerPod())?.status?.containerStatuses?.[0]?.restartCount ?? 0) > 1);
    expect((await controllerPod())?.status?.containerStatuses?.[0]).toMatchObject({
      state: { waiting: { reason: "CrashLoopBackOff" } },
      lastState: { terminated: { message: "the token is wrong" } },
    });
    expect(await isTainted("worker")).toBe(true);
  });

  it("initializes the Nodes of its instances once it runs", async () => {
    await client.patch(
      SecretResource,
      { namespace, name: "cloud" },
      { type: "merge", body: { stringData: { token: "right" } } },
    );
    await until(async () => !(await isTainted("worker")));
    expect(await nodeOf("worker")).toMatchObject({
      metadata: {
        labels: {
          "node.kubernetes.io/instance-type": "large",
          "topology.kubernetes.io/region": "north",
          "topology.kubernetes.io/zone": "north-1",
        },
      },
      spec: { providerID: "example://worker" },
      status: { addresses: [{ type: "Hostname" }, { type: "InternalIP", address: "10.0.0.7" }] },
    });
    expect((await nodeOf("worker"))?.spec?.taints ?? []).toEqual([]);
    await until(async () => (await reasons("worker")).includes("Synced"));
  });

  it("waits for the instance of a Node that the cloud does not know yet", async () => {
    expect(await isTainted("stranger")).toBe(true);
    instances.set("example://stranger", instance("stranger"));
    await until(async () => !(await isTainted("stranger")));
  });
});

const createService = (name: string): Promise<Looked> =>
  client.create(Service, {
    apiVersion: "v1",
    kind: "Service",
    metadata: { namespace: "default", name, annotations: { speed: "high" } },
    spec: { type: "LoadBalancer", selector: { app: name }, ports: [{ name: "web", port: 80 }] },
  });
const ingress = async (name: string) =>
  (await client.find(Service, { namespace: "default", name }))?.status?.loadBalancer;

describe("a Service of type LoadBalancer", () => {
  it("gets a load balancer with its Nodes behind it, and its address", async () => {
    const { metadata, spec } = await createService("web");
    await until(async () => Object.keys((await ingress("web")) ?? {}).length > 0);
    expect(await ingress("web")).toMatchObject({ ingress: [{ ip: "192.0.2.1" }] });
    expect(balancers.get(metadata.uid ?? "")).toMatchObject({
      cluster: "prod",
      annotations: { speed: "high" },
      ports: [{ name: "web", port: 80, protocol: "TCP", nodePort: spec?.ports?.[0]?.nodePort }],
      // That of the control plane is excluded by the label that kubeadm gives it.
      nodes: [{ name: "stranger" }, { name: "worker", providerID: "example://worker" }],
    });
  });

  it("says why it has none, and gets one when that is over", async () => {
    refused = "too many load balancers";
    await createService("late");
    await until(async () => (await reasons("late")).includes("SyncLoadBalancerFailed"));
    refused = undefined;
    await until(async () => Object.keys((await ingress("late")) ?? {}).length > 0);
  });

  it("takes its load balancer with it", async () => {
    await client.delete(Service, { namespace: "default", name: "late" });
    await until(async () => (await client.find(Service, { namespace: "default", name: "late" })) === undefined);
    expect([...balancers.values()].map(({ name }) => name)).toEqual(["web"]);
  });

  it("keeps it no longer when it is of another type", async () => {
    const body = { spec: { type: "ClusterIP" } };
    await client.patch(Service, { namespace: "default", name: "web" }, { type: "merge", body });
    await until(async () => balancers.size === 0);
    await until(async () => Object.keys((await ingress("web")) ?? {}).length === 0);
  });
});

describe("a machine that is switched off", () => {
  it("keeps its Node as long as its instance is there, and loses it with the instance", async () => {
    await host.shutdown("stranger", { keepDisk: true });
    instances.set("example://stranger", instance("stranger", true));
    const isMarked = async (): Promise<boolean> =>
      (await nodeOf("stranger"))?.spec?.taints?.some(
        ({ key }) => key === "node.cloudprovider.kubernetes.io/shutdown",
      ) === true;
    await until(isMarked);
    instances.delete("example://stranger");
    await until(async () => (await nodeOf("stranger")) === undefined);
    await until(async () => (await reasons("stranger")).includes("DeletingNode"));
    expect(await nodeOf("worker")).toBeDefined();
  });
});
