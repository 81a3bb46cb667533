import type { Clock, Logger } from "@capstan/contract";
import type { GuestHost, GuestMachine } from "./guest-host.ts";
import { bootable } from "./resources/instance-rules.ts";
import type { SimulatorState, StoredInstance, StoredStatus } from "./state.ts";
import type { Timers } from "./timers.ts";
import type { Delays } from "./world.ts";

const consoleLines = 1000;

interface PowerOptions {
  readonly state: SimulatorState;
  readonly clock: Clock;
  readonly log: Logger;
  readonly delays: Delays;
  readonly timers: Timers;
  readonly guest: GuestHost | undefined;
}

/** The states of instances as time goes by, and the guests of those that run. */
export class Power {
  readonly #options: PowerOptions;
  readonly #consoles = new Map<number, string[]>();

  constructor(options: PowerOptions) {
    this.#options = options;
  }

  console(id: number): readonly string[] {
    return this.#consoles.get(id) ?? [];
  }

  /** After creation: offline, or running if that was wanted. */
  provision(instance: StoredInstance): void {
    this.#become(instance, "provisioning");
    this.#later(instance, this.#options.delays.provisionMs, () => {
      this.#become(instance, "offline");
      if (instance.bootAfterProvisioning) this.boot(instance);
    });
  }

  boot(instance: StoredInstance): void {
    bootable(instance);
    this.#become(instance, "booting");
    this.#later(instance, this.#options.delays.bootMs, () => this.#run(instance, false));
  }

  shutdown(instance: StoredInstance): void {
    this.#become(instance, "shutting_down");
    this.#stopGuest(instance, { keepDisk: true });
    this.#later(instance, this.#options.delays.shutdownMs, () => this.#become(instance, "offline"));
  }

  remove(instance: StoredInstance): void {
    if (instance.status !== "deleting") this.#remove(instance);
  }

  #remove(instance: StoredInstance): void {
    this.#become(instance, "deleting");
    this.#stopGuest(instance, { keepDisk: false });
    this.#later(instance, this.#options.delays.deleteMs, () => {
      this.#consoles.delete(instance.id);
      const { state } = this.#options;
      state.instances = state.instances.filter(({ id }) => id !== instance.id);
    });
  }

  /** After a restart with saved state: what was under way starts over, what ran goes on. */
  resume(): void {
    for (const instance of this.#options.state.instances) {
      for (const disk of instance.disks) disk.status = "ready";
      if (instance.status === "provisioning") this.provision(instance);
      else if (instance.status === "booting") {
        instance.status = "offline";
        this.boot(instance);
      } else if (instance.status === "running") this.#run(instance, true);
      else if (instance.status === "shutting_down") this.shutdown(instance);
      else if (instance.status === "deleting") this.#remove(instance);
    }
  }

  /** Stops every guest; the state stays as it is. */
  async stop(): Promise<void> {
    const { guest, state } = this.#options;
    if (guest === undefined) return;
    const running = state.instances.filter(({ status }) => status === "running");
    await Promise.all(running.map(async ({ id }) => guest.shutdown(String(id), { keepDisk: true })));
  }

  #become(instance: StoredInstance, status: StoredStatus): void {
    instance.status = status;
    instance.updated = this.#options.clock.now();
  }

  #later(instance: StoredInstance, ms: number, then: () => void): void {
    this.#options.timers.later(instance.id, ms, then);
  }

  #run(instance: StoredInstance, resumed: boolean): void {
    this.#become(instance, "running");
    instance.booted = true;
    const { guest } = this.#options;
    if (guest === undefined) return;
    const machine = this.#machine(instance, resumed);
    this.#background("guest did not boot", instance, Promise.resolve(machine).then(guest.boot.bind(guest)));
  }

  #stopGuest(instance: StoredInstance, options: { readonly keepDisk: boolean }): void {
    const { guest } = this.#options;
    if (guest === undefined) return;
    const id = String(instance.id);
    this.#background(
      "guest did not stop",
      instance,
      Promise.resolve().then(() => guest.shutdown(id, options)),
    );
  }

  #machine(instance: StoredInstance, resumed: boolean): GuestMachine {
    const lines: string[] = this.#consoles.get(instance.id) ?? [];
    this.#consoles.set(instance.id, lines);
    return {
      id: String(instance.id),
      name: instance.label,
      metadata: {
        "instance-id": String(instance.id),
        label: instance.label,
        region: instance.region,
        type: instance.type,
        "local-hostname": instance.label,
        "local-ipv4": instance.address,
      },
      userData: instance.userData,
      address: instance.address,
      providerID: `linode://${instance.id}`,
      resumed,
      clock: this.#options.clock,
      console: (line) => {
        lines.push(line);
        if (lines.length > consoleLines) lines.shift();
      },
    };
  }

  #background(message: string, instance: StoredInstance, work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#options.log.error(message, { instance: instance.label, error: String(error) });
    });
  }
}
