import type { Clock, Logger } from "@capstan/contract";
import type { Timers } from "../state/timers.ts";
import { Consoles } from "./consoles.ts";
import type { GuestHost, GuestMachine } from "./guest-host.ts";
import type { GuestPlan, GuestPlans } from "./guest-plans.ts";

/** Where a machine is on its way. */
export type Power = "provisioning" | "off" | "booting" | "running" | "stopping" | "removing";

/** What a guest is told of its machine by the vendor. */
export interface GuestIdentity extends Pick<GuestMachine, "id" | "name" | "userData" | "address" | "providerID"> {
  /** Default: empty. */
  readonly group?: string;
  /** Besides `instance-id`, `local-hostname` and `local-ipv4`, which every machine is told. */
  readonly metadata?: GuestMachine["metadata"];
}

/** How the power model finds its way in a vendor's machines. */
export interface MachineModel<M> {
  readonly all: () => readonly M[];
  readonly guestOf: (machine: M) => GuestIdentity;
  readonly powerOf: (machine: M) => Power;
  /** Writes the new state into the machine. */
  readonly become: (machine: M, power: Power) => void;
  /** Whether it boots as soon as it is provisioned. Default: no machine does. */
  readonly bootsByItself?: (machine: M) => boolean;
  /** Takes it out of the account. */
  readonly remove: (machine: M) => void;
}

/** How long the simulated cloud takes, milliseconds. */
export interface PowerDelays {
  /** From creation until the disks are written. */
  readonly provisionMs: number;
  /** From `boot` until the machine runs. */
  readonly bootMs: number;
  readonly shutdownMs: number;
  /** From `remove` until the machine is gone. */
  readonly deleteMs: number;
}

/** A machine in a list. */
export interface MachineSummary {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly power: Power;
}

export interface MachinePowerOptions<M> {
  readonly model: MachineModel<M>;
  readonly delays: PowerDelays;
  readonly clock: Clock;
  readonly log: Logger;
  readonly timers: Timers;
  readonly plans: GuestPlans;
  /** Without it the machines only run. */
  readonly guest: GuestHost | undefined;
}

/** Tasks of the timers. */
const Task = {
  provisioned: "machine-provisioned",
  booted: "machine-booted",
  bootstrap: "machine-bootstrap",
  stopped: "machine-stopped",
  removed: "machine-removed",
} as const;

/** The states of machines as time goes by, and the guests of those that run. */
export class MachinePower<M> {
  readonly #options: MachinePowerOptions<M>;
  readonly #consoles = new Consoles();

