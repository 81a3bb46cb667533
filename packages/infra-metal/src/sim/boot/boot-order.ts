import type { BootDevice, BootMedium, StoredMachine } from "../state.ts";

/** What a machine tries to boot from, in order: the device that was chosen, then disk and network. */
export const bootOrder = (machine: StoredMachine, first: BootDevice): readonly BootMedium[] => {
  const image = machine.disks.find((disk) => disk.image !== undefined)?.image;
  const disk: readonly BootMedium[] = image === undefined ? [] : [{ kind: "disk", image }];
  const network: readonly BootMedium[] = [{ kind: "network" }];
  if (first === "pxe") return [...network, ...disk];
  const media: readonly BootMedium[] =
    first === "cdrom" && machine.virtualMedia !== undefined ? [{ kind: "media", url: machine.virtualMedia }] : [];
  return [...media, ...disk, ...network];
};
