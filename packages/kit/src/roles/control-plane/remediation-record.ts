import { rfc3339 } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { isJsonObject } from "@capstan/schema";
import { type Member, nameOfMember } from "./member.ts";

/** The record of a remediation: without it, an endless sequence would look like many first ones. */
export interface RemediationRecord {
  readonly machine: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly retryCount: number;
}

/** The record of a remediation that has begun: of the last one, and of those that wait for it. */
export interface BegunRecord extends RemediationRecord {
  /** Remediations that began before and are not replaced yet, the last first. Default: none. */
  readonly held?: readonly RemediationRecord[];
}

const readRecord = (value: unknown): RemediationRecord | undefined => {
  if (!isJsonObject(value) || typeof value["machine"] !== "string") return undefined;
  const { machine, timestamp, retryCount } = value;
  return {
    machine,
    timestamp: typeof timestamp === "string" ? timestamp : "",
    retryCount: typeof retryCount === "number" ? retryCount : 0,
  };
};

/** A record from an annotation; what cannot be read is none. */
export const recordIn = ({ metadata }: Pick<KubeObject, "metadata">, key: string): BegunRecord | undefined => {
  try {
    const value: unknown = JSON.parse(metadata.annotations?.[key] ?? "null");
    const record = readRecord(value);
    const before = isJsonObject(value) && Array.isArray(value["held"]) ? value["held"] : [];
    return (
      record &&
      withHeld(
        record,
        before.flatMap((each) => readRecord(each) ?? []),
      )
    );
  } catch {
    return undefined;
  }
};

const plain = ({ machine, timestamp, retryCount }: RemediationRecord): RemediationRecord => ({
  machine,
  timestamp,
  retryCount,
});

const withHeld = (record: RemediationRecord, held: readonly RemediationRecord[]): BegunRecord =>
  held.length === 0 ? plain(record) : { ...plain(record), held };

/** The text of an annotation. Other managers read the record of the last remediation in it, and leave out those that wait. */
export const recordText = ({ held = [], ...record }: BegunRecord): string => JSON.stringify(withHeld(record, held));

const allOf = (record: BegunRecord | undefined): readonly RemediationRecord[] =>
  record === undefined ? [] : [plain(record), ...(record.held ?? [])];

const ofAll = ([last, ...held]: readonly RemediationRecord[]): BegunRecord | undefined =>
  last === undefined ? undefined : withHeld(last, held);

/** The record when another remediation begins, while those before wait for it. */
export const beginBeside = (before: BegunRecord | undefined, record: RemediationRecord): BegunRecord =>
  withHeld(
    record,
    allOf(before).filter(({ machine }) => machine !== record.machine),
  );

/** The record when the last remediation is over: of those that waited for it. */
export const nextRecord = (record: BegunRecord): BegunRecord | undefined => ofAll(record.held ?? []);

/**
 * Called when a Machine is made: the record that it keeps, which is the oldest whose Machine is gone, or the last where all are there; and
 * those that are still to be replaced. These are as of `now`, in milliseconds, so that the new Machine does not count for them.
 */
export const takeRecord = (
  record: BegunRecord | undefined,
  members: readonly Member[],
  now: number,
): { readonly placed: RemediationRecord | undefined; readonly rest: BegunRecord | undefined } => {
  const all = allOf(record);
  const isGone = ({ machine }: RemediationRecord): boolean =>
    !members.some((member) => nameOfMember(member) === machine);
  const placed = all.findLast(isGone) ?? all[0];
  const rest = all.filter((each) => each !== placed).map((each) => ({ ...each, timestamp: rfc3339(now) }));
  return { placed, rest: ofAll(rest) };
};
