import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { createApiServer } from "@capstan/apiserver";
import type { ApiServer } from "@capstan/apiserver";
import { ClusterResource, NodeResource, SecretResource } from "@capstan/contract/wire";
import { installWorkloadClusters, nodeByProviderID } from "@capstan/kit/workload";
import type { WorkloadClusters } from "@capstan/kit/workload";
import { parseKubeconfig, renderKubeconfig } from "@capstan/pki";
import { seededRandom, startConnectProxy, type ConnectProxy } from "@capstan/testing";
import { ConformanceEnvironment, CorePart } from "@capstan/testing/environment";
import type { RunningManager } from "@capstan/testing/environment";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

let environment: ConformanceEnvironment;
let workload: ApiServer;
let silent: Server;
let proxy: ConnectProxy;
/** A name in the API server's certificate that no one here finds. */
const hiddenHost = "kubernetes.default.svc";
beforeAll(async () => {
  environment = await ConformanceEnvironment.start([]);
  workload = createApiServer({ clock: environment.clock, random: seededRandom(3) });
  await workload.start();
  proxy = await startConnectProxy(Number(new URL(workload.url).port));
  silent = createServer(() => undefined);
  await new Promise<void>((resolve) => {
    silent.listen(0, "127.0.0.1", resolve);
  });
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await workload.stop().catch(() => undefined);
  silent.close();
  await environment.stop();
});

let core: CorePart;
let running: RunningManager;
let clusters: WorkloadClusters;
const events: string[] = [];
beforeEach(async () => {
  events.length = 0;
  core = new CorePart(environment.client, await environment.namespace(), "near");
  const installed: WorkloadClusters[] = [];
  running = await environment.runManager({
    providers: [],
    namespace: core.namespace,
    prepare: (manager) => {
      installed.push(
        installWorkloadClusters(manager, {
          proxyFor: (url) => (new URL(url).hostname === hiddenHost ? proxy.url : undefined),
        }),
      );
    },
  });
  for (const service of installed) clusters = service;
  clusters.subscribe((event) =>
    events.push(
      event.type === "node"
        ? `${event.event.type} ${event.event.object.metadata.name}`
        : `${event.type} ${event.cluster.name}`,
    ),
  );
});
afterEach(() => running.stop());

const storeKubeconfig = async (name: string, config: string): Promise<void> => {
  await core.createSecret(`${name}-kubeconfig`, { value: Buffer.from(config).toString("base64") });
};
const near = () => core.key("near");
const connected = (): boolean => clusters.connection(near()) !== undefined;

