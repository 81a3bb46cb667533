import type { MergePatch } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";

/** Annotation on the infrastructure object that says how its bootstrap data travelled. */
export const deliveryAnnotation = "capstan.dev/bootstrap-delivery";

/** Record of how the bootstrap data of one machine was delivered. Never contains the URL. */
export interface DeliveryRecord {
  /** Name of the route. */
  readonly route: string;
  /** Size of the original data. */
  readonly sizeBytes: number;
  /** Size of what the cloud was given; absent until it was. */
  readonly deliveredBytes?: number;
  /** `namespace/name` of the Secret of the store that holds the object. */
  readonly store?: string;
  /** Those of all stores that may hold it: written before it is put into one. */
  readonly stores?: readonly string[];
  /** Type of store that these Secrets are for where they do not say it. */
  readonly storeType?: string;
  /** There is an object under this key, or may be. */
  readonly key?: string;
  /** Checksum of the stored data: `sha256:` and hex digits. */
  readonly checksum?: string;
  /** RFC 3339: when the pointer stops working. */
  readonly expires?: string;
  /** For how long it works, where a slow boot may come too late. */
  readonly shortSeconds?: number;
  /** The object was deleted because the node runs. */
  readonly deleted?: boolean;
  /** Name of the Secret by which the deletion is retried after it failed. */
  readonly leftover?: string;
}

/** The merge patch that writes the record onto an object. */
export const deliveryRecordPatch = (record: DeliveryRecord): MergePatch => ({
  metadata: { annotations: { [deliveryAnnotation]: JSON.stringify(record) } },
});

/** Returns the delivery recorded on an object; `undefined` if there is none or it cannot be parsed. */
export const deliveryRecordOf = (object: KubeObject): DeliveryRecord | undefined => {
  const text = object.metadata.annotations?.[deliveryAnnotation];
  if (text === undefined) return undefined;
  try {
    const record = JSON.parse(text) as DeliveryRecord;
    const { key = "", store = "", stores = [] } = record;
    const texts: readonly unknown[] = Array.isArray(stores) ? [record.route, key, store, ...stores] : [stores];
    return texts.every((each) => typeof each === "string") ? record : undefined;
  } catch {
    // Someone wrote over it; that is the same as no record.
    return undefined;
  }
};

/** Returns whether bootstrap data of the object is in a store, or may be, and has neither been deleted nor recorded elsewhere. */
export const hasStoredData = (object: KubeObject): boolean => {
  const { deleted, key, leftover } = deliveryRecordOf(object) ?? {};
  return key !== undefined && deleted !== true && leftover === undefined;
};
