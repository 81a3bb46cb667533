import type { GuestDiskV1, GuestRunV1, GuestRunOptionsV1 } from "@capstan/contract/v1";
import type { Clock, Random } from "@capstan/contract";
import type { BootMedium, StoredMachine } from "../state.ts";

/**
 * Program that runs on a machine with power. The firmware takes the first program that boots the medium, runs it until it hands over, and
 * aborts its signal when the machine loses power.
 *
 * To add a kind of host, pass another program in `programs` whose `boots` recognizes its own image or medium, and seed machines with
 * that image on a disk, or that URL in the drive. A program that installs writes `host.machine.disks`, calls `host.erase()` to discard
 * the system that ran from them before, and hands over to `reboot`; the program that boots the disk then calls `host.startSystem`, and
 * may keep running alongside the system until the signal.
 */
export interface BootProgram {
  readonly name: string;
  readonly boots: (medium: BootMedium) => boolean;
  /** An error it throws is printed on the console, and the machine halts with its power on. */
  readonly run: (host: Host) => Promise<Handover>;
}

/** Next step after a program ends. */
export type Handover =
  /** Nothing: the machine stays on. */
  | "stay"
  /** The next device of the boot order, for a medium that turned out not to boot. */
  | "next"
  /** The first disk, without the firmware in between. */
  | "kexec"
  | "reboot"
  | "power-off";

/** Input of cloud-init in the system on the disk. */
export interface SystemBoot {
  /** Standard base64. */
  readonly userData: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A machine as the program on it sees it. */
export interface Host {
  /** Change its disks, boot devices and media here, and `save` before anything outside is told. */
  readonly machine: StoredMachine;
  /** The machine had power when the simulator stopped: the program continues where it was. */
  readonly resumed: boolean;
  /** Behaviour that a test plans for this machine; see the fields of guest plans. */
  readonly plan: Readonly<Record<string, unknown>>;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted when the machine loses its power. */
  readonly signal: AbortSignal;
  /** Where the machine's network expects the provisioning services: an IP address. */
  readonly services: string;
  /** Writes a line to the serial console. */
  readonly print: (line: string) => void;
  readonly save: () => Promise<void>;
  /** Starts the system on the disk. Its first start runs cloud-init with the user-data, later ones continue. Resolves when that is over. */
  readonly startSystem: (boot: SystemBoot) => Promise<void>;
  /** Runs a script in the system that was started, and waits for its end; `undefined`: none runs, or not any more. */
  readonly runScript: (script: string, options: GuestRunOptionsV1) => Promise<GuestRunV1 | undefined>;
  /** The files of the system that was started; `undefined`: none runs. */
  readonly systemDisk: () => GuestDiskV1 | undefined;
  /** Forgets the system that ran from the disks. */
  readonly erase: () => Promise<void>;
}
