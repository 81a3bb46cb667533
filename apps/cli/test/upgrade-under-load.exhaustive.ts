import { isCapstanError } from "@capstan/contract";
import { ConfigMapResource, MachineResource, NodeResource } from "@capstan/contract/wire";
import { KubeadmControlPlane } from "@capstan/controlplane-kubeadm/api";
import { createSimulation } from "@capstan/sim-linode";
import type { Client } from "@capstan/kube";
import type { Machine } from "@capstan/kit/machines";
import { expect, it } from "vitest";
import { key, manifestOf, namespace } from "./kubeadm-cluster.ts";
import { startTestSystemOn } from "./test-system.ts";
import { workloadClient } from "./workload-client.ts";

const counter = { namespace: "default", name: "counter" };

/**
 * Requests of users of a workload cluster: reads, and writes that each have to arrive. A connection through a load balancer ends with the
 * server behind it; a request on it is sent once again, as every client has to.
 */
class Load {
  readonly failures: string[] = [];
  answered = 0;
  /** Requests that were sent twice. */
  interrupted = 0;
  #written = 0;
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async begin(): Promise<void> {
    const data = { count: "0" };
    await this.#client.create(ConfigMapResource, { apiVersion: "v1", kind: "ConfigMap", metadata: counter, data });
  }

  /** Some requests at once; each is answered, or named among the failures. */
  async send(): Promise<void> {
    const count = String(this.#written + 1);
    const work = [
      () => this.#client.list(NodeResource),
      () => this.#client.get(ConfigMapResource, counter),
      () => this.#client.patch(ConfigMapResource, counter, { type: "merge", body: { data: { count } } }),
    ];
    for (const outcome of await Promise.allSettled(work.map((request) => this.#sent(request)))) {
      if (outcome.status === "fulfilled") this.answered += 1;
      else this.failures.push(String(outcome.reason));
    }
    this.#written += 1;
    const { data } = (await this.#client.get(ConfigMapResource, counter)) as unknown as { data: { count: string } };
    if (data.count !== count) this.failures.push(`read ${data.count} after ${count} was written`);
  }

  async #sent(request: () => Promise<unknown>): Promise<unknown> {
    try {
      return await request();
    } catch (error) {
      if (!isCapstanError(error) || !/other side closed|ECONNRESET/.test(error.message)) throw error;
      this.interrupted += 1;
      return request();
    }
  }
}

it("upgrades three members one after another while the workload API answers every request", async () => {
  const manifest = manifestOf(false).replace("replicas: 1", "replicas: 3");
  await using system = await startTestSystemOn({ linode: createSimulation }, manifest, { lenient: true });
  const { client } = system.running;
  const machines = async (): Promise<readonly Machine[]> =>
    (await client.list(MachineResource, { namespace })).items as readonly Machine[];
  const isAt = async (version: string): Promise<boolean> => {
    const { spec, status } = await client.get<KubeadmControlPlane>(KubeadmControlPlane, key);
    const present = await machines();
    return (
      spec.version === version &&
      status?.readyReplicas === 3 &&
      status.upToDateReplicas === 3 &&
      present.length === 3 &&
      present.every(
        (machine) => machine.spec.version === version && machine.status?.certificatesExpiryDate !== undefined,
      )
    );
  };
  await system.until(() => isAt("v1.34.0"));
  const workload = await workloadClient(client, key.name);
  try {
    const load = new Load(workload.client);
    await load.begin();
    const counts = new Set<number>();
    await client.patch(KubeadmControlPlane, key, { type: "merge", body: { spec: { version: "v1.35.0" } } });
    await system.until(async () => {
      await load.send();
      counts.add((await machines()).length);
      return isAt("v1.35.0");
    });
    expect(load.failures).toEqual([]);
    expect(load.answered).toBeGreaterThan(100);
    expect(load.interrupted).toBeLessThanOrEqual(3);
    expect(counts).toEqual(new Set([3, 4]));
  } finally {
    await workload.close();
  }
}, 120_000);
