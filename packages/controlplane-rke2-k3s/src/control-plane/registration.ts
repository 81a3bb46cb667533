import { cluster as clusterFields, machine as machineFields } from "@capstan/contract/wire";
import { isLeaving, type Member } from "@capstan/kit/control-plane";
import { findCondition } from "@capstan/kit/machines";
import type { KubeObject } from "@capstan/schema";

/** Types of addresses by the method that asks for them, the preferred first. */
const typesOf: Readonly<Record<string, readonly string[]>> = {
  "internal-first": ["InternalIP", "ExternalIP"],
  "internal-only-ips": ["InternalIP"],
  "external-only-ips": ["ExternalIP"],
};

const isReady = ({ machine }: Member): boolean => findCondition(machine, "Ready")?.status === "True";

/**
 * Where machines register with the servers, for `status.availableServerIPs`: the endpoint, an address that the user gave, or an address of
 * each server that is ready.
 */
export const registrationAddresses = (
  { address, method }: { readonly method: string; readonly address: string },
  cluster: KubeObject,
  members: readonly Member[],
): readonly string[] => {
  if (method === "address") return address === "" ? [] : [address];
  const types = Object.hasOwn(typesOf, method) ? (typesOf[method] ?? []) : undefined;
  if (types === undefined) {
    const host = clusterFields.endpoint.get(cluster)?.host ?? "";
    return host === "" ? [] : [host];
  }
  return members
    .filter((member) => isReady(member) && !isLeaving(member))
    .flatMap(({ machine }) => {
      const addresses = machineFields.addresses.get(machine) ?? [];
      const [first] = types.flatMap((wanted) => addresses.find(({ type }) => type === wanted)?.address ?? []);
      return first ?? [];
    });
};
