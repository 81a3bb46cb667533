import type { MergePatch } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";

/** Annotation on the infrastructure object that says how its bootstrap data travelled. */
export const deliveryAnnotation = "capstan.dev/bootstrap-delivery";

/** How the bootstrap data of one machine travelled. Never holds the URL. */
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
  /** Of what was put there: `sha256:` and hexadecimal digits. */
  readonly checksum?: string;
  /** RFC 3339: when the pointer stops working. */
  readonly expires?: string;
  /** For how long it works, where a slow boot may come too late. */
  readonly shortSeconds?: number;
  /** The object was deleted because the node runs. */
  readonly deleted?: boolean;
  /** Name of the Secret by which the deletion is tried again after it failed. */
  readonly leftover?: string;
}

/** The merge patch that writes the record onto an object. */
export const deliveryRecordPatch = (record: DeliveryRecord): MergePatch => ({
  metadata: { annotations: { [deliveryAnnotation]: JSON.stringify(record) } },
});

/** What an object says about its delivery; `undefined` when it says nothing that can be read. */
export const deliveryRecordOf = (object: KubeObject): DeliveryRecord | undefined => {
  const text = object.metadata.annotations?.[deliveryAnnotation];
  if (text === undefined) return undefined;
  try {
    const record = JSON.parse(text) as DeliveryRecord;
    const { key = "", store = "", stores = [] } = record;
    const texts: readonly unknown[] = Array.isArray(stores) ? [record.route, key, store, ...stores] : [stores];
    return texts.every((each) => typeof each === "string") ? record : undefined;
  } catch {
    // Somebody wrote over it; that is the same as no record.
    return undefined;
  }
};

/** Whether bootstrap data of the object is in a store, or may be, and nobody has deleted it or keeps a record of it elsewhere. */
export const hasStoredData = (object: KubeObject): boolean => {
  const { deleted, key, leftover } = deliveryRecordOf(object) ?? {};
  return key !== undefined && deleted !== true && leftover === undefined;
};
