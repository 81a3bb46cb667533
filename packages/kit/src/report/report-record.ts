import type { MergePatch } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";

/** Annotation on the infrastructure machine that says how its server was asked to report. */
export const reportRecordAnnotation = "capstan.dev/stored-bootstrap-report";

/** Record of how the server of a machine reports. Never contains the URL. */
export interface ReportRecord {
  /** Names of the channels that its bootstrap data was prepared for. */
  readonly channels: readonly string[];
  /** `namespace/name` of the Secret of the store that it uploads to. */
  readonly store?: string;
  /** Type of store that this Secret is for where it does not say it. */
  readonly storeType?: string;
  /** There is an object under this key, or may be. */
  readonly key?: string;
  /** RFC 3339: until when it may be uploaded. */
  readonly expires?: string;
  /** The object was read and deleted. */
  readonly deleted?: boolean;
  /** Name of the Secret by which the deletion is retried after it failed. */
  readonly leftover?: string;
}

/** The merge patch that writes the record onto an object. */
export const reportRecordPatch = (record: ReportRecord): MergePatch => ({
  metadata: { annotations: { [reportRecordAnnotation]: JSON.stringify(record) } },
});

/** Returns the report recorded on an object; `undefined` if there is none or it cannot be parsed. */
export const reportRecordOf = ({ metadata }: KubeObject): ReportRecord | undefined => {
  const text = metadata.annotations?.[reportRecordAnnotation];
  if (text === undefined) return undefined;
  try {
    const record = JSON.parse(text) as ReportRecord;
    const { channels, key = "", store = "" } = record;
    return Array.isArray(channels) && typeof key === "string" && typeof store === "string" ? record : undefined;
  } catch {
    // Someone wrote over it; that is the same as no record.
    return undefined;
  }
};

/** Returns whether a report of the object is in a store, or may still arrive there, and has neither been deleted nor recorded elsewhere. */
export const hasStoredReport = (object: KubeObject): boolean => {
  const { deleted, key, leftover } = reportRecordOf(object) ?? {};
  return key !== undefined && deleted !== true && leftover === undefined;
};
