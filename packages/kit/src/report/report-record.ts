import type { MergePatch } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";

/** Annotation on the infrastructure machine that says how its server was asked to report. */
export const reportRecordAnnotation = "capstan.dev/stored-bootstrap-report";

/** How the server of a machine was asked to report. Never holds the URL. */
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
  /** Name of the Secret by which the deletion is tried again after it failed. */
  readonly leftover?: string;
}

/** The merge patch that writes the record onto an object. */
export const reportRecordPatch = (record: ReportRecord): MergePatch => ({
  metadata: { annotations: { [reportRecordAnnotation]: JSON.stringify(record) } },
});

/** What an object says about its report; `undefined` when it says nothing that can be read. */
export const reportRecordOf = ({ metadata }: KubeObject): ReportRecord | undefined => {
  const text = metadata.annotations?.[reportRecordAnnotation];
  if (text === undefined) return undefined;
  try {
    const record = JSON.parse(text) as ReportRecord;
    const { channels, key = "", store = "" } = record;
    return Array.isArray(channels) && typeof key === "string" && typeof store === "string" ? record : undefined;
  } catch {
    // Somebody wrote over it; that is the same as no record.
    return undefined;
  }
};

/** Whether a report of the object is in a store, or may still come there, and nobody has deleted it or keeps a record of it elsewhere. */
export const hasStoredReport = (object: KubeObject): boolean => {
  const { deleted, key, leftover } = reportRecordOf(object) ?? {};
  return key !== undefined && deleted !== true && leftover === undefined;
};
