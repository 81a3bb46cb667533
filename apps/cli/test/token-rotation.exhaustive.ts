import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KubeadmConfig } from "@capstan/bootstrap-kubeadm/api";
import {
  machine as machineFields,
  MachinePoolResource,
  MachineResource,
  SecretResource,
  valueAt,
} from "@capstan/contract/wire";
import { connect, createClient, loadKubeconfig, type Client } from "@capstan/kube";
import { fromBase64 } from "@capstan/kube-values";
import { systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AzureSystem, startAzureSystem } from "./azure-system.ts";

const example = readFileSync(join(import.meta.dirname, "../../../examples/azure/machine-pool.yaml"), "utf8");

const namespace = "default";
const minuteMs = 60_000;
/** The life of a bootstrap token, unless an option says otherwise. */
const ttlMs = 15 * minuteMs;
/** A Uniform scale set and a Flexible one. */
const pools = ["juniper-mp-0", "juniper-mp-1"] as const;

/** A worker of its own beside the pools. */
const worker = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Machine
metadata:
  name: juniper-worker
spec:
  clusterName: juniper
  version: v1.35.4
  bootstrap:
    configRef: { apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfig, name: juniper-worker }
  infrastructureRef: { apiGroup: infrastructure.cluster.x-k8s.io, kind: AzureMachine, name: juniper-worker }
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfig
metadata:
  name: juniper-worker
spec:
  joinConfiguration:
    nodeRegistration:
      name: '{{ ds.meta_data["local_hostname"] }}'
      kubeletExtraArgs:
        - name: cloud-provider
          value: external
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureMachine
metadata:
  name: juniper-worker
spec:
  vmSize: Standard_D2s_v3
  osDisk:
    osType: Linux
    diskSizeGB: 30
  sshPublicKey: ""
