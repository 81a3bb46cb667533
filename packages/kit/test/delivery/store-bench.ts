import { CapstanError, silentLogger } from "@capstan/contract";
import type { Clock } from "@capstan/contract";
import type { ObjectStore, ObjectStoreOpener } from "@capstan/contract/v1";
import type { DeliveryInput } from "../../src/delivery/bootstrap-delivery.ts";
import type { ObjectStoreRequest } from "../../src/delivery/object-store-request.ts";
import { requestedTargets } from "../../src/delivery/store-access.ts";
import type { SecretData, StoreAccess } from "../../src/delivery/store-access.ts";
import { userDataRoutes } from "../../src/delivery/user-data-routes.ts";

/** A clock whose timers run only when the test says so. */
export interface HandClock extends Clock {
  fire(): void;
  readonly delays: number[];
}

export const handClock = (): HandClock => {
  const timers = new Set<() => void>();
  const delays: number[] = [];
  return {
    now: () => Date.UTC(2030, 0, 1),
    sleep: () => Promise.reject(new Error("nothing here sleeps")),
    schedule: (ms, callback) => {
      delays.push(ms);
      timers.add(callback);
      return () => timers.delete(callback);
    },
    delays,
    fire: () => timers.forEach((run) => run()),
  };
};

export const failWith = (code: string) => (): Promise<never> =>
  Promise.reject(new CapstanError({ code: `objectstore.${code}`, reason: "X", message: code }));

/** Stores in memory for the tests of one file: their calls, such as `a put`, and their objects. */
export const calls: string[] = [];
export const objects = new Map<string, Uint8Array>();

export const forgetAll = (): void => {
  calls.length = 0;
  objects.clear();
};

export const never = (): Promise<never> => new Promise(() => undefined);

/** A store in memory; `faults` replaces single operations. */
export const memoryStore = (name: string, faults: Partial<ObjectStore> = {}): ObjectStore => {
  const store: ObjectStore = {
    put: async (key, bytes) => {
      objects.set(`${name}/${key}`, bytes);
      return { size: bytes.length };
    },
    signGet: async (key, { expiresInSeconds }) => ({
      url: `https://${name}.example/${key}?sig=${expiresInSeconds}`,
      expiresAt: Date.UTC(2030, 0, 1) + expiresInSeconds * 1000,
    }),
    head: async (key) => (objects.has(`${name}/${key}`) ? { size: 1, metadata: {} } : null),
    delete: async (key) => ({ existed: objects.delete(`${name}/${key}`) }),
    capabilities: { maxSignedSeconds: 604_800, maxObjectBytes: 1e9, list: false },
    ...faults,
  };
  const logged = (operation: "put" | "signGet" | "head" | "delete"): void => {
    const run = store[operation] as (...args: unknown[]) => unknown;
    Object.assign(store, { [operation]: (...args: unknown[]) => (calls.push(`${name} ${operation}`), run(...args)) });
  };
  for (const operation of ["put", "signGet", "head", "delete"] as const) logged(operation);
  return store;
};

export const opener = (stores: Record<string, ObjectStore>): ObjectStoreOpener => ({
  contract: "v1",
  type: "s3",
  open: (data) => {
    const store = stores[data["bucket"] ?? ""];
    if (store === undefined) {
      throw new CapstanError({
        code: "objectstore.invalid_config",
        reason: "InvalidConfig",
        message: "bucket is empty",
        retry: { kind: "never" },
      });
    }
    return store;
  },
});

export const secrets: Record<string, SecretData> = { "team/first": { bucket: "a" }, "vault/second": { bucket: "b" } };
export const body = Buffer.from(`#cloud-config\n${"x".repeat(200)}`);

export const both = {
  credentialsRef: { name: "first" },
  secondaryCredentialsRef: { name: "second", namespace: "vault" },
};
export const withoutType = async (): Promise<SecretData> => ({ bucket: "a" });

/** `request`: which stores the cluster names. */
export const access = (
  stores: Record<string, ObjectStore>,
  { request = { ...both, defaultType: "s3" }, ...more }: Partial<StoreAccess> & { request?: ObjectStoreRequest } = {},
): StoreAccess => ({
  targets: requestedTargets(request, "team"),
  defaultType: request.defaultType,
  openers: [opener(stores)],
  readSecret: async ({ namespace, name }) => secrets[`${namespace}/${name}`],
  clock: handClock(),
  signal: new AbortController().signal,
  ...more,
});

export const input = (more: Partial<DeliveryInput> = {}): DeliveryInput => ({
  secretName: "boot",
  namespace: "team",
  key: "uid-1",
  owner: "mark-1",
  readBootstrap: async () => ({ value: body, format: Buffer.from("cloud-config") }),
  store: undefined,
  uploads: new Map(),
  announce: async (record) => void calls.push(`announce ${record.route} ${record.key}`),
  log: silentLogger,
  ...more,
});

export const small = userDataRoutes({ limitBytes: 100 });
export const large = userDataRoutes({ limitBytes: 1000 });
