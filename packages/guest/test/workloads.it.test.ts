import { caCertHashes, createCertificateAuthority } from "@capstan/pki";
import { isCapstanError } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { resource, type KubeObject, type Resource } from "@capstan/schema";
import { freePort, recentClock, seededRandom } from "@capstan/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGuestHost } from "../src/index.ts";
import { address, administrator, authorityFiles, initData, joinData, putToken } from "./machines.ts";

const core = (kind: string, plural: string, namespaced = true): Resource =>
  resource({ group: "", version: "v1", kind, plural, namespaced });
const apps = (kind: string): Resource =>
  resource({ group: "apps", version: "v1", kind, plural: `${kind.toLowerCase()}s` });

const Node = core("Node", "nodes", false);
const Pod = core("Pod", "pods");
const Deployment = apps("Deployment");
const StatefulSet = apps("StatefulSet");
const DaemonSet = apps("DaemonSet");
const ReplicaSet = apps("ReplicaSet");
const Job = resource({ group: "batch", version: "v1", kind: "Job", plural: "jobs" });
const Budget = resource({
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
});
const Lease = resource({ group: "coordination.k8s.io", version: "v1", kind: "Lease", plural: "leases" });

interface Looked extends KubeObject {
  readonly spec: {
    readonly nodeName?: string;
    readonly taints?: readonly { readonly key: string }[];
    readonly renewTime?: string;
  };
  readonly status?: Readonly<Record<string, unknown>> & {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

const namespace = "default";
const clock = recentClock();
const images: Readonly<Record<string, string>> = { image: "v1.35.1", unknown: "v1.99.0" };
const versionOf = ({ name = "" }: { readonly name?: string }) => Promise.resolve(images[name]);
const host = createGuestHost({ clock, random: seededRandom(3), versionOf, lenient: true });
let client: Client;
let close: () => Promise<void>;
let read: (path: string) => Promise<string>;
let join: string;

const boot = async (id: string, userData: string): Promise<void> => {
  const metadata = { "local-hostname": id };
  let over = false;
  void host
    .boot({ id, name: id, metadata, userData, address, providerID: `example://${id}` })
    .then(() => (over = true));
  await clock.advanceUntil(() => over, { stepMs: 100 });
};

const until = (condition: () => Promise<boolean>): Promise<void> => clock.advanceUntil(condition, { stepMs: 250 });

const look = (kind: Resource, name: string): Promise<Looked | undefined> =>
  client.find(kind as Resource<Looked>, kind.namespaced ? { namespace, name } : { name });

const podsOf = async (app: string): Promise<readonly Looked[]> =>
  (await client.list(Pod as Resource<Looked>, { namespace, labelSelector: `app=${app}` })).items;

const condition = (object: Looked | undefined, type: string) =>
  object?.status?.conditions?.find((each) => each.type === type);

const isReady = (object: Looked | undefined): boolean => condition(object, "Ready")?.status === "True";

const taintsOf = (node: Looked | undefined): readonly string[] => (node?.spec.taints ?? []).map(({ key }) => key);

const template = (app: string, spec: object = {}, image = "app:1") => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: "app", image }], ...spec },
});

const create = (kind: Resource, name: string, spec: object): Promise<KubeObject> =>
  client.create(kind, {
    apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
    kind: kind.kind,
    metadata: { namespace, name },
    spec,
  });

const createReplicated = (kind: Resource, name: string, spec: object = {}, pod: object = {}): Promise<KubeObject> =>
  create(kind, name, { selector: { matchLabels: { app: name } }, template: template(name, pod), ...spec });

const hasStatus = async (kind: Resource, name: string, status: object): Promise<boolean> => {
  const found = await look(kind, name);
  return Object.entries(status).every(([field, value]) => found?.status?.[field] === value);
};

/** Lets time pass until the work is done. */
const during = async <T>(work: Promise<T>): Promise<T> => {
  let over = false;
  void work.catch(() => undefined).finally(() => (over = true));
  await clock.advanceUntil(() => over);
  return work;
};

/** Returns whether the Pod may go; a budget that does not allow it is asked several times by the client. */
const evict = async ({ metadata }: Looked): Promise<boolean> => {
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata: { namespace, name: metadata.name } };
  const path = `/api/v1/namespaces/${namespace}/pods/${metadata.name}/eviction`;
  try {
    await during(client.request({ method: "POST", path, body }));
    return true;
  } catch (error) {
    if (isCapstanError(error, "kube.too_many_requests")) return false;
    throw error;
  }
};

