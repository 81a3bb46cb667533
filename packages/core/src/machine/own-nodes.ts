import type { Node } from "../object/workload-kinds.ts";

/** By what the Node of a Machine is told that was never recorded. */
export interface OwnFacts {
  readonly providerID: string | undefined;
  /** Every address that the Machine or its infrastructure machine reports. */
  readonly addresses: readonly string[];
  /** Names of Nodes that other Machines have. */
  readonly others: ReadonlySet<string>;
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The UUIDs in a provider id, in lower case. */
const uuidsIn = (providerID: string | undefined): readonly string[] =>
  (providerID?.match(uuid) ?? []).map((text) => text.toLowerCase());

const systemUUIDOf = ({ status }: Node): string => {
  const value = status?.nodeInfo?.["systemUUID"];
  return typeof value === "string" ? value.toLowerCase() : "";
};

const isAt = ({ status }: Node, addresses: readonly string[]): boolean =>
  (status?.addresses ?? []).some(({ type, address }) => type.endsWith("IP") && addresses.includes(address));

/**
 * The Nodes that a Machine has become: by the provider id; one that no one has given a provider id yet, by the UUID of its system or by its
 * address. A server that went off while it joined has left one of these.
 */
export const ownNodes = (nodes: readonly Node[], facts: OwnFacts): readonly Node[] => {
  const uuids = uuidsIn(facts.providerID);
  return nodes.filter((node) => {
    const { providerID = "" } = node.spec ?? {};
    if (facts.others.has(node.metadata.name ?? "")) return false;
    if (providerID !== "") return providerID === facts.providerID;
    return uuids.includes(systemUUIDOf(node)) || isAt(node, facts.addresses);
  });
};
