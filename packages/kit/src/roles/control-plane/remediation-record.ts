import type { KubeObject } from "@capstan/schema";
import { isJsonObject } from "@capstan/schema";

/** The record of a remediation: without it, an endless sequence would look like many first ones. */
export interface RemediationRecord {
  readonly machine: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly retryCount: number;
}

/** A record from an annotation; what cannot be read is none. */
export const recordIn = ({ metadata }: Pick<KubeObject, "metadata">, key: string): RemediationRecord | undefined => {
  try {
    const value: unknown = JSON.parse(metadata.annotations?.[key] ?? "null");
    if (!isJsonObject(value) || typeof value["machine"] !== "string") return undefined;
    const { machine, timestamp, retryCount } = value;
    return {
      machine,
      timestamp: typeof timestamp === "string" ? timestamp : "",
      retryCount: typeof retryCount === "number" ? retryCount : 0,
    };
  } catch {
    return undefined;
  }
};

export const recordText = ({ machine, timestamp, retryCount }: RemediationRecord): string =>
  JSON.stringify({ machine, timestamp, retryCount });
