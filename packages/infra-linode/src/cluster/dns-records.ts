import { isIPv4, isIPv6 } from "node:net";
import type { DomainRecord } from "@capstan/linode-client";

/** A record that there should be, or is, under the endpoint's name. */
export interface EndpointRecord {
  readonly type: "A" | "AAAA" | "TXT";
  readonly target: string;
}

/** What machines are known by from outside. */
export interface Reachable {
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  };
}

/** Every address of the machines, and the cluster's name, by which it is known whose records they are. */
export const wantedRecords = (machines: readonly Reachable[], owner: string): readonly EndpointRecord[] => {
  const addresses = machines.flatMap(({ status }) =>
    (status?.addresses ?? []).flatMap(({ address, type }) => (type === "ExternalIP" ? [address] : [])),
  );
  const records = [...new Set(addresses)].flatMap((target): readonly EndpointRecord[] => {
    if (isIPv4(target)) return [{ type: "A", target }];
    return isIPv6(target) ? [{ type: "AAAA", target }] : [];
  });
  return [{ type: "TXT", target: owner }, ...records];
};

/** Zones write IPv6 addresses at length. */
const comparable = ({ target, type }: Pick<DomainRecord, "type" | "target">): string =>
  `${type} ${type === "AAAA" ? new URL(`http://[${target}]`).hostname : target}`;

/** Who the records are of: the texts that no other record of the name says. */
export const ownersOf = (records: readonly DomainRecord[]): readonly string[] =>
  records.flatMap(({ target, type }) => (type === "TXT" ? [target] : []));

/** What to add and what to take away; records of other types are none of ours. */
export const recordChanges = (
  wanted: readonly EndpointRecord[],
  existing: readonly DomainRecord[],
): { readonly add: readonly EndpointRecord[]; readonly remove: readonly DomainRecord[] } => {
  const there = new Set(existing.map(comparable));
  const kept = new Set(wanted.map(comparable));
  const addresses = existing.filter(({ type }) => type === "A" || type === "AAAA");
  return {
    add: wanted.filter((record) => !there.has(comparable(record))),
    remove: addresses.filter((record) => !kept.has(comparable(record))),
  };
};
