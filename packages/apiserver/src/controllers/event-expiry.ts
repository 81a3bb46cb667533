import { keyFromText, keyOf, keyText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { isStatusError } from "../model/status-error.ts";
import type { ExtensionFactory } from "../registry/extension.ts";
import { controller } from "./controller.ts";
import { ExpiryTimers } from "./expiry-timers.ts";

const events = { group: "", plural: "events" } as const;
const lifetimeMs = 3_600_000;

/** When an Event was last written, as far as it says so itself; never in the future. */
const lastWritten = (event: KubeObject, now: number): number => {
  const times = [event.metadata.creationTimestamp, event["lastTimestamp"], event["eventTime"]]
    .map((time) => (typeof time === "string" ? Date.parse(time) : NaN))
    .filter((time) => !Number.isNaN(time));
  return Math.min(now, Math.max(0, ...times));
};

/** Deletes Events an hour after they were last written. */
export const eventExpiry: ExtensionFactory = (environment) => {
  const { store, clock } = environment;
  return controller(environment, {
    name: "event-expiry",
    watch: (add) => {
      const timers = new ExpiryTimers(clock, add);
      const stop = store.watch(events, ({ type, object, previous }) => {
        const key = keyText(keyOf(object));
        const written = previous === undefined ? lastWritten(object, clock.now()) : clock.now();
        if (type === "DELETED") timers.clear(key);
        else timers.set(key, written + lifetimeMs);
      });
      return [stop, () => timers.clearAll()];
    },
    reconcile: async (key) => {
      await store.delete(events, keyFromText(key)).catch((error: unknown) => {
        if (!isStatusError(error, "NotFound")) throw error;
      });
    },
  });
};
