import { Label } from "@capstan/contract";
import { kind, object } from "@capstan/schema";
import { addressLists } from "./firewall-rule-spec.ts";
import { linodeKind } from "./names.ts";

export const AddressSet = kind({
  ...linodeKind,
  labels: { ...linodeKind.labels, [Label.moveHierarchy]: "true" },
  kind: "AddressSet",
  plural: "addresssets",
  shortNames: ["addrset"],
  description: "Addresses that rules of firewalls refer to.",
  spec: object(addressLists(), { description: "The addresses.", minProperties: 1 }),
  status: object({}),
});

/** One AddressSet. */
export type AddressSet = typeof AddressSet.Type;
