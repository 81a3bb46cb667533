import { createHash } from "node:crypto";
import { CapstanError, rfc3339 } from "@capstan/contract";
import type { Logger } from "@capstan/contract";
import type { BootstrapDelivery, DeliveredBootstrap, DeliveryLimits, ObjectStore } from "@capstan/contract/v1";
import { bootstrapFormats, bootstrapSecretKeys } from "@capstan/contract/wire";
import type { DeliveryRecord } from "./delivery-record.ts";
import { pointerTo } from "./pointer.ts";
import { chooseRoute, fits, measuredBytes } from "./route.ts";
import type { StoreAccess, StoreTarget } from "./store-attempts.ts";
import { onFirstStore, step } from "./store-attempts.ts";

export const defaultExpirySeconds = 900;
/** Below this, a slow boot may come too late for the pointer. */
const shortExpirySeconds = 600;

/** What a machine's shell remembers of uploads, so that a refused creation only signs again. Keyed by object key. */
export type UploadMemory = Map<string, { readonly secret: string; readonly digest: string }>;

export interface DeliveryInput {
  /** Name of the bootstrap Secret; empty when the user skips bootstrapping. */
  readonly secretName: string;
  readonly namespace: string;
  /** Formats the cloud can hand over. Default: cloud-config only. */
  readonly formats?: readonly string[];
  /** The infrastructure machine's uid: the key of the object. */
  readonly key: string;
  /** The bootstrap Secret's data, out of base64. `undefined` when it does not exist. */
  readonly readBootstrap: () => Promise<Readonly<Record<string, Uint8Array>> | undefined>;
  /** `undefined` when the cluster names no store. */
  readonly store: StoreAccess | undefined;
  readonly uploads: UploadMemory;
  /** Called before anything is put into a store, so that the object is known to be there whatever happens next. */
  readonly announce: (record: DeliveryRecord) => Promise<void>;
  readonly log: Logger;
}

/** A delivery for one machine. `record` is set once something was delivered. */
export interface RecordedDelivery extends BootstrapDelivery {
  readonly record: () => DeliveryRecord | undefined;
}

const failure = (code: string, reason: string, message: string, retry: "backoff" | "never" = "never"): CapstanError =>
  new CapstanError({ code, reason, message, retry: { kind: retry } });

const readData = async (input: DeliveryInput): Promise<{ readonly bytes: Uint8Array; readonly format: string }> => {
  const accepted = input.formats ?? [bootstrapFormats.cloudConfig];
  if (input.secretName === "") return { bytes: new Uint8Array(), format: accepted[0] ?? bootstrapFormats.cloudConfig };
  const secret = `bootstrap Secret ${input.namespace}/${input.secretName}`;
  const data = await input.readBootstrap();
  if (data === undefined) {
    throw failure("bootstrap.secret_missing", "BootstrapSecretMissing", `${secret} does not exist`, "backoff");
  }
  const bytes = data[bootstrapSecretKeys.value];
  if (bytes === undefined) {
    const message = `${secret} has no key "${bootstrapSecretKeys.value}"`;
    throw failure("bootstrap.value_missing", "BootstrapValueMissing", message);
  }
  if (bytes.length === 0) throw failure("bootstrap.empty", "BootstrapDataEmpty", `${secret} holds no bootstrap data`);
  const format = Buffer.from(data[bootstrapSecretKeys.format] ?? []).toString("utf8") || bootstrapFormats.cloudConfig;
  if (!accepted.includes(format)) {
    const message = `${secret} has the format "${format}"; this infrastructure takes ${accepted.join(", ")}`;
    throw failure("bootstrap.format_unsupported", "BootstrapFormatUnsupported", message);
  }
  return { bytes, format };
};

const checkExpiry = (store: ObjectStore, target: StoreTarget, seconds: number): void => {
  const { maxSignedSeconds } = store.capabilities;
  if (seconds > 0 && seconds <= maxSignedSeconds) return;
  const message = `Secret ${target.secret}: pointers may live 1 to ${maxSignedSeconds} s, not ${seconds} s`;
  throw failure("objectstore.expiry_invalid", "ObjectStoreExpiryInvalid", message);
};

