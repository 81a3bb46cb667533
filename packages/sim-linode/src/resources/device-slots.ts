import type { DeviceSlot } from "@capstan/linode-client";

const letters = (last: string): readonly string[] =>
  Array.from({ length: last.charCodeAt(0) - 96 }, (_, index) => String.fromCharCode(97 + index));

/** `sda` to `sdz`, then `sdaa` to `sdbl`, in the order in which they are filled. */
export const deviceSlots: readonly DeviceSlot[] = [
  ...letters("z").map((letter) => `sd${letter}`),
  ...letters("z").map((letter) => `sda${letter}`),
  ...letters("l").map((letter) => `sdb${letter}`),
] as readonly string[] as readonly DeviceSlot[];

const fewest = 8;

/** Those of a plan: eight, and one for each GiB of memory where that is more. */
export const slotsOf = ({ memory }: { readonly memory: number }): readonly DeviceSlot[] =>
  deviceSlots.slice(0, Math.max(fewest, Math.floor(memory / 1024)));