const cordon = (name: string, unschedulable: boolean): Promise<KubeObject> =>
  client.patch(Node, { name }, { type: "merge", body: { spec: { unschedulable } } });

beforeAll(async () => {
  const authority = await createCertificateAuthority({ now: clock.now() });
  const port = await freePort();
  await boot("control-plane", initData(authorityFiles(authority), { port }));
  ({ client, close, read } = await administrator(authority, `${address}:${port}`, clock));
  const [hash = ""] = caCertHashes(authority.certificate);
  const token = "abcdef.0123456789abcdef";
  await putToken(client, token, clock.now() + 86_400_000);
  join = joinData({ endpoint: `${address}:${port}`, token, hash });
  for (const name of ["one", "two"]) await boot(name, join);
});
afterAll(async () => {
  await close();
  await host.stop();
});

describe("a Node", () => {
  it("is ready, renews its Lease, and has no taints of its own", async () => {
    await until(async () => isReady(await look(Node, "one")) && taintsOf(await look(Node, "one")).length === 0);
    const lease = async () =>
      (await client.find(Lease as Resource<Looked>, { namespace: "kube-node-lease", name: "one" }))?.spec.renewTime;
    await until(async () => (await lease()) !== undefined);
    const first = await lease();
    await until(async () => (await lease()) !== first);
  });

  it("has the version that its machine installs, or its image has, and not one that is unknown", async () => {
    const kubelet = async (name: string) =>
      (await look(Node, name))?.status?.["nodeInfo"] as { readonly kubeletVersion: string } | undefined;
    expect((await kubelet("one"))?.kubeletVersion).toBe("v1.34.0");
    await boot("image", join);
    expect((await kubelet("image"))?.kubeletVersion).toBe("v1.35.1");
    const installs = Buffer.from(join, "base64")
      .toString()
      .replace("runcmd:", "runcmd:\n  - apt-get install kubelet=1.33.2-1.1");
    await boot("package", Buffer.from(installs).toString("base64"));
    expect((await kubelet("package"))?.kubeletVersion).toBe("v1.33.2");
    await boot("unknown", join);
    expect(await kubelet("unknown")).toBeUndefined();
    expect(host.console("unknown")).toContain('Kubernetes version "v1.99.0" is not known here');
    for (const name of ["image", "package", "unknown"]) {
      await host.shutdown(name);
      await client.delete(Node, { name });
    }
  });

  it("is not unknown while it registers, however old the cluster is: silence begins with what was heard last", async () => {
    const begun = clock.now();
    await until(async () => clock.now() > begun + 60_000);
    await create(Node, "late", { taints: [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }] });
    const heard = clock.now();
    const lastHeartbeatTime = new Date(heard).toISOString();
    const conditions = [{ type: "Ready", status: "True", reason: "KubeletReady", lastHeartbeatTime }];
    await client.patch(
      Node,
      { name: "late" },
      { type: "merge", body: { status: { conditions } } },
      { subresource: "status" },
    );
    await until(async () => taintsOf(await look(Node, "late")).length === 0);
    expect(isReady(await look(Node, "late"))).toBe(true);
    await until(async () => condition(await look(Node, "late"), "Ready")?.status === "Unknown");
    expect(clock.now() - heard).toBeGreaterThan(39_000);
    await client.delete(Node, { name: "late" });
  });

  it("is unknown soon after its machine is switched off, loses its Pods, and is ready when it is back", async () => {
    await createReplicated(Deployment, "moved", { replicas: 2 });
    await until(() => hasStatus(Deployment, "moved", { availableReplicas: 2 }));
    await host.shutdown("two", { keepDisk: true });
    await until(async () => condition(await look(Node, "two"), "Ready")?.status === "Unknown");
    const unreachable = "node.kubernetes.io/unreachable";
    await until(async () => taintsOf(await look(Node, "two")).join() === `${unreachable},${unreachable}`);
    // Evicted five minutes later, and started elsewhere.
    const moved = (pod: Looked): boolean => isReady(pod) && pod.spec.nodeName === "one";
    await clock.advanceUntil(async () => (await podsOf("moved")).filter(moved).length === 2, { stepMs: 2000 });
    await boot("two", join);
    await until(async () => isReady(await look(Node, "two")) && taintsOf(await look(Node, "two")).length === 0);
    await until(async () => (await podsOf("moved")).length === 2);
    await client.delete(Deployment, { namespace, name: "moved" });
    await until(async () => (await podsOf("moved")).length === 0);
  });
});

