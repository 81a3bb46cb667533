import type { Clock, Logger } from "@capstan/contract";
import type { GuestRunOptionsV1, GuestRunV1 } from "@capstan/contract/v1";
import type { Timers } from "../state/timers.ts";
import type { ConsoleLine, Consoles } from "./consoles.ts";
import type { GuestHost, GuestMachine } from "./guest-host.ts";
import type { GuestPlan, GuestPlans } from "./guest-plans.ts";

/** Where a machine is on its way. */
export type Power = "provisioning" | "off" | "booting" | "running" | "stopping" | "removing";

/** Facts about its machine that the vendor passes to the guest. */
export interface GuestIdentity extends Pick<
  GuestMachine,
  "id" | "name" | "userData" | "address" | "providerID" | "resolve" | "image" | "hardware"
> {
  /** Default: empty. */
  readonly group?: string;
  /** In addition to `instance-id`, `local-hostname` and `local-ipv4`, which are always there. */
  readonly metadata?: GuestMachine["metadata"];
  /** Lines that its console shows when it boots: what the simulator does not play of it. Default: none. */
  readonly notes?: readonly string[];
}

/** Access of the power model to a vendor's machines. */
export interface MachineModel<M> {
  /** Prefix of the names of its timers, for simulators with several models. Default `machine`. */
  readonly kind?: string;
  readonly all: () => readonly M[];
  readonly guestOf: (machine: M) => GuestIdentity;
  readonly powerOf: (machine: M) => Power;
  /** Writes the new state into the machine. */
  readonly become: (machine: M, power: Power) => void;
  /** Returns whether it boots as soon as it is provisioned. Default: no machine does. */
  readonly bootsByItself?: (machine: M) => boolean;
  /** Returns whether it boots what is on its disk, and not a rescue system, in which no one is. Default: every machine does. */
  readonly bootsFromDisk?: (machine: M) => boolean;
  /** Takes it out of the account. */
  readonly remove: (machine: M) => void;
}

/** Durations of operations in the simulated cloud, in milliseconds. */
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

/** Console of a machine. */
export interface MachineConsole extends Omit<MachineSummary, "power"> {
  readonly providerID: string;
  readonly lines: readonly ConsoleLine[];
}

export interface MachinePowerOptions<M> {
  readonly model: MachineModel<M>;
  readonly delays: PowerDelays;
  readonly clock: Clock;
  readonly log: Logger;
  readonly timers: Timers;
  readonly plans: GuestPlans;
  /** The serial consoles of all machines of the simulator. */
  readonly consoles: Consoles;
  /** Without it the machines only run. */
  readonly guest: GuestHost | undefined;
}

/** Change of a machine when a timer is due. */
type Task = "provisioned" | "booted" | "bootstrap" | "stopped" | "removed";

/** The states of machines as time goes by, and the guests of those that run. */
export class MachinePower<M> {
  readonly #options: MachinePowerOptions<M>;

