import { Label } from "@capstan/contract";
import { watched } from "@capstan/kit";
import type { Use, UsePlace } from "@capstan/kit/engine";
import { keyOf, keyText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";

/** Annotation of a LinodeMachine whose address in the VLAN of its cluster is reserved, with the prefix. */
const annotation = "capstan.dev/vlan-address";

/** Upstream's range. */
const first = 10 * 2 ** 24;
const prefix = 11;

const addressText = (index: number): string =>
  [24, 16, 8, 0].map((shift) => ((first + index) >>> shift) & 255).join(".");

/** The address that is reserved for a machine, with its prefix. */
export const reservedAddress = ({ metadata }: KubeObject): string | undefined => metadata.annotations?.[annotation];

/** Addresses of a cluster's machines in its VLAN. */
export interface VlanAddresses {
  /** Records the next free one on the machine, before anything is made with it. */
  reserve(): Promise<void>;
}

const clusterOf = ({ metadata }: KubeObject): string =>
  `${metadata.namespace ?? ""}/${metadata.labels?.[Label.clusterName] ?? ""}`;

/** What machines of the same cluster have, or have had reserved by whatever process. */
const takenBy = (machines: readonly LinodeMachine[], cluster: string): Set<string> => {
  const taken = new Set<string>();
  for (const machine of machines) {
    if (clusterOf(machine) !== cluster) continue;
    const reserved = reservedAddress(machine)?.split("/", 1)[0];
    if (reserved !== undefined) taken.add(reserved);
    for (const { address } of machine.status?.addresses ?? []) taken.add(address);
  }
  return taken;
};

/** One process at a time reserves; what it has reserved is in its memory before it is in its cache. */
export const vlanAddresses = (): Use<VlanAddresses, LinodeMachine> => ({
  permissions: [watched(LinodeMachine, ["patch"])],
  attach: () => {
    const reserved = new Map<string, { readonly cluster: string; readonly address: string }>();
    const open = ({ environment: { cache, client, signal }, object }: UsePlace): VlanAddresses => ({
      reserve: async () => {
        const cluster = clusterOf(object);
        const key = keyText(keyOf(object));
        const taken = takenBy(cache.list(LinodeMachine), cluster);
        for (const [owner, each] of reserved) if (owner !== key && each.cluster === cluster) taken.add(each.address);
        let index = 1;
        while (taken.has(addressText(index))) index += 1;
        const address = addressText(index);
        reserved.set(key, { cluster, address });
        const body = { metadata: { annotations: { [annotation]: `${address}/${prefix}` } } };
        await client.patch(LinodeMachine, keyOf(object), { type: "merge", body }, { signal });
      },
    });
    return { sources: [], open, forget: (request) => void reserved.delete(keyText(request)) };
  },
});