interface Stored {
  readonly url: string;
  readonly expiresAt: number;
  readonly target: StoreTarget;
}

/** Uploads, unless this process did so already with the same bytes, and signs. */
const storeObject = async (input: DeliveryInput, access: StoreAccess, bytes: Uint8Array): Promise<Stored> => {
  const seconds = access.request.expiresInSeconds ?? defaultExpirySeconds;
  const digest = createHash("sha256").update(bytes).digest("hex");
  return onFirstStore(access, async (store, signal, target) => {
    checkExpiry(store, target, seconds);
    const before = input.uploads.get(input.key);
    if (before?.secret !== target.secret || before.digest !== digest) {
      const metadata = {
        "capstan-machine-uid": input.key,
        "capstan-expires": String(Math.floor(access.clock.now() / 1000) + seconds),
      };
      const doing = `put the bootstrap data into the store of Secret ${target.secret}`;
      await step("objectstore.put_failed", "ObjectStorePutFailed", doing, () =>
        store.put(input.key, bytes, { contentType: "application/octet-stream", metadata, signal }),
      );
      input.uploads.set(input.key, { secret: target.secret, digest });
    }
    const signing = `sign a pointer with the credentials of Secret ${target.secret}`;
    const signed = await step("objectstore.sign_failed", "ObjectStoreSignFailed", signing, () =>
      store.signGet(input.key, { expiresInSeconds: seconds }),
    );
    if (signed.url === "") {
      const message = `the store of Secret ${target.secret} signed an empty URL`;
      throw failure("objectstore.empty_url", "ObjectStoreEmptyUrl", message, "backoff");
    }
    return { ...signed, target };
  });
};

/** The delivery that is handed to an author's `create`: nothing is read or stored before `deliver` is called. */
export const bootstrapDelivery = (input: DeliveryInput): RecordedDelivery => {
  let record: DeliveryRecord | undefined;
  const result = (
    delivered: Uint8Array,
    original: Uint8Array,
    format: string,
    facts: Pick<DeliveryRecord, "route" | "store" | "key" | "expires">,
  ): DeliveredBootstrap => {
    record = { sizeBytes: original.length, deliveredBytes: delivered.length, ...facts };
    return {
      route: facts.route,
      bytes: delivered,
      base64: Buffer.from(delivered).toString("base64"),
      sizeBytes: original.length,
      format,
    };
  };
  const deliver = async (limits: DeliveryLimits): Promise<DeliveredBootstrap> => {
    const { bytes, format } = await readData(input);
    const chosen = chooseRoute({ bytes, format, limits, hasStore: input.store !== undefined });
    if (chosen.route !== "object-store" || input.store === undefined) {
      return result(chosen.bytes, bytes, format, { route: chosen.route });
    }
    await input.announce({ route: "object-store", sizeBytes: bytes.length, key: input.key });
    const stored = await storeObject(input, input.store, bytes);
    const pointer = pointerTo(stored.url, format, bytes);
    if (!fits(pointer.length, limits)) {
      const message = `even the pointer to the object store measures ${measuredBytes(pointer.length, limits)} bytes, user-data must stay below ${limits.limitBytes}`;
      throw failure("bootstrap.pointer_too_large", "BootstrapPointerTooLarge", message);
    }
    const seconds = input.store.request.expiresInSeconds ?? defaultExpirySeconds;
    if (seconds < shortExpirySeconds) {
      input.log.warn("the pointer to the bootstrap data expires soon; a slow boot may miss it", { seconds });
    }
    const expires = rfc3339(stored.expiresAt);
    return result(pointer, bytes, format, {
      route: "object-store",
      store: stored.target.secret,
      key: input.key,
      expires,
    });
  };
  return { deliver, record: () => record };
};