  constructor(options: MachinePowerOptions<M>) {
    this.#options = options;
    const { model } = options;
    this.#define(Task.provisioned, (machine) => {
      model.become(machine, "off");
      if (model.bootsByItself?.(machine) === true) this.boot(machine);
    });
    this.#define(Task.booted, (machine) => this.#run(machine));
    this.#define(Task.bootstrap, (machine) => this.#bootGuest(machine, { resumed: false }));
    this.#define(Task.stopped, (machine) => model.become(machine, "off"));
    this.#define(Task.removed, (machine) => {
      this.#consoles.remove(model.guestOf(machine).id);
      model.remove(machine);
    });
  }

  /** The machines there are, for the control interface. */
  list(): readonly MachineSummary[] {
    const { model } = this.#options;
    return model.all().map((machine) => {
      const { id, name, group = "" } = model.guestOf(machine);
      return { id, name, group, power: model.powerOf(machine) };
    });
  }

  /** The newest 1000 lines of a machine's serial console. */
  console(id: string): readonly string[] {
    return this.#consoles.lines(id);
  }

  /** After creation: off, or running if it boots by itself. */
  provision(machine: M): void {
    this.#begin(machine, "provisioning", Task.provisioned, this.#options.delays.provisionMs);
  }

  boot(machine: M): void {
    this.#begin(machine, "booting", Task.booted, this.#options.delays.bootMs);
  }

  shutdown(machine: M): void {
    this.#stopGuest(machine, { keepDisk: true });
    this.#begin(machine, "stopping", Task.stopped, this.#options.delays.shutdownMs);
  }

  /** A machine that is being removed already goes on being removed. */
  remove(machine: M): void {
    if (this.#options.model.powerOf(machine) === "removing") return;
    this.#stopGuest(machine, { keepDisk: false });
    this.#begin(machine, "removing", Task.removed, this.#options.delays.deleteMs);
  }

  /** After a restart with saved state: what ran goes on. What was under way is in the timers; without one it starts over. */
  resume(): void {
    const { model, timers } = this.#options;
    for (const machine of model.all()) {
      const power = model.powerOf(machine);
      if (power === "removing") this.#stopGuest(machine, { keepDisk: false });
      if (timers.has(this.#key(machine))) continue;
      if (power === "running") this.#bootGuest(machine, { resumed: true });
      else if (power === "provisioning") this.provision(machine);
      else if (power === "booting") this.boot(machine);
      else if (power === "stopping") this.shutdown(machine);
      else if (power === "removing") this.#begin(machine, power, Task.removed, this.#options.delays.deleteMs);
    }
  }

  /** Stops every guest; the state stays as it is. */
  async stop(): Promise<void> {
    const { guest, model } = this.#options;
    if (guest === undefined) return;
    const running = model.all().filter((machine) => model.powerOf(machine) === "running");
    await Promise.all(running.map(async (machine) => guest.shutdown(model.guestOf(machine).id, { keepDisk: true })));
  }

  #key(machine: M): string {
    return `machine-${this.#options.model.guestOf(machine).id}`;
  }

  #define(task: string, run: (machine: M) => void): void {
    const { model, timers } = this.#options;
    timers.define(task, (key) => {
      const machine = model.all().find((candidate) => this.#key(candidate) === key);
      if (machine !== undefined) run(machine);
    });
  }

  #begin(machine: M, power: Power, then: string, ms: number): void {
    this.#options.model.become(machine, power);
    this.#options.timers.set(this.#key(machine), then, ms);
  }

  #run(machine: M): void {
    const { model, timers } = this.#options;
    model.become(machine, "running");
    const { boot, bootstrap, bootstrapSeconds, console = "" } = this.#plan(machine);
    if (boot === "never") return;
    for (const line of console.split("\n")) if (line !== "") this.#consoles.write(model.guestOf(machine).id, line);
    if (bootstrap === "hang") return;
    if (bootstrapSeconds === undefined) this.#bootGuest(machine, { resumed: false });
    else timers.set(this.#key(machine), Task.bootstrap, bootstrapSeconds * 1000);
  }

  #plan(machine: M): GuestPlan {
    const { name, group = "" } = this.#options.model.guestOf(machine);
    return this.#options.plans.for({ name, group });
  }

  #bootGuest(machine: M, { resumed }: { readonly resumed: boolean }): void {
    const { guest, clock, model } = this.#options;
    if (guest === undefined) return;
    const identity = model.guestOf(machine);
    const { id, name, address, metadata } = identity;
    const booting: GuestMachine = {
      group: "",
      ...identity,
      metadata: { "instance-id": id, "local-hostname": name, "local-ipv4": address, ...metadata },
      resumed,
      plan: this.#plan(machine),
      clock,
      console: (line) => this.#consoles.write(id, line),
    };
    this.#background("guest did not boot", machine, async () => guest.boot(booting));
  }

  #stopGuest(machine: M, options: { readonly keepDisk: boolean }): void {
    const { guest, model } = this.#options;
    if (guest === undefined) return;
    const { id } = model.guestOf(machine);
    this.#background("guest did not stop", machine, async () => guest.shutdown(id, options));
  }

  #background(message: string, machine: M, work: () => Promise<void>): void {
    const { log, model } = this.#options;
    Promise.resolve()
      .then(work)
      .catch((error: unknown) => {
        log.error(message, { machine: model.guestOf(machine).name, error: String(error) });
      });
  }
}
