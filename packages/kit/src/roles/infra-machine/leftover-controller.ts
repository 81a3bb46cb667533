import { CapstanError, isCapstanError, Label } from "@capstan/contract";
import type { ControllerV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import { keyOf } from "@capstan/kube-values";
import type { Manager, ReconcileContext, Request, Result } from "@capstan/runtime";
import { controller, watchMapped } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { deleteStored } from "../../delivery/delete-stored.ts";
import { isBelieved, keysOfLeftover, leftoverLabel, leftoverOf, nextTryMs } from "../../delivery/leftover.ts";
import type { Leftover } from "../../delivery/leftover.ts";
import { believedTargets, requestedTargets } from "../../delivery/store-access.ts";
import type { StoreTarget } from "../../delivery/store-access.ts";
import { SecretReader } from "../../engine/credentials.ts";
import { ownerOf } from "../../engine/owner.ts";
import { eventPermissions, permission, watched } from "../../engine/permissions.ts";
import { storeAccess } from "./store-access.ts";
import { storeRequestOf } from "./store-request.ts";

/** Permissions on Secrets for records of stored data that could not be deleted. */
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

/** The stores of a record: those whose Secrets are beside it, and that which the application has for clusters that name none. */
const targetsOf = (secret: KubeObject, { stores }: Leftover, context: ReconcileContext): readonly StoreTarget[] => {
  const { namespace = "" } = secret.metadata;
  const request = storeRequestOf(undefined, undefined, context);
  return believedTargets(stores, namespace, request === undefined ? [] : requestedTargets(request, namespace));
};

const elsewhere = (stores: readonly string[]): CapstanError =>
  new CapstanError({
    code: "objectstore.elsewhere",
    reason: "ObjectStoreElsewhere",
    message: `Secret ${stores.join(", ")} of the object store is in another namespace and is not used for cleanup`,
  });

const sweep = async (
  secret: KubeObject,
  leftover: Leftover,
  secrets: SecretReader,
  context: ReconcileContext,
): Promise<Result> => {
  const { client, clock, events, signal } = context;
  const { since, stores, storeType, uid } = leftover;
  const targets = targetsOf(secret, leftover, context);
  const access = storeAccess({ targets, defaultType: storeType }, keyOf(secret), secrets, context);
  const keys = keysOfLeftover(leftover);
  try {
    if (targets.length === 0) throw elsewhere(stores);
    await deleteStored(access, keys, stores);
  } catch (error) {
    if (signal.aborted || !isCapstanError(error)) throw error;
    const names = keys.map(({ key }) => key).join(" and ");
    const others = `or delete the objects ${names} from the store yourself, then this Secret`;
    events.event(secret, { type: "Warning", reason: error.reason, message: `${error.message}; ${others}` });
    return { requeueAfterMs: nextTryMs(since, clock.now()) };
  }
  const preconditions = { uid: secret.metadata.uid ?? "" };
  await client.delete(SecretResource, keyOf(secret), { signal, preconditions }).catch((error: unknown) => {
    // Another Secret has the name by now: its own event brings us here.
    if (!isCapstanError(error, "kube.conflict")) throw error;
  });
  context.log.info("deleted leftover bootstrap data from the object store", { uid });
  return {};
};

/**
 * Retries to delete stored bootstrap data of machines of a kind, by the Secrets that record it: at once when a Secret with credentials
 * changes, otherwise after half a minute, then ever more rarely, up to once an hour. A record that a user deletes is forgotten; what one says
 * is believed only as far as its namespace goes.
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
        const isThere = (mark: string): boolean =>
          context.cache.list<KubeObject>(kind).some((machine) => ownerOf(machine).mark === mark);
        if (!isBelieved(secret, leftover, isThere)) {
          return { requeueAfterMs: nextTryMs(leftover.since, context.clock.now()) };
        }
        return sweep(secret, leftover, secrets, context);
      };
      const records = watchMapped(SecretResource, (secret) => (isOurs(secret) ? [keyOf(secret)] : []));
      const inner = controller({ name, concurrency: 2, sources: [records, secrets.source()], reconcile });
      inner.attach(manager);
    },
  };
};
