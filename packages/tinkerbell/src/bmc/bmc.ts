/** Device that a machine boots from. */
export type BmcBootDevice = "pxe" | "disk" | "bios" | "cdrom";

export interface BootChoice {
  readonly device: BmcBootDevice;
  /** For every boot, not only for the next. */
  readonly persistent: boolean;
  readonly efiBoot: boolean;
}

export type PowerAction = "on" | "off" | "soft" | "cycle" | "reset";

/** `unknown`: board management does not say, or the power is about to change. It is neither on nor off then. */
export type PowerState = "on" | "off" | "unknown";

/** The board management of one machine, whatever it speaks. Failures are `tink.bmc_*`. */
export interface Bmc {
  readonly powerState: () => Promise<PowerState>;
  /** Succeeds without effect if the power is already in the requested state. */
  readonly setPower: (action: PowerAction) => Promise<void>;
  readonly setBootDevice: (choice: BootChoice) => Promise<void>;
  /** Puts the image of a CD in; ejects when the address is empty. */
  readonly setMedia: (url: string) => Promise<void>;
  /** Ends what was opened with it. Never rejects. */
  readonly close: () => Promise<void>;
}
