import { isStatusError } from "../model/status-error.ts";
import type { ExtensionFactory } from "../registry/extension.ts";
import { bootstrapToken, isExpired, secrets, systemNamespace } from "./bootstrap-token.ts";
import { controller } from "./controller.ts";
import { ExpiryTimers } from "./expiry-timers.ts";

/** Deletes bootstrap tokens once they have expired. */
export const bootstrapTokenCleaner: ExtensionFactory = (environment) => {
  const { store, clock } = environment;
  const reconcile = async (name: string): Promise<void> => {
    const object = store.peek(secrets, { namespace: systemNamespace, name });
    const token = object && bootstrapToken(object);
    if (object === undefined || token === undefined || !isExpired(token, clock.now())) return;
    const { uid, resourceVersion } = object.metadata;
    const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    await store.delete(secrets, { namespace: systemNamespace, name }, { preconditions }).catch((error: unknown) => {
      if (!isStatusError(error, "NotFound")) throw error;
    });
  };
  return controller(environment, {
    name: "bootstrap-token-cleaner",
    watch: (add) => {
      const timers = new ExpiryTimers(clock, add);
      const listener: Parameters<typeof store.watch>[1] = ({ type, object }) => {
        const name = object.metadata.name!;
        const expiresAt = type === "DELETED" ? undefined : bootstrapToken(object)?.expiresAt;
        if (expiresAt === undefined) timers.clear(name);
        else timers.set(name, expiresAt);
      };
      return [store.watch(secrets, listener, { namespace: systemNamespace }), () => timers.clearAll()];
    },
    reconcile,
  });
};
