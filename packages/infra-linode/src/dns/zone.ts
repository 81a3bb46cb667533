import type { Call } from "../cloud/linode-api.ts";

/** A name in a zone. */
export interface DnsName {
  readonly zone: string;
  readonly name: string;
}

/** A record that there should be, or is, under a name. */
export interface ZoneRecord<Type extends string = string> {
  readonly type: Type;
  readonly target: string;
}

/** The records of one name. */
export interface NamedRecords {
  /** Records of all types that endpoints have. */
  readonly records: readonly ZoneRecord[];
  add(record: ZoneRecord<"A" | "AAAA" | "TXT">, ttlSeconds: number): Promise<void>;
  /** Removes one of `records`. Already gone is success. */
  remove(record: ZoneRecord): Promise<void>;
  /**
   * Returns whether one of `records` may be cached as long as that, or as near to it as the zone can say, or is together with others than `own` in
   * what says it.
   */
  lasts(record: ZoneRecord, ttlSeconds: number, own: readonly ZoneRecord[]): boolean;
  /** Has one of `records` cached as long as that. */
  setTtl(record: ZoneRecord, ttlSeconds: number): Promise<void>;
}

/** Looks a name up; `undefined`: there is no such zone. */
export type LookUp = (at: DnsName, call: Call) => Promise<NamedRecords | undefined>;

/** A record as text, to compare: zones write IPv6 addresses in several ways. */
export const comparable = ({ target, type }: ZoneRecord): string =>
  `${type} ${type === "AAAA" ? new URL(`http://[${target}]`).hostname : target}`;