`;

describe("the bootstrap tokens of a cluster on a simulated cloud", () => {
  let system: AzureSystem;
  let workload: Client;
  let close: () => Promise<void>;

  beforeAll(async () => {
    system = await startAzureSystem(example);
    await system.untilRunning();
    await isComplete("juniper-mp-0", 2);
    await isComplete("juniper-mp-1", 1);
    const kubeconfig = await system.running.client.get(SecretResource, { namespace, name: "juniper-kubeconfig" });
    const text = fromBase64(String(valueAt(kubeconfig, "data.value")));
    const connection = connect({ access: await loadKubeconfig({ text }), clock: systemClock });
    workload = createClient(connection);
    close = () => connection.close();
  });
  afterAll(async () => {
    await close();
    await system[Symbol.asyncDispose]();
  });

  const machinesOf = async (pool: string) =>
    (await system.running.client.list(MachineResource, { namespace })).items.filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ kind, name }) => kind === MachinePoolResource.kind && name === pool),
    );
  const nodesOf = async (pool: string): Promise<readonly string[]> =>
    (await machinesOf(pool)).map((machine) => machineFields.nodeName.get(machine) ?? "").toSorted();
  const isComplete = (pool: string, count: number) =>
    system.until(async () => {
      const nodes = await nodesOf(pool);
      return nodes.length === count && !nodes.includes("");
    });
  const scale = (pool: string, replicas: number) =>
    system.running.client.patch(
      MachinePoolResource,
      { namespace, name: pool },
      { type: "merge", body: { spec: { replicas } } },
    );

  const token = async (config: string): Promise<string> => {
    const { spec } = await system.running.client.get<KubeadmConfig>(KubeadmConfig, { namespace, name: config });
    return spec?.joinConfiguration?.discovery?.bootstrapToken?.token ?? "";
  };
  const tokenSecret = (of: string) =>
    workload.find(SecretResource, { namespace: "kube-system", name: `bootstrap-token-${of.split(".", 1)[0]}` });
  /** How long a token still lives. */
  const livesFor = async (of: string): Promise<number> =>
    Date.parse(fromBase64(String(valueAt(await tokenSecret(of), "data.expiration")))) - system.clock.now();
  /** What the next machine of a scale set boots with. */
  const nextUserData = (set: string): string => {
    const found = system.simulator.state.resources.find(({ name, type }) => name === set && /ScaleSets$/i.test(type));
    return fromBase64(String(found?.secrets?.["customData"]));
  };
  /** The tokens that the machines of a scale set have booted with, by machine; or that one machine beside the sets. */
  const booted = (of: string): ReadonlyMap<string, string> =>
    new Map(
      system.simulator.state.resources
        .filter(({ id, machine }) => machine !== undefined && id.includes(of))
        .map(({ id, secrets }) => [
          id,
          /^ +token: (\S+)$/m.exec(fromBase64(String(secrets?.["customData"])))?.[1] ?? "",
        ]),
    );

  it("of pools whose machines have all joined are replaced in time, and no machine is for it", async () => {
    for (const name of pools) {
      const [first, nodes] = [await token(name), await nodesOf(name)];
      expect(nextUserData(name), name).toContain(first);
      await system.pass(2 * ttlMs);
      const now = await token(name);
      expect(now, name).not.toBe(first);
      expect(await livesFor(now), "long enough for a machine that boots now").toBeGreaterThan(ttlMs / 6);
      await system.until(async () => nextUserData(name).includes(await token(name)));
      expect(await tokenSecret(first), "it has expired").toBeUndefined();
      expect(await nodesOf(name)).toEqual(nodes);
    }
  });

  it("let machines join that a pool gets long after its first token is gone", async () => {
    const before = new Map(pools.flatMap((name) => [...booted(name)]));
    await scale("juniper-mp-0", 3);
    await scale("juniper-mp-1", 2);
    await isComplete("juniper-mp-0", 3);
    await isComplete("juniper-mp-1", 2);
    for (const name of pools) {
      const joined = [...booted(name)].filter(([id]) => !before.has(id)).map(([, by]) => by);
      expect(joined, name).toHaveLength(1);
      expect([...before.values()], "the first token").not.toContain(joined[0]);
    }
  });

  it("live on while there is no room for machines, which join with them in the end", async () => {
    const { faults } = system.simulator;
    const { client } = system.running;
    const sets = "virtualMachineScaleSets/juniper-mp-0";
    for (const [method, what] of [
      ["PUT", "virtualMachines/juniper-worker"],
      ["PUT", sets],
      ["PATCH", sets],
    ] as const) {
      faults.add({
        method,
        path: new RegExp(`/${what}$`, "i"),
        times: Number.POSITIVE_INFINITY,
        action: { kind: "status", status: 409, code: "AllocationFailed", reason: "There is no room for it." },
      });
    }
    const before = booted("juniper-mp-0");
    await scale("juniper-mp-0", 4);
    await system.apply(worker);
    await system.until(
      async () => (await client.find(SecretResource, { namespace, name: "juniper-worker" })) !== undefined,
    );
    await system.pass(minuteMs);
    const [ofPool, ofWorker] = [await token("juniper-mp-0"), await token("juniper-worker")];
    await system.pass(3 * ttlMs);
    expect(await token("juniper-mp-0")).toBe(ofPool);
    expect(await token("juniper-worker")).toBe(ofWorker);
    for (const each of [ofPool, ofWorker]) expect(await livesFor(each)).toBeGreaterThan(ttlMs / 2);
    faults.clear();
    await system.untilRunning();
    await isComplete("juniper-mp-0", 4);
    expect([...booted("juniper-worker").values()]).toEqual([ofWorker]);
    const joined = [...booted("juniper-mp-0")].filter(([id]) => !before.has(id));
    expect(joined.map(([, by]) => by)).toEqual([ofPool]);
    await system.until(async () => (await tokenSecret(ofWorker)) === undefined);
  });
});
