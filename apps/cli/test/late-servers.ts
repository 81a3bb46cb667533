import assert from "node:assert/strict";
import { once } from "node:events";
import type { SimulationOutsideV1 } from "@capstan/contract/v1";
import { MachineResource, NodeResource } from "@capstan/contract/wire";
import { KubeadmControlPlane } from "@capstan/controlplane-kubeadm/api";
import type { GuestEtcd, GuestHost } from "@capstan/guest";
import { createSimulation, type LinodeSimulation } from "@capstan/sim-linode";
import { key, lookEvery, manifestOf, withLateServers } from "./kubeadm-cluster.ts";
import { startTestSystemOn, type TestSystem } from "./test-system.ts";
import { workloadClient } from "./workload-client.ts";

const minute = 60_000;
/** Holds servers before they boot. */
class Hold {
  #released: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  begin(): void {
    ({ promise: this.#released, resolve: this.#release } = Promise.withResolvers<void>());
  }

  end(): void {
    this.#release();
  }

  async over(off: AbortSignal): Promise<void> {
    await Promise.race([this.#released, once(off, "abort")]);
  }
}

/** A control plane whose servers join with one token, of which servers can be made to come up late. */
export class LateServers {
  readonly system: TestSystem;
  readonly #guests: readonly GuestHost[];
  readonly #hold: Hold;

  private constructor(system: TestSystem, guests: readonly GuestHost[], hold: Hold) {
    this.system = system;
    this.#guests = guests;
    this.#hold = hold;
  }

  static async start(): Promise<LateServers> {
    const guests: GuestHost[] = [];
    const hold = new Hold();
    const watched = (outside: SimulationOutsideV1): SimulationOutsideV1 => ({
      ...outside,
      guest: (name) => {
        const host = outside.guest(name) as GuestHost;
        guests.push(host);
        return withLateServers(host, (off) => hold.over(off));
      },
    });
    const cloud = {
      linode: (outside: SimulationOutsideV1): Promise<LinodeSimulation> => createSimulation(watched(outside)),
    };
    return new LateServers(await startTestSystemOn(cloud, manifestOf(true), { lenient: true }), guests, hold);
  }

  get servers(): number {
    return this.system.simulator.state.instances.length;
  }

  members(): readonly GuestEtcd[] {
    const ids = this.system.simulator.state.instances.map(({ id }) => String(id));
    return this.#guests.flatMap((host) => ids.flatMap((id) => host.etcd(id) ?? []));
  }

  async patch(spec: object): Promise<void> {
    await this.system.running.client.patch(KubeadmControlPlane, key, { type: "merge", body: { spec } });
  }

  /** There is a leader of etcd at every look; they are as far apart as what is waited for takes. */
  async until(condition: () => boolean | Promise<boolean>, everyMs = 1000): Promise<void> {
    const look = async (): Promise<boolean> => {
      assert.ok(
        this.members().some(({ isLeader }) => isLeader),
        "etcd has no leader",
      );
      return condition();
    };
    await lookEvery(this.system.clock, look, { everyMs, maxMs: 60 * minute });
  }

  /** A rollout that is taken back at once, and whose new server comes up while its deletion is on its way, which takes a minute. `meanwhile`: done again and again until then. */
  async takeBackLateServer(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    const before = this.servers;
    this.#hold.begin();
    await this.patch({ kubeadmConfigSpec: { verbosity: 3 } });
    await this.until(() => this.servers === before + 1, 100);
    const { faults } = this.system.simulator;
    faults.add({ method: "DELETE", path: /^linode\/instances\/\d+$/, action: { kind: "delay", ms: minute } });
    await this.patch({ kubeadmConfigSpec: { verbosity: null } });
    await this.until(async () => {
      await meanwhile();
      return faults.pending().length === 0;
    });
    this.#hold.end();
  }

  async machines(): Promise<number> {
    return (await this.system.running.client.list(MachineResource)).items.length;
  }

  /** Members of etcd, and Nodes. */
  async joined(): Promise<{ readonly members: number; readonly nodes: number }> {
    const { client, close } = await workloadClient(this.system.running.client, key.name);
    try {
      const { items } = await client.list(NodeResource);
      return { members: this.members()[0]?.members.length ?? 0, nodes: items.length };
    } finally {
      await close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.system[Symbol.asyncDispose]();
  }
}
