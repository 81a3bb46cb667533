import { bootstrapSentinel } from "@capstan/contract";
import type { GuestHostV1 } from "@capstan/contract/v1";

/** Called for everything that a host is told to do. */
type OnWork = (method: string, family: string) => void;

/**
 * Plays the systems of a fleet's hosts: one that starts with bootstrap data has succeeded with it at once. A reset erases twice, and starts
 * the recovery system in between.
 */
export const hostSystems = (onWork: OnWork): GuestHostV1 => {
  const states = new Map<string, "bootstrapped" | "resetting">();
  return {
    boot: ({ id, userData }) => {
      if (userData === "" || states.has(id)) return;
      states.set(id, "bootstrapped");
      onWork("POST", "bootstrap");
    },
    shutdown: (id, { keepDisk = true } = {}) => {
      if (keepDisk) return;
      const wasBootstrapped = states.get(id) === "bootstrapped";
      states.delete(id);
      if (!wasBootstrapped) return;
      states.set(id, "resetting");
      onWork("POST", "reset");
    },
    disk: (id) => ({
      stat: (path) =>
        path === bootstrapSentinel && states.get(id) === "bootstrapped" ? { bytes: Buffer.from("success") } : undefined,
      write: () => undefined,
      remove: () => false,
    }),
  };
};