  constructor(options: MachinePowerOptions<M>) {
    this.#options = options;
    const { model } = options;
    this.#define("provisioned", (machine) => {
      model.become(machine, "off");
      if (model.bootsByItself?.(machine) === true) this.boot(machine);
    });
    this.#define("booted", (machine) => this.#run(machine));
    this.#define("bootstrap", (machine) => this.#bootGuest(machine, { resumed: false }));
    this.#define("stopped", (machine) => model.become(machine, "off"));
    this.#define("removed", (machine) => {
      options.consoles.remove(this.#key(machine));
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
    return this.#options.consoles.lines(this.#keyOf(id)).map(({ text }) => text);
  }

  /** The consoles of all its machines from a number of a line on, for the control interface. */
  consolesSince(since: number): readonly MachineConsole[] {
    const { consoles, model } = this.#options;
    return model.all().map((machine) => {
      const { id, name, group = "", providerID } = model.guestOf(machine);
      return { id, name, group, providerID, lines: consoles.lines(this.#keyOf(id), since) };
    });
  }

  /** Runs a script inside a machine that runs and waits for its end; `undefined`: no one there does. */
  async run(machine: M, script: string, options?: GuestRunOptionsV1): Promise<GuestRunV1 | undefined> {
    const { guest, model } = this.#options;
    if (model.powerOf(machine) !== "running") return undefined;
    return guest?.run?.(model.guestOf(machine).id, script, options);
  }

  /** Begins the life of a new machine, which is off then, or boots by itself. */
  provision(machine: M): void {
    this.#begin(machine, "provisioning", "provisioned", this.#options.delays.provisionMs);
  }

  boot(machine: M): void {
    this.#begin(machine, "booting", "booted", this.#options.delays.bootMs);
  }

  shutdown(machine: M): void {
    this.#stopGuest(machine, { keepDisk: true });
    this.#begin(machine, "stopping", "stopped", this.#options.delays.shutdownMs);
  }

  /** Without going off in between; without its disk the machine starts over. */
  restart(machine: M, { keepDisk = true }: { readonly keepDisk?: boolean } = {}): void {
    this.#stopGuest(machine, { keepDisk });
    this.boot(machine);
  }

  /** Does nothing for a machine that is being removed already. */
  remove(machine: M): void {
    if (this.#options.model.powerOf(machine) === "removing") return;
    this.#stopGuest(machine, { keepDisk: false });
    this.#begin(machine, "removing", "removed", this.#options.delays.deleteMs);
  }

  /** After a restart with saved state: machines that ran continue. Whatever was under way is in the timers; without a timer it starts over. */
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
      else if (power === "removing") this.#begin(machine, power, "removed", this.#options.delays.deleteMs);
    }
  }

  /** Stops every guest; the state stays as it is. */
  async stop(): Promise<void> {
    const { guest, model } = this.#options;
    if (guest === undefined) return;
    const running = model.all().filter((machine) => model.powerOf(machine) === "running");
    await Promise.all(running.map(async (machine) => guest.shutdown(model.guestOf(machine).id, { keepDisk: true })));
  }

  get #kind(): string {
    return this.#options.model.kind ?? "machine";
  }

  #key(machine: M): string {
    return this.#keyOf(this.#options.model.guestOf(machine).id);
  }

  #keyOf(id: string): string {
    return `${this.#kind}-${id}`;
  }

  #set(machine: M, task: Task, ms: number): void {
    this.#options.timers.set(this.#key(machine), `${this.#kind}-${task}`, ms);
  }

  #define(task: Task, run: (machine: M) => void): void {
    const { model, timers } = this.#options;
    timers.define(`${this.#kind}-${task}`, (key) => {
      const machine = model.all().find((candidate) => this.#key(candidate) === key);
      if (machine !== undefined) run(machine);
    });
  }

  #begin(machine: M, power: Power, then: Task, ms: number): void {
    this.#options.model.become(machine, power);
    this.#set(machine, then, ms);
  }

  #run(machine: M): void {
    const { model } = this.#options;
    model.become(machine, "running");
    const { boot, bootstrap, bootstrapSeconds, console = "" } = this.#plan(machine);
    for (const line of console.split("\n")) if (line !== "") this.#options.consoles.write(this.#key(machine), line);
    if (boot === "never") return;
    if (bootstrap === "hang") return;
    if (bootstrapSeconds === undefined) this.#bootGuest(machine, { resumed: false });
    else this.#set(machine, "bootstrap", bootstrapSeconds * 1000);
  }

  #plan(machine: M): GuestPlan {
    const { name, group = "" } = this.#options.model.guestOf(machine);
    return this.#options.plans.for({ name, group });
  }

  #bootGuest(machine: M, { resumed }: { readonly resumed: boolean }): void {
    const { guest, clock, model } = this.#options;
    if (guest === undefined || model.bootsFromDisk?.(machine) === false) return;
    const { notes = [], ...identity } = model.guestOf(machine);
    const { id, name, address, metadata } = identity;
    const say = (line: string): void => this.#options.consoles.write(this.#keyOf(id), line);
    if (!resumed) for (const note of notes) say(note);
    const booting: GuestMachine = {
      group: "",
      ...identity,
      metadata: { "instance-id": id, "local-hostname": name, "local-ipv4": address, ...metadata },
      resumed,
      plan: this.#plan(machine),
      clock,
      console: say,
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
