import { isCapstanError, Label } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import { keyOf } from "@capstan/kube-values";
import type { Manager, ReconcileContext, Request, Result } from "@capstan/runtime";
import { controller, watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { deleteStored } from "../delivery/delete-stored.ts";
import { leftoverLabel, leftoverOf, nextTryMs } from "../delivery/leftover.ts";
import type { Leftover } from "../delivery/leftover.ts";
import { recordedTarget } from "../delivery/store-access.ts";
import { SecretReader } from "../engine/credentials.ts";
import { eventPermissions, permission, watched } from "../engine/permissions.ts";
import { storeAccess } from "./machine-store-access.ts";

/** What is done with Secrets when the deletion of stored data fails. */
const leftoverPermissions = [
  watched(SecretResource, ["get"]),
  permission(SecretResource, [], {
    rarely: {
      create: "stored bootstrap data that cannot be deleted",
      patch: "stored bootstrap data and a report that cannot be deleted",
      delete: "stored bootstrap data that could be deleted in the end",
    },
  }),
  ...eventPermissions,
];

const sweep = async (
  secret: KubeObject,
  { everything = false, keys, since, stores, storeType, uid }: Leftover,
  secrets: SecretReader,
  context: ReconcileContext,
): Promise<Result> => {
  const { client, clock, events, signal } = context;
  const targets = stores.map(recordedTarget);
  const access = storeAccess({ targets, defaultType: storeType }, keyOf(secret), secrets, context);
  try {
    await deleteStored(access, { keys, ...(everything ? { prefix: uid } : {}) }, stores);
  } catch (error) {
    if (signal.aborted || !isCapstanError(error)) throw error;
    const others = `or delete the objects that begin with ${uid} from the store yourself, and then this Secret`;
    events.event(secret, { type: "Warning", reason: error.reason, message: `${error.message}; ${others}` });
    return { requeueAfterMs: nextTryMs(since, clock.now()) };
  }
  const preconditions = { uid: secret.metadata.uid ?? "" };
  await client.delete(SecretResource, keyOf(secret), { signal, preconditions }).catch((error: unknown) => {
    // Another Secret has the name by now: its own event brings us here.
    if (!isCapstanError(error, "kube.conflict")) throw error;
  });
  context.log.info("deleted the bootstrap data that was left in the object store", { uid });
  return {};
};

/**
 * Tries again to delete stored bootstrap data of machines of a kind, by the Secrets that record it: at once when a Secret with credentials
 * changes, otherwise after half a minute, then ever more rarely, up to once an hour. A record that a user deletes is forgotten.
 */
export const leftoverController = (kind: Resource): ControllerV1 => {
  const name = `${kind.kind.toLowerCase()}-stored-data`;
  return {
    name,
    permissions: { own: leftoverPermissions },
    attach: (manager: Manager) => {
      const secrets = new SecretReader();
      const isOurs = ({ metadata }: KubeObject): boolean =>
        metadata.labels?.[leftoverLabel] === kind.kind.toLowerCase();
      const reconcile = async (request: Request, context: ReconcileContext): Promise<Result> => {
        const secret = context.cache.get(SecretResource, request);
        const leftover = secret === undefined || !isOurs(secret) ? undefined : leftoverOf(secret);
        const { watchFilter } = context.tuning ?? {};
        if (secret === undefined || leftover === undefined || secret.metadata.deletionTimestamp !== undefined) {
          secrets.forget(request);
          return {};
        }
        if (watchFilter !== undefined && secret.metadata.labels?.[Label.watchFilter] !== watchFilter) return {};
        return sweep(secret, leftover, secrets, context);
      };
      const records = watchMapped(SecretResource, (secret) => (isOurs(secret) ? [keyOf(secret)] : []));
      const inner = controller({ name, concurrency: 2, sources: [records, secrets.source()], reconcile });
      inner.attach(manager as never);
    },
  };
};
