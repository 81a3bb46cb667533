import type { Launcher } from "../src/host/machine-host.ts";

/** Machines that run nothing: for what has to do with their objects alone. */
export const stillLauncher: Launcher = {
  start: async () => undefined,
  remove: async () => undefined,
  serve: async () => ({ close: async () => undefined }),
};
