import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KubeadmConfig } from "@capstan/bootstrap-kubeadm/api";
import { ClusterResource, MachineHealthCheckResource, MachineResource, SecretResource } from "@capstan/contract/wire";
import { KubeadmControlPlane } from "@capstan/controlplane-kubeadm/api";
import type { Machine } from "@capstan/kit/machines";
import { resource, type KubeObject, type Resource } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RolloutOptions } from "../src/rollout/rollout-options.ts";
import { performRollout } from "../src/rollout/run-rollout.ts";
import { alarmsOf } from "./alarms.ts";
import { etcdMembers } from "./etcd-members.ts";
import { startTestSystem, type TestSystem } from "./test-system.ts";
import { workloadClient } from "./workload-client.ts";

const manifest = readFileSync(join(import.meta.dirname, "../../../examples/linode/highly-available.yaml"), "utf8");

const target = {
  kind: "kubeadmcontrolplane",
  name: "summit-control-plane",
  namespace: "default",
  kubeconfig: undefined,
  context: undefined,
  dataDir: undefined,
} as const;

const Linodes = resource({
  group: "infrastructure.cluster.x-k8s.io",
  version: "v1alpha2",
  kind: "LinodeMachine",
  plural: "linodemachines",
});
const ClusterRoleBindings = resource({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind: "ClusterRoleBinding",
  plural: "clusterrolebindings",
  namespaced: false,
});
const Events = resource({ group: "", version: "v1", kind: "Event", plural: "events" });

/** Secret parts of a text. */
const secretsOf = (text: string): readonly { readonly what: "key" | "token"; readonly secret: string }[] => [
  // The second line: the first is alike in all keys of a kind.
  ...[...text.matchAll(/PRIVATE KEY-----\s+\S+\s+(\S{40,})/g)].map(
    ([, secret = ""]) => ({ what: "key", secret }) as const,
  ),
  ...[...text.matchAll(/\b[a-z0-9]{6}\.([a-z0-9]{16})\b/g)].map(
    ([, secret = ""]) => ({ what: "token", secret }) as const,
  ),
];

/** The same of an object, with what its data and its kubeconfig carry in base64, and as they carry it. */
const secretsIn = ({ data = {}, kind, metadata, spec = {} }: KubeObject) => {
  const values = Object.values(data as Readonly<Record<string, string>>);
  const texts = values.map((value) => Buffer.from(value, "base64").toString());
  const keys = texts.flatMap((text) => /client-key-data: (\S+)/.exec(text)?.[1] ?? []);
  const carried = [...values.filter((_, index) => texts[index]?.includes("PRIVATE KEY-----")), ...keys];
  return [
    ...[...texts, ...keys.map((key) => Buffer.from(key, "base64").toString()), JSON.stringify(spec)].flatMap(secretsOf),
    ...carried.map((value) => ({ what: "key", secret: value.slice(200, 260) }) as const),
  ].map((secret) => ({ ...secret, from: `${kind} ${metadata.name ?? ""}` }));
};

