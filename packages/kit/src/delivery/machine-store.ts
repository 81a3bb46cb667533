import { createHash } from "node:crypto";
import { CapstanError, rfc3339 } from "@capstan/contract";
import type { Logger } from "@capstan/contract";
import type { MachineStore, ObjectStore } from "@capstan/contract/v1";
import type { DeliveryRecord } from "./delivery-record.ts";
import type { StoreAccess, StoreTarget } from "./store-access.ts";
import { onFirstStore } from "./store-attempts.ts";
import { step } from "./store-step.ts";
import { storedOwner } from "./stored-keys.ts";

const defaultExpirySeconds = 900;
/** Below this, a slow boot may come too late for the pointer. */
const shortExpirySeconds = 600;

/** Uploads that a machine's controller remembers, by object key, so that a rejected creation only signs again. */
export type UploadMemory = Map<string, { readonly secret: string; readonly digest: string }>;

/** The part of the record for a delivery through the object store. */
export type StoredFacts = Pick<
  DeliveryRecord,
  "store" | "stores" | "storeType" | "key" | "checksum" | "expires" | "shortSeconds"
>;

export interface MachineStoreInput {
  readonly access: StoreAccess;
  /** Lifetime of the pointer, in seconds. Default 900. */
  readonly expiresInSeconds?: number | undefined;
  /** The infrastructure machine's uid: the key of the object. */
  readonly key: string;
  /** The mark of its object. */
  readonly owner: string;
  readonly uploads: UploadMemory;
  /** Called before anything is put into a store. */
  readonly announce: (facts: Pick<StoredFacts, "checksum">) => Promise<void>;
  readonly stored: (facts: StoredFacts) => void;
  readonly log: Logger;
}

/** Where an object of a machine is, or may be: known before it is put there. */
export const whereStored = ({ access, key }: Pick<MachineStoreInput, "access" | "key">): StoredFacts => ({
  key,
  stores: access.targets.map(({ secret }) => secret),
  ...(access.defaultType === undefined ? {} : { storeType: access.defaultType }),
});

const checkExpiry = (store: ObjectStore, target: StoreTarget, seconds: number): void => {
  const { maxSignedSeconds } = store.capabilities;
  if (seconds > 0 && seconds <= maxSignedSeconds) return;
  throw new CapstanError({
    code: "objectstore.expiry_invalid",
    reason: "ObjectStoreExpiryInvalid",
    message: `Secret ${target.secret}: a pointer's lifetime must be 1 to ${maxSignedSeconds} s, not ${seconds} s`,
    retry: { kind: "never" },
  });
};

const sign = async (store: ObjectStore, key: string, target: StoreTarget, seconds: number) => {
  const doing = `sign a pointer with the credentials of Secret ${target.secret}`;
  const signed = await step("objectstore.sign_failed", "ObjectStoreSignFailed", doing, () =>
    store.signGet(key, { expiresInSeconds: seconds }),
  );
  if (signed.url !== "") return signed;
  throw new CapstanError({
    code: "objectstore.empty_url",
    reason: "ObjectStoreEmptyUrl",
    message: `the store of Secret ${target.secret} signed an empty URL`,
  });
};

/** Puts something, and has those who keep count of it know how that ended. */
const counted = async (
  { sent }: StoreAccess,
  put: () => Promise<{ readonly attempts?: number | undefined }>,
): Promise<void> => {
  const ended = sent?.();
  try {
    const { attempts } = await put();
    ended?.({ attempts });
  } catch (error) {
    ended?.({ error });
    throw error;
  }
};

/** The first store of the cluster that works; data goes there unless this process put the same there before. */
export const machineStore = (input: MachineStoreInput): MachineStore => ({
  upload: async (bytes) => {
    const { access, expiresInSeconds: seconds = defaultExpirySeconds, key, log, uploads } = input;
    const digest = createHash("sha256").update(bytes).digest("hex");
    const checksum = `sha256:${digest}`;
    await input.announce({ checksum });
    const { signed, target } = await onFirstStore(access, async (store, signal, used) => {
      checkExpiry(store, used, seconds);
      const before = uploads.get(key);
      if (before?.secret !== used.secret || before.digest !== digest) {
        const metadata = {
          "capstan-machine-uid": key,
          [storedOwner]: input.owner,
          "capstan-expires": String(Math.floor(access.clock.now() / 1000) + seconds),
        };
        const doing = `put the bootstrap data into the store of Secret ${used.secret}`;
        await step("objectstore.put_failed", "ObjectStorePutFailed", doing, () =>
          counted(access, () => store.put(key, bytes, { contentType: "application/octet-stream", metadata, signal })),
        );
        uploads.set(key, { secret: used.secret, digest });
      }
      return { signed: await sign(store, key, used, seconds), target: used };
    });
    const isShort = seconds < shortExpirySeconds;
    if (isShort) {
      log.warn("the pointer to the bootstrap data expires soon; a slow boot may miss it", { seconds });
    }
    const expires = rfc3339(signed.expiresAt);
    const short = isShort ? { shortSeconds: seconds } : {};
    input.stored({ ...whereStored(input), checksum, store: target.secret, expires, ...short });
    return signed;
  },
});
