import type { Disk } from "../boot/disk.ts";
import type { MachineSoftware } from "../software/machine-software.ts";

/** The machine whose services and kernel programs change. */
export interface MachineSoftwareHost {
  readonly disk: Disk;
  readonly software: MachineSoftware;
}