describe("the example of a highly available control plane", () => {
  let system: TestSystem;

  /** Machines of the control plane, by the names of their Nodes. */
  const nodes = async (): Promise<readonly string[]> => {
    const { items } = await system.running.client.list(MachineResource, { namespace: "default" });
    return (items as readonly Machine[])
      .filter(({ metadata }) => metadata.labels?.["cluster.x-k8s.io/control-plane"] !== undefined)
      .map(({ status }) => status?.nodeRef?.name ?? "")
      .toSorted();
  };

  const members = async (): Promise<readonly string[]> =>
    etcdMembers(system.running.client, "summit", (await nodes())[0] ?? "");

  const workload = () => workloadClient(system.running.client, "summit");

  const rollout = async (
    action: { readonly action: "restart" | "pause" | "resume" } | (typeof status & { readonly watch: boolean }),
  ): Promise<{ readonly status: number; readonly lines: readonly string[] }> => {
    const lines: string[] = [];
    const { client } = system.running;
    const signal = new AbortController().signal;
    const options: RolloutOptions = { ...target, ...action };
    let ended: { readonly status?: number; readonly error?: unknown } | undefined;
    void performRollout(options, { client, clock: system.clock, signal, write: (line) => void lines.push(line) }).then(
      (status) => (ended = { status }),
      (error: unknown) => (ended = { error }),
    );
    await system.until(() => ended !== undefined);
    if (ended?.error !== undefined) throw ended.error;
    return { status: ended?.status ?? -1, lines };
  };

  const status = { action: "status", output: "text", timeoutMs: 0 } as const;

  beforeAll(async () => {
    system = await startTestSystem(manifest);
    await system.untilRunning();
  });

  afterAll(() => system[Symbol.asyncDispose]());

  it("has three Machines with a member of etcd on each, and two workers", async () => {
    const { status: code, lines } = await rollout({ ...status, watch: true });
    expect({ code, last: lines.at(-1) }).toEqual({
      code: 0,
      last: expect.stringMatching(
        /^kubeadmcontrolplane\/summit-control-plane is rolled out: 3 replicas; etcd: 3 of 3 voting members are healthy/,
      ),
    });
    const { items } = await system.running.client.list(MachineResource, { namespace: "default" });
    expect(items).toHaveLength(5);
    const control = await nodes();
    expect(control).toHaveLength(3);
    expect(await members()).toEqual(control);
    expect(await alarmsOf(system)).toEqual([]);
  });

  it("is left as it is while it is paused", async () => {
    expect((await rollout({ action: "pause" })).lines).toEqual(["kubeadmcontrolplane/summit-control-plane paused"]);
    await expect(rollout({ action: "restart" })).rejects.toThrow(
      "run capstan rollout resume kubeadmcontrolplane/summit-control-plane",
    );
    expect((await rollout({ action: "resume" })).lines).toEqual(["kubeadmcontrolplane/summit-control-plane resumed"]);
  });

  it("gets no further Machine while one of its certificates is missing", async () => {
    const { client } = system.running;
    const key = { namespace: "default", name: "summit-control-plane" };
    const scale = (replicas: number) =>
      client.patch(KubeadmControlPlane, key, { type: "merge", body: { spec: { replicas } } });
    const { metadata, ...secret } = await client.get(SecretResource, { namespace: "default", name: "summit-etcd" });
    await client.delete(SecretResource, { namespace: "default", name: "summit-etcd" });
    await scale(5);
    await system.condition(KubeadmControlPlane, key.name, {
      type: "ScalingUp",
      message: "waiting for the missing certificate etcd: CertificatesAvailable says how to restore its Secret",
    });
    expect(await nodes()).toHaveLength(3);
    await scale(3);
    const { labels = {}, ownerReferences = [] } = metadata;
    await client.create(SecretResource, {
      ...secret,
      metadata: { ...key, name: "summit-etcd", labels, ownerReferences },
    });
    await system.condition(KubeadmControlPlane, key.name, { type: "CertificatesAvailable", status: "True" });
  });

  it("is replaced one by one by a restart, and the members of etcd follow", async () => {
    const before = await nodes();
    expect((await rollout({ action: "restart" })).lines).toEqual([
      "kubeadmcontrolplane/summit-control-plane restarted",
    ]);
    expect((await rollout({ ...status, watch: false })).status).toBe(1);
    const { status: code, lines } = await rollout({ ...status, watch: true });
    expect({ code, last: lines.at(-1) }).toEqual({
      code: 0,
      last: expect.stringMatching(
        /^kubeadmcontrolplane\/summit-control-plane is rolled out: 3 replicas; etcd: 3 of 3 voting members are healthy/,
      ),
    });
    for (const made of [1, 2]) expect(lines.join("\n")).toContain(`${made} of 3 new replicas are created`);
    const after = await nodes();
    expect(after).toHaveLength(3);
    expect(after.filter((node) => before.includes(node))).toEqual([]);
    expect(await members()).toEqual(after);
  });

  it("gets another Machine and member for one whose server is gone", async () => {
    const { client } = system.running;
    await client.create(MachineHealthCheckResource, {
      apiVersion: "cluster.x-k8s.io/v1beta2",
      kind: "MachineHealthCheck",
      metadata: { namespace: "default", name: "summit-control-plane" },
      spec: {
        clusterName: "summit",
        selector: { matchLabels: { "cluster.x-k8s.io/control-plane": "" } },
        checks: { unhealthyNodeConditions: [{ type: "Ready", status: "Unknown", timeoutSeconds: 60 }] },
      },
    });
    const before = await nodes();
    const lost = before.at(-1) ?? "";
    const server = system.simulator.state.instances.find(({ label }) => label === lost);
    const answer = await fetch(`${system.simulator.url}/v4/linode/instances/${server?.id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${system.simulator.token}` },
    });
    expect(answer.status).toBe(200);
    await system.until(async () => {
      const now = await nodes();
      return now.length === 3 && !now.includes(lost) && !now.includes("");
    });
    const after = await nodes();
    expect(after).toEqual(expect.arrayContaining(before.slice(0, 2)));
    // The Node is there before the Pod of its member.
    await system.condition(KubeadmControlPlane, "summit-control-plane", { type: "MachinesReady", status: "True" });
    expect(await members()).toEqual(after);
  });

  it("has no token left that a machine has joined by", async () => {
    const configs = (await system.running.client.list(KubeadmConfig, { namespace: "default" })).items;
    const tokens = configs.flatMap(({ spec }) => spec?.joinConfiguration?.discovery?.bootstrapToken?.token ?? []);
    // None of the Machines is the first any more, which began the cluster.
    expect(new Set(tokens).size).toBe(5);
    const { client, close } = await workload();
    const secrets = async () =>
      (await client.list(SecretResource, { namespace: "kube-system" })).items.map(({ metadata }) => metadata.name);
    const names = tokens.map((token) => `bootstrap-token-${token.split(".", 1)[0]}`);
    const begun = system.clock.now();
    await system.until(async () => !(await secrets()).some((name) => names.includes(name ?? "")));
    expect(system.clock.now() - begun, "long before they expire").toBeLessThan(300_000);
    await close();
  });

  it("is looked after by users of our own, which its API server has refused nothing", async () => {
    const { client, close, connection } = await workload();
    const { items } = await client.list(ClusterRoleBindings, {
      labelSelector: "app.kubernetes.io/managed-by=capstan",
    });
    const { body } = await connection.send({ method: "GET", path: "/metrics", headers: {} });
    await close();
    expect(items.map(({ metadata }) => metadata.name ?? "").toSorted()).toEqual([
      "capstan:bootstrap-kubeadm",
      "capstan:controlplane-kubeadm",
      "capstan:controlplane-rke2-k3s",
      "capstan:core",
      "capstan:infra-metal",
      "capstan:nodes",
    ]);
    const answered = body.split("\n").filter((line) => line.startsWith("apiserver_request_total{"));
    expect(answered.length).toBeGreaterThan(10);
    expect(answered.filter((line) => line.includes('code="403"'))).toEqual([]);
  });

  it("shows no private key and no token in what is logged, nor in events, statuses and annotations", async () => {
    const { client } = system.running;
    const read = (kind: Resource) => client.list(kind, { namespace: "default" }).then(({ items }) => items);
    const secrets = (await Promise.all([read(SecretResource), read(KubeadmConfig)])).flat().flatMap(secretsIn);
    expect(secrets.filter(({ what }) => what === "key").length).toBeGreaterThan(10);
    expect(secrets.filter(({ what }) => what === "token").length).toBeGreaterThan(2);
    const kinds = [ClusterResource, MachineResource, KubeadmConfig, KubeadmControlPlane, Linodes, Events];
    const objects = (await Promise.all(kinds.map(read))).flat();
    expect(new Set(objects.map(({ kind }) => kind)).size).toBe(kinds.length);
    // What a user wrote, and the token that upstream's kind has a field for, stand in specs.
    const shown = objects.map((object) => JSON.stringify({ ...object, spec: undefined }));
    const all = [...system.said, ...shown].join("\n");
    for (const { from, secret, what } of secrets) expect(all.includes(secret), `the ${what} of ${from}`).toBe(false);
  });

  it("is deleted to nothing", async () => {
    const { client } = system.running;
    const key = { namespace: "default", name: "summit" };
    await client.delete(ClusterResource, key);
    await system.until(
      async () =>
        system.simulator.state.instances.length === 0 && (await client.find(ClusterResource, key)) === undefined,
    );
    expect((await client.list(MachineResource, { namespace: "default" })).items).toEqual([]);
    for (const purpose of ["kubeconfig", "ca", "etcd"]) {
      const secret = await client.find(SecretResource, { namespace: "default", name: `summit-${purpose}` });
      expect(secret, purpose).toBeUndefined();
    }
  });
});