describe("a Deployment", () => {
  it("runs its Pods on the Nodes, and a new template rolls over without an outage", async () => {
    await createReplicated(Deployment, "web", { replicas: 4 });
    await until(() => hasStatus(Deployment, "web", { availableReplicas: 4, updatedReplicas: 4, replicas: 4 }));
    const pods = await podsOf("web");
    expect(new Set(pods.map(({ spec }) => spec.nodeName))).toEqual(new Set(["one", "two"]));
    expect(pods[0]?.status?.["podIPs"]).toEqual([{ ip: pods[0]?.status?.["podIP"] }]);
    expect(new Set(pods.map(({ status }) => status?.["podIP"])).size).toBe(4);
    const change = { spec: { template: template("web", {}, "app:2") } };
    const changed = await client.patch(Deployment, { namespace, name: "web" }, { type: "merge", body: change });
    await until(async () => {
      const deployment = await look(Deployment, "web");
      expect(deployment?.status?.["availableReplicas"]).toBeGreaterThanOrEqual(3);
      const { observedGeneration, replicas, updatedReplicas } = deployment?.status ?? {};
      const isSeen = Number(observedGeneration) >= (changed.metadata.generation ?? 0);
      return isSeen && updatedReplicas === 4 && replicas === 4;
    });
    const sets = (await client.list(ReplicaSet as Resource<Looked>, { namespace, labelSelector: "app=web" })).items;
    const revisions = sets.map(({ metadata }) => metadata.annotations?.["deployment.kubernetes.io/revision"]);
    expect(new Set(revisions)).toEqual(new Set(["1", "2"]));
    await until(() => hasStatus(Deployment, "web", { unavailableReplicas: 0 }));
  });

  it("is drained from a Node as its budget allows", async () => {
    await create(Budget, "web", { minAvailable: 4, selector: { matchLabels: { app: "web" } } });
    await until(() => hasStatus(Budget, "web", { currentHealthy: 4, observedGeneration: 1 }));
    await cordon("one", true);
    const there = async () => (await podsOf("web")).filter(({ spec }) => spec.nodeName === "one");
    const [first] = await there();
    expect(await evict(first!)).toBe(false);
    await client.patch(Budget, { namespace, name: "web" }, { type: "merge", body: { spec: { minAvailable: 3 } } });
    await until(() => hasStatus(Budget, "web", { disruptionsAllowed: 1 }));
    await until(async () => {
      for (const pod of await there()) if (pod.metadata.deletionTimestamp === undefined) await evict(pod);
      expect((await podsOf("web")).filter(isReady).length).toBeGreaterThanOrEqual(3);
      return (await there()).length === 0;
    });
    await until(() => hasStatus(Deployment, "web", { availableReplicas: 4, replicas: 4 }));
    await cordon("one", false);
    await client.delete(Deployment, { namespace, name: "web" });
    await until(async () => (await podsOf("web")).length === 0);
  });

  it("says why nothing runs where no Node fits", async () => {
    await createReplicated(Deployment, "nowhere", { replicas: 1 }, { nodeSelector: { disk: "fast" } });
    await until(async () => condition((await podsOf("nowhere"))[0], "PodScheduled")?.status === "False");
    expect(condition((await podsOf("nowhere"))[0], "PodScheduled")?.message).toBe(
      "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane}, " +
        "2 node(s) didn't match Pod's node affinity/selector.",
    );
    await client.patch(Node, { name: "two" }, { type: "merge", body: { metadata: { labels: { disk: "fast" } } } });
    await until(() => hasStatus(Deployment, "nowhere", { availableReplicas: 1 }));
    await client.delete(Deployment, { namespace, name: "nowhere" });
  });
});

