import { isIPv4, isIPv6 } from "node:net";
import type { Owner } from "@capstan/kit/engine";
import type { ZoneRecord } from "../dns/zone.ts";
import { comparable } from "../dns/zone.ts";
import { markRecord } from "./dns-owner.ts";

/** A record that there should be under the endpoint's name. */
type EndpointRecord = ZoneRecord<"A" | "AAAA" | "TXT">;

/** Part of a machine that gives its addresses from outside. */
export interface Reachable {
  readonly status?: {
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  };
}

/** A record of every address of the machines. */
export const addressRecords = (machines: readonly Reachable[]): readonly EndpointRecord[] => {
  const addresses = machines.flatMap(({ status }) =>
    (status?.addresses ?? []).flatMap(({ address, type }) => (type === "ExternalIP" ? [address] : [])),
  );
  return [...new Set(addresses)].flatMap((target): readonly EndpointRecord[] => {
    if (isIPv4(target)) return [{ type: "A", target }];
    return isIPv6(target) ? [{ type: "AAAA", target }] : [];
  });
};

/** Whose they are, for us and for upstream's controllers, and the addresses of the machines. */
export const wantedRecords = (machines: readonly Reachable[], owner: Owner): readonly EndpointRecord[] => [
  markRecord(owner),
  { type: "TXT", target: owner.name },
  ...addressRecords(machines),
];

/** Returns the records to add, those to remove, and those of ours that stay; records of other types are not ours. */
export const recordChanges = (
  wanted: readonly EndpointRecord[],
  existing: readonly ZoneRecord[],
): {
  readonly add: readonly EndpointRecord[];
  readonly remove: readonly ZoneRecord[];
  readonly keep: readonly ZoneRecord[];
} => {
  const there = new Set(existing.map(comparable));
  const kept = new Set(wanted.map(comparable));
  const addresses = existing.filter(({ type }) => type === "A" || type === "AAAA");
  return {
    add: wanted.filter((record) => !there.has(comparable(record))),
    remove: addresses.filter((record) => !kept.has(comparable(record))),
    keep: existing.filter((record) => kept.has(comparable(record))),
  };
};
