import type { BmcAction } from "../api/bmc-job.ts";
import type { Bmc, BmcBootDevice, BootChoice } from "./bmc.ts";
import { invalidConnection } from "./errors.ts";

const devices: readonly string[] = ["pxe", "disk", "bios", "cdrom"] satisfies readonly BmcBootDevice[];

const choiceOf = (device: string | undefined, field: string, more: Omit<BootChoice, "device">): BootChoice => {
  if (device !== undefined && devices.includes(device)) return { device: device as BmcBootDevice, ...more };
  throw invalidConnection(`${field}: ${JSON.stringify(device ?? "")} is not served; use one of ${devices.join(", ")}`);
};

/** Has board management do one thing. Everything but `cycle` and `reset` may be done again without harm. */
export const performAction = async (action: BmcAction, bmc: Bmc, owner: string): Promise<void> => {
  const { powerAction, oneTimeBootDeviceAction: once, bootDevice, virtualMediaAction: media } = action;
  if (powerAction !== undefined) {
    if (powerAction === "status") await bmc.powerState();
    else await bmc.setPower(powerAction);
  } else if (once !== undefined) {
    const field = `${owner}, oneTimeBootDeviceAction.device[0]`;
    const more = { persistent: false, efiBoot: once.efiBoot ?? false };
    await bmc.setBootDevice(choiceOf(once.device[0], field, more));
  } else if (bootDevice !== undefined) {
    const { device, persistent = false, efiBoot = false } = bootDevice;
    await bmc.setBootDevice(choiceOf(device, `${owner}, bootDevice.device`, { persistent, efiBoot }));
  } else if (media !== undefined) {
    await bmc.setMedia(media.mediaURL ?? "");
  }
};

/** The power that an action ends with, to be waited for; `undefined`: what was asked for is done at once. */
export const finalPower = ({ powerAction }: BmcAction): "on" | "off" | undefined =>
  powerAction === "on" || powerAction === "cycle" || powerAction === "reset"
    ? "on"
    : powerAction === "off" || powerAction === "soft"
      ? "off"
      : undefined;