describe("other workloads", () => {
  it("a StatefulSet makes and updates its Pods one after another", async () => {
    await createReplicated(StatefulSet, "db", { serviceName: "db", replicas: 3 });
    await until(() => hasStatus(StatefulSet, "db", { readyReplicas: 3 }));
    const times = (await podsOf("db")).map(({ metadata }) => [
      metadata.name,
      Date.parse(metadata.creationTimestamp ?? ""),
    ]);
    expect(times.map(([name]) => name)).toEqual(["db-0", "db-1", "db-2"]);
    expect(times[0]![1]).toBeLessThan(times[2]![1] as number);
    const change = { spec: { template: template("db", {}, "app:2") } };
    await client.patch(StatefulSet, { namespace, name: "db" }, { type: "merge", body: change });
    await until(async () => {
      expect((await podsOf("db")).filter(isReady).length).toBeGreaterThanOrEqual(2);
      return hasStatus(StatefulSet, "db", { observedGeneration: 2, updatedReplicas: 3, readyReplicas: 3 });
    });
    await client.patch(StatefulSet, { namespace, name: "db" }, { type: "merge", body: { spec: { replicas: 1 } } });
    await until(async () => (await podsOf("db")).map(({ metadata }) => metadata.name).join() === "db-0");
    await client.delete(StatefulSet, { namespace, name: "db" });
  });

  it("a DaemonSet has a Pod on every Node that it fits, also on one that joins later", async () => {
    const tolerations = [{ key: "node-role.kubernetes.io/control-plane", operator: "Exists", effect: "NoSchedule" }];
    await createReplicated(DaemonSet, "agent", {}, { tolerations });
    await until(() => hasStatus(DaemonSet, "agent", { desiredNumberScheduled: 3, numberAvailable: 3 }));
    await boot("three", join);
    await until(() => hasStatus(DaemonSet, "agent", { desiredNumberScheduled: 4, numberAvailable: 4 }));
    const change = { spec: { template: template("agent", { tolerations }, "app:2") } };
    await client.patch(DaemonSet, { namespace, name: "agent" }, { type: "merge", body: change });
    await until(() => hasStatus(DaemonSet, "agent", { updatedNumberScheduled: 4, numberAvailable: 4 }));
    // A Node that is deleted takes its Pods along.
    await host.shutdown("three");
    await client.delete(Node, { name: "three" });
    await until(() => hasStatus(DaemonSet, "agent", { desiredNumberScheduled: 3, numberAvailable: 3 }));
    expect(await podsOf("agent")).toHaveLength(3);
    await client.delete(DaemonSet, { namespace, name: "agent" });
  });

  it("a Job ends when enough of its Pods have succeeded", async () => {
    await create(Job, "once", {
      completions: 3,
      parallelism: 2,
      template: template("once", { restartPolicy: "Never" }),
    });
    await until(async () => condition(await look(Job, "once"), "Complete")?.status === "True");
    expect((await look(Job, "once"))?.status).toMatchObject({ succeeded: 3 });
    expect((await podsOf("once")).map(({ status }) => status?.phase)).toEqual(["Succeeded", "Succeeded", "Succeeded"]);
  });

  it("a Pod that is deleted ends in its grace", async () => {
    const containers = [{ name: "app", image: "app:1", lifecycle: { preStop: { sleep: { seconds: 20 } } } }];
    await client.create(Pod, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace, name: "slow" },
      spec: { terminationGracePeriodSeconds: 60, containers },
    });
    await until(async () => isReady(await look(Pod, "slow")));
    const asked = clock.now();
    await client.delete(Pod, { namespace, name: "slow" });
    await until(async () => (await look(Pod, "slow")) === undefined);
    expect(clock.now() - asked).toBeGreaterThan(19_000);
    expect(clock.now() - asked).toBeLessThan(30_000);
  });

  it("what runs in a Pod is read as its log, and measured", async () => {
    const containers = [
      { name: "app", image: "app:1", resources: { requests: { cpu: "250m", memory: "64Mi" } } },
      { name: "dns", image: "registry.example/coredns/coredns:v1" },
    ];
    await client.create(Pod, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace, name: "measured" },
      spec: { containers },
    });
    await until(async () => isReady(await look(Pod, "measured")));
    const log = (container: string) => read(`/api/v1/namespaces/${namespace}/pods/measured/log?container=${container}`);
    expect(await log("dns")).toBe(".:53\n");
    expect(await log("app")).toContain("app:1 does not run here");
    const metrics = (kind: string, plural: string, namespaced: boolean): Resource =>
      resource({ group: "metrics.k8s.io", version: "v1beta1", kind, plural, namespaced });
    const [node] = (await client.list(metrics("NodeMetrics", "nodes", false))).items;
    expect(node).toMatchObject({ window: "15s", usage: { cpu: expect.stringMatching(/^\d+m$/) } });
    const key = { namespace, name: "measured" };
    expect(await client.get(metrics("PodMetrics", "pods", true), key)).toMatchObject({
      containers: [
        { name: "app", usage: { cpu: "250m", memory: "64Mi" } },
        { name: "dns", usage: { cpu: "1m", memory: "16Mi" } },
      ],
    });
    await client.delete(Pod, key);
  });
});
