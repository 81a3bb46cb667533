import { Label } from "@capstan/contract";
import { watched } from "@capstan/kit";
import type { Use, UsePlace } from "@capstan/kit/engine";
import { ownerOf } from "@capstan/kit/engine";
import { keyOf, keyText } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import type { Call, LinodeApi, Vlan } from "../cloud/linode-api.ts";
import { instanceIdOf } from "./instance-facts.ts";
import { vlanAddressesIn } from "./interfaces.ts";

/** Annotation of a LinodeMachine whose address in the VLAN of its cluster is reserved, with the prefix. */
const annotation = "capstan.dev/vlan-address";

/** Upstream's range. */
const first = 10 * 2 ** 24;
const prefix = 11;

const addressText = (index: number): string =>
  [24, 16, 8, 0].map((shift) => ((first + index) >>> shift) & 255).join(".");

/** The address that is reserved for a machine, with its prefix. */
export const reservedAddress = ({ metadata }: KubeObject): string | undefined => metadata.annotations?.[annotation];

/** The VLAN of a machine's cluster, which may be that of other clusters of the name, too. */
const vlanOf = ({ metadata, spec }: LinodeMachine): Vlan => ({
  label: metadata.labels?.[Label.clusterName] ?? "",
  region: spec.region,
});

/** Addresses in the VLAN of a machine's cluster. */
export interface VlanAddresses {
  /** Ids at Linode of the machines whose addresses this management cluster knows, from what it has read of instances of theirs. */
  known(): readonly number[];
  /** Marks of the machines of the namespace. */
  marks(): ReadonlySet<string>;
  /** Records the next free one on the machine, before anything is made with it. `taken`: addresses that the cloud shows beside. */
  reserve(taken: readonly string[]): Promise<void>;
}

const textOf = ({ label, region }: Vlan): string => `${region}/${label}`;

const withoutPrefix = (address: string): string => address.split("/", 1)[0] ?? "";

/** Returns the addresses in a VLAN that machines of all namespaces use, or that any process has reserved for them. */
const takenIn = (machines: readonly LinodeMachine[], vlan: Vlan): readonly string[] =>
  machines.flatMap((machine) => {
    if (machine.spec.region !== vlan.region) return [];
    const given = vlanAddressesIn(machine.spec, vlan.label);
    if (textOf(vlanOf(machine)) !== textOf(vlan)) return given;
    const addresses = (machine.status?.addresses ?? []).map(({ address }) => address);
    return [...given, ...addresses, reservedAddress(machine) ?? ""];
  });

/** One process at a time reserves; what it has reserved is in its memory before it is in its cache. */
export const vlanAddresses = (): Use<VlanAddresses, LinodeMachine> => ({
  permissions: [watched(LinodeMachine, ["patch"])],
  attach: () => {
    const reserved = new Map<string, { readonly vlan: string; readonly address: string }>();
    const open = ({ environment: { cache, client, signal }, object: user }: UsePlace): VlanAddresses => ({
      known: () =>
        cache
          .list(LinodeMachine)
          .filter((machine) => (machine.status?.addresses ?? []).length > 0)
          .flatMap(({ spec }) => instanceIdOf(spec.providerID) ?? []),
      marks: () =>
        new Set(
          cache.list(LinodeMachine, { namespace: user.metadata.namespace ?? "" }).map((each) => ownerOf(each).mark),
        ),
      reserve: async (atCloud) => {
        const object = user as LinodeMachine;
        const vlan = vlanOf(object);
        const key = keyText(keyOf(object));
        const others = cache.list(LinodeMachine).filter((machine) => keyText(keyOf(machine)) !== key);
        const taken = new Set([...takenIn(others, vlan), ...atCloud].map(withoutPrefix));
        for (const [owner, each] of reserved) if (owner !== key && each.vlan === textOf(vlan)) taken.add(each.address);
        let index = 1;
        while (taken.has(addressText(index))) index += 1;
        const address = addressText(index);
        reserved.set(key, { vlan: textOf(vlan), address });
        const body = { metadata: { annotations: { [annotation]: `${address}/${prefix}` } } };
        await client.patch(LinodeMachine, keyOf(object), { type: "merge", body }, { signal });
      },
    });
    return { sources: [], open, forget: (request) => void reserved.delete(keyText(request)) };
  },
});

interface ReservingContext {
  readonly api: Pick<LinodeApi, "vlanAddresses" | "vlanMembers">;
  readonly call: Call;
  readonly object: LinodeMachine;
  readonly uses: { readonly vlan: VlanAddresses };
}

/** Reserves an address that no one in the VLAN has: neither a machine that is known here, nor an instance of whomever. */
export const reserveAddress = async ({ api, call, object, uses: { vlan } }: ReservingContext): Promise<void> => {
  const place = vlanOf(object);
  const known = new Set(vlan.known());
  const taken: string[] = [];
  for (const id of await api.vlanMembers(place, call)) {
    if (!known.has(id)) taken.push(...(await api.vlanAddresses(id, place, call)));
  }
  await vlan.reserve(taken);
};
