import type { GuestDiskV1, GuestRunV1, GuestRunOptionsV1 } from "@capstan/contract/v1";
import type { Clock, Random } from "@capstan/contract";
import type { BootMedium, StoredMachine } from "../state.ts";

/**
 * What runs on a machine once it has power. The firmware takes the first program that boots the medium, runs it until it hands over, and
 * aborts its signal when the power goes.
 *
 * Another kind of host is another program: give the simulator one more in `programs`, whose `boots` knows an image or a medium of its own,
 * and seed machines with that image on a disk, or that URL in the drive. A program that installs writes `host.machine.disks`, calls
 * `host.erase()` for what ran from them before, and hands over to `reboot`; the program that boots the disk then calls
 * `host.startSystem`, and may continue working beside the system until the signal.
 */
export interface BootProgram {
  readonly name: string;
  readonly boots: (medium: BootMedium) => boolean;
  /** What it throws is printed on the console, and the machine halts with its power on. */
  readonly run: (host: Host) => Promise<Handover>;
}

/** What happens after a program. */
export type Handover =
  /** Nothing: the machine stays on. */
  | "stay"
  /** The next device of the boot order, for a medium that turned out not to boot. */
  | "next"
  /** The first disk, without the firmware in between. */
  | "kexec"
  | "reboot"
  | "power-off";

/** What a cloud-init of the system on the disk starts with. */
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
  /** What a test wants of this machine; see the fields of guest plans. */
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
