import { ownerIn, ownerKey, ownerText } from "@capstan/kit/engine";
import type { Owner } from "@capstan/kit/engine";
import type { ZoneRecord } from "../dns/zone.ts";
import { comparable } from "../dns/zone.ts";

/** The record that says whose a name is, beside upstream's, which has the name of the cluster alone. */
export const markRecord = (owner: Owner): ZoneRecord<"TXT"> => ({
  type: "TXT",
  target: `${ownerKey}=${ownerText(owner)}`,
});

const textsOf = (records: readonly ZoneRecord[]): readonly string[] =>
  records.flatMap(({ target, type }) => (type === "TXT" ? [target] : []));

const marksOf = (records: readonly ZoneRecord[]) =>
  textsOf(records).flatMap((text) => {
    const owner = text.startsWith(`${ownerKey}=`) ? ownerIn(text.slice(ownerKey.length + 1)) : undefined;
    return owner === undefined ? [] : [owner];
  });

/** Who asks whose a name is. */
export interface NameClaim {
  readonly owner: Owner;
  /** Addresses of its machines. */
  readonly addresses: readonly ZoneRecord[];
  /** An older cluster with the same endpoint, as `namespace/name`. */
  readonly elder: string | undefined;
}

/** `ours` is also what no one has. */
export type NameHolder = { readonly kind: "ours" } | { readonly kind: "theirs"; readonly owner: string };

const ours: NameHolder = { kind: "ours" };

/**
 * Whose a name is. Of two marks the first one counts, so that of two clusters that came at the same time one has the name. Without a mark,
 * what has the name of the cluster was left by upstream's controllers or an older release, and is that of the elder of two clusters.
 */
export const holderOf = (records: readonly ZoneRecord[], { addresses, elder, owner }: NameClaim): NameHolder => {
  const [mark] = marksOf(records);
  if (mark !== undefined) {
    return mark.mark === owner.mark ? ours : { kind: "theirs", owner: `LinodeCluster ${mark.namespace}/${mark.name}` };
  }
  const texts = textsOf(records);
  if (texts.includes(owner.name)) {
    return elder === undefined ? ours : { kind: "theirs", owner: `LinodeCluster ${elder}` };
  }
  if (texts.length > 0) return { kind: "theirs", owner: texts.join(", ") };
  const known = new Set(addresses.map(comparable));
  const strange = records.find(
    (record) => (record.type === "A" || record.type === "AAAA") && !known.has(comparable(record)),
  );
  return strange === undefined ? ours : { kind: "theirs", owner: `the creator of its ${strange.type} record` };
};

/** Returns whether the cluster has put its mark there. */
export const isMarked = (records: readonly ZoneRecord[], owner: Owner): boolean =>
  textsOf(records).includes(markRecord(owner).target);