describe("a workload cluster", () => {
  it("is connected in the background, and shows its Nodes by provider id", async () => {
    await core.createCluster();
    expect(() => clusters.get(near())).toThrow(
      expect.objectContaining({ code: "workload.unreachable", retry: { kind: "after", ms: 10_000 } }),
    );
    await environment.pass(2000);
    expect(clusters.state(near()).message).toMatch(
      /near-kubeconfig of type .* does not exist; the control plane creates it, or restore it if it was deleted$/,
    );
    await storeKubeconfig("near", await workload.adminKubeconfig());
    const since = environment.clock.now();
    // The Secret's arrival is noticed at once.
    await environment.until(connected, 5000);
    expect(events).toContain("connected near");
    const { client, nodes } = clusters.get(near());
    await client.create(NodeResource, {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "n1" },
      spec: { providerID: "memory://1" },
    });
    expect(nodes.byIndex(nodeByProviderID, "memory://1").map(({ metadata }) => metadata.name)).toEqual(["n1"]);
    await environment.until(() => events.includes("added n1"));
    expect(clusters.lastProbeSuccess(near())).toBeGreaterThanOrEqual(since);
  });

  it("is reached by the proxy on the way to it", async () => {
    await storeKubeconfig(
      "near",
      (await workload.adminKubeconfig()).replace(workload.url, `https://${hiddenHost}:6443`),
    );
    expect(connected()).toBe(false);
    await environment.until(connected);
    expect(new Set(proxy.asked)).toEqual(new Set([`${hiddenHost}:6443`]));
  });

  it("is reached by the proxy that its kubeconfig names, before any other", async () => {
    await using own = await startConnectProxy(Number(new URL(workload.url).port));
    const config = {
      ...parseKubeconfig(await workload.adminKubeconfig()),
      server: `https://${hiddenHost}:6443`,
      proxyUrl: own.url,
    };
    const before = proxy.asked.length;
    await storeKubeconfig("near", renderKubeconfig(config));
    expect(connected()).toBe(false);
    await environment.until(connected);
    expect(new Set(own.asked)).toEqual(new Set([`${hiddenHost}:6443`]));
    expect(proxy.asked).toHaveLength(before);
  });

  it("is not slowed down by another one that hangs", async () => {
    const hanging = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const far = core.key("far");
    await storeKubeconfig("far", renderKubeconfig({ server: hanging, clusterName: "far", userName: "u", token: "t" }));
    await storeKubeconfig("near", await workload.adminKubeconfig());
    expect(clusters.connection(far)).toBeUndefined();
    expect(connected()).toBe(false);
    await environment.until(connected, 5000);
    expect(clusters.connection(far)).toBeUndefined();
  });

  it.each([
    ["kubernetes.default.svc", "connected near"],
    ["other.test", "other.test"],
  ])("shows a certificate for %s, as its kubeconfig expects", async (tlsServerName, expected) => {
    const config = { ...parseKubeconfig(await workload.adminKubeconfig()), tlsServerName };
    await storeKubeconfig("near", renderKubeconfig(config));
    expect(connected()).toBe(false);
    await environment.until(() => [...events, clusters.state(near()).message].some((text) => text.includes(expected)));
  });

  it("is refused when its kubeconfig wants a program to be run", async () => {
    const config = renderKubeconfig({ server: workload.url, clusterName: "near", userName: "u" });
    await storeKubeconfig("near", config);
    expect(connected()).toBe(false);
    await environment.until(() => clusters.state(near()).message.includes("plugins are not run"));
    expect(clusters.state(near()).problem).toBe(clusters.state(near()).message);
    await environment.until(() => events.includes("probe-failed near"));
    await environment.pass(60_000);
    expect(events, "of one problem once").toEqual(["probe-failed near"]);
  });

  it("is waited for while the Secret of its kubeconfig has another key, which says so", async () => {
    const kubeconfig = Buffer.from(await workload.adminKubeconfig()).toString("base64");
    await core.createSecret("near-kubeconfig", { kubeconfig });
    expect(connected()).toBe(false);
    const message = `Secret ${core.namespace}/near-kubeconfig has no key value; set it to the kubeconfig`;
    await environment.until(() => clusters.state(near()).message === message);
    await core.patch(SecretResource, "near-kubeconfig", { data: { value: kubeconfig } });
    await environment.until(connected);
  });

  it("says that the Secret of its kubeconfig was deleted", async () => {
    await storeKubeconfig(
      "near",
      renderKubeconfig({ server: "https://127.0.0.1:1", clusterName: "near", userName: "u", token: "t" }),
    );
    expect(connected()).toBe(false);
    await environment.until(() => clusters.state(near()).message.includes("ECONNREFUSED"));
    await environment.client.delete(SecretResource, core.key("near-kubeconfig"));
    await environment.until(() =>
      /near-kubeconfig of type .* was deleted; restore it$/.test(clusters.state(near()).message),
    );
  });

  it("is connected anew when its kubeconfig changes, and let go with its Cluster", async () => {
    await core.createCluster();
    await storeKubeconfig(
      "near",
      renderKubeconfig({ server: "https://127.0.0.1:1", clusterName: "near", userName: "u", token: "t" }),
    );
    expect(connected()).toBe(false);
    await environment.pass(5000);
    const value = Buffer.from(await workload.adminKubeconfig()).toString("base64");
    await core.patch(SecretResource, "near-kubeconfig", { data: { value } });
    await environment.until(connected, 10_000);
    await core.patch(SecretResource, "near-kubeconfig", { metadata: { labels: { touched: "yes" } } });
    await environment.until(() => events.includes("disconnected near"));
    await environment.until(connected, 10_000);
    await environment.client.delete(ClusterResource, near());
    await environment.until(() => events.filter((event) => event === "disconnected near").length === 2);
  });

  it("is given up after five probes without an answer", async () => {
    await core.createCluster();
    const mortal = createApiServer({ clock: environment.clock, random: seededRandom(4) });
    await mortal.start();
    await storeKubeconfig("near", await mortal.adminKubeconfig());
    await environment.until(connected);
    let stopped = false;
    void mortal.stop().then(() => (stopped = true));
    await environment.until(() => stopped);
    const since = environment.clock.now();
    await environment.until(() => !connected());
    const seconds = (environment.clock.now() - since) / 1000;
    expect(seconds).toBeGreaterThan(30);
    expect(seconds).toBeLessThan(80);
    expect(events.filter((event) => event === "probe-failed near")).toHaveLength(4);
    expect(events.at(-1)).toBe("disconnected near");
  });
});
