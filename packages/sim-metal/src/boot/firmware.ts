import type { Clock, Random } from "@capstan/contract";
import type { GuestHost, GuestMachine } from "@capstan/simulation";
import type { BootMedium, RackState, StoredMachine, BootDevice } from "../state.ts";
import type { BootProgram, Handover, Host } from "./boot-program.ts";

/** Returns the media that a machine tries to boot, in order: the chosen device, then disk and network. */
const bootOrder = (machine: StoredMachine, first: BootDevice): readonly BootMedium[] => {
  const image = machine.disks.find((disk) => disk.image !== undefined)?.image;
  const disk: readonly BootMedium[] = image === undefined ? [] : [{ kind: "disk", image }];
  const network: readonly BootMedium[] = [{ kind: "network" }];
  if (first === "pxe") return [...network, ...disk];
  const media: readonly BootMedium[] =
    first === "cdrom" && machine.virtualMedia !== undefined ? [{ kind: "media", url: machine.virtualMedia }] : [];
  return [...media, ...disk, ...network];
};

/** Delay before firmware that found nothing to boot repeats its boot order. */
const bootRetryMs = 5000;

export interface FirmwareOptions {
  readonly state: RackState;
  readonly clock: Clock;
  readonly random: Random;
  /** In order: the first that boots a medium runs. */
  readonly programs: readonly BootProgram[];
  /** Plays the systems on the disks. Without it they only run. */
  readonly guest?: GuestHost | undefined;
  readonly save: () => Promise<void>;
  readonly restart: (machine: StoredMachine) => void;
  readonly powerOff: (machine: StoredMachine) => void;
}

interface Run {
  readonly off: AbortController;
  readonly done: Promise<void>;
}

/** The firmware of all machines: what runs on them from power-on to power-off. */
export class Firmware implements GuestHost {
  readonly #options: FirmwareOptions;
  readonly #runs = new Map<string, Run>();

  constructor(options: FirmwareOptions) {
    this.#options = options;
  }

  boot(guest: GuestMachine): void {
    const machine = this.#options.state.machines.find(({ name }) => name === guest.id);
    if (machine === undefined) return;
    const off = new AbortController();
    const done = this.shutdown(guest.id).then(() => this.#run(machine, guest, off.signal));
    this.#runs.set(guest.id, { off, done });
  }

  async shutdown(id: string): Promise<void> {
    const run = this.#runs.get(id);
    run?.off.abort();
    // A program may wait for its system, which ends only now.
    await Promise.all([run?.done, this.#options.guest?.shutdown(id, { keepDisk: true })]);
  }

  /** Never rejects. */
  async #run(machine: StoredMachine, guest: GuestMachine, signal: AbortSignal): Promise<void> {
    try {
      const handover = await this.#bootAndFollow(machine, guest, signal);
      if (signal.aborted) return;
      if (handover === "reboot") this.#options.restart(machine);
      if (handover === "power-off") this.#options.powerOff(machine);
      await this.#options.save();
    } catch (error) {
      if (!signal.aborted) guest.console(`halted: ${(error as Error).message}`);
    }
  }

  async #bootAndFollow(machine: StoredMachine, guest: GuestMachine, signal: AbortSignal): Promise<Handover> {
    const { clock, save } = this.#options;
    const resumed = guest.resumed ? machine.bootedFrom : undefined;
    if (resumed !== undefined) {
      const handover = await this.#bootFrom([resumed], { machine, guest, signal, resumed: true });
      if (handover !== "next") return handover;
    }
    const device = machine.oneTimeBootDevice ?? machine.bootDevice;
    delete machine.oneTimeBootDevice;
    await save();
    if (device === "bios" || device === "safe") {
      guest.console(`firmware: entered ${device === "bios" ? "setup" : "safe mode"}`);
      return "stay";
    }
    for (;;) {
      const handover = await this.#bootFrom(bootOrder(machine, device), { machine, guest, signal, resumed: false });
      if (handover !== "next") return handover;
      guest.console("firmware: no bootable device; trying again");
      await clock.sleep(bootRetryMs, { signal });
    }
  }

  async #bootFrom(media: readonly BootMedium[], boot: Boot): Promise<Handover> {
    for (const medium of media) {
      const handover = await this.#start(medium, boot);
      if (handover !== "next") return handover;
    }
    return "next";
  }

  async #start(medium: BootMedium, boot: Boot): Promise<Handover> {
    const { machine, guest, signal } = boot;
    signal.throwIfAborted();
    const program = this.#options.programs.find(({ boots }) => boots(medium));
    guest.console(`firmware: booting from ${nameOf(medium)}`);
    if (program === undefined) return "next";
    machine.bootedFrom = medium;
    await this.#options.save();
    const handover = await program.run(this.#host(boot));
    if (handover !== "kexec") return handover;
    const [disk] = bootOrder(machine, "disk");
    if (disk?.kind !== "disk") throw new Error("kexec: there is no kernel on the disk");
    return this.#start(disk, { ...boot, resumed: false });
  }

  #host({ machine, guest, signal, resumed }: Boot): Host {
    const { clock, random, save, state, guest: systems } = this.#options;
    const { id, name, address, plan, metadata } = guest;
    return {
      machine,
      resumed,
      plan,
      clock,
      random,
      signal,
      services: state.services,
      print: (line) => guest.console(line),
      save,
      startSystem: async (system) => {
        signal.throwIfAborted();
        const { providerID = "" } = machine;
        const { userData } = system;
        const image = machine.disks.find((disk) => disk.image !== undefined)?.image;
        const boot = { id, name, address, userData, providerID, metadata: { ...metadata, ...system.metadata } };
        await systems?.boot({ ...guest, ...boot, ...(image !== undefined && { image }), resumed });
      },
      runScript: async (script, options) => systems?.run?.(id, script, options),
      systemDisk: () => systems?.disk?.(id),
      erase: async () => {
        delete machine.providerID;
        await systems?.shutdown(id, { keepDisk: false });
      },
    };
  }
}

interface Boot {
  readonly machine: StoredMachine;
  readonly guest: GuestMachine;
  readonly signal: AbortSignal;
  readonly resumed: boolean;
}

const nameOf = (medium: BootMedium): string =>
  medium.kind === "network" ? "the network" : medium.kind === "disk" ? `disk with ${medium.image}` : medium.url;
