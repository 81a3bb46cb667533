import { given } from "../api/given.ts";
import type { ConfigInterface, InstanceInterface, LinodeInterface } from "@capstan/linode-client";
import { invalid } from "@capstan/simulation";
import { freeRange, isNetwork, parseRange } from "@capstan/simulation/network";
import type { Mutable, Range, StoredConfigInterface, StoredInstance, StoredSubnet } from "../state.ts";
import type { World } from "../world.ts";
import { noFirewall, setFirewall } from "./firewalls.ts";
import { apiTime } from "../times.ts";
import { joinVlan } from "./vlans.ts";
import { addressesIn } from "./vpc-addresses.ts";
import { subnetIn, takeAddress } from "./vpcs.ts";

type Owner = Pick<StoredInstance, "id" | "region" | "publicIp" | "slaac">;

interface WantedIpv6 {
  readonly slaac?: readonly Range[] | null;
  readonly ranges?: readonly Range[] | null;
  readonly is_public?: boolean;
}

/** An address of a /64 that an interface makes itself. */
const ownAddress = (range: string): string => range.replace(/::?\/\d+$/, "::f03c:92ff:fe00:1");

/** Ranges of a subnet: `auto` or a prefix length alone take the next free one. */
const takeIpv6 = (
  subnet: StoredSubnet,
  wanted: readonly Range[],
  { state }: World,
  field: string,
): readonly Range[] => {
  const [own] = subnet.ipv6;
  if (own === undefined) throw invalid("The subnet has no IPv6 range", field);
  const used = addressesIn(state, subnet.id).flatMap(({ ipv6 }) =>
    !given(ipv6?.range) ? [] : [parseRange(ipv6.range)!],
  );
  return wanted.map(({ range }) => {
    const length = /^\/(\d{1,3})$/.exec(range)?.[1] ?? "64";
    const given =
      range === "auto" || range.startsWith("/") ? freeRange(parseRange(own.range)!, Number(length), used) : range;
    const parsed = given === undefined ? undefined : parseRange(given);
    if (given === undefined || parsed?.family !== 6) throw invalid("Must be an IPv6 range, or auto", field);
    used.push(parsed);
    return { range: given };
  });
};

const vpcIpv6 = (subnet: StoredSubnet, wanted: WantedIpv6, world: World, field: string) => ({
  slaac: takeIpv6(subnet, wanted.slaac ?? [], world, `${field}.slaac`).map(({ range }) => ({
    range,
    address: ownAddress(range),
  })),
  ranges: takeIpv6(subnet, wanted.ranges ?? [], world, `${field}.ranges`),
  is_public: wanted.is_public ?? false,
});

/** Names fields of what is itself a field, or, with an empty name, the whole body. */
const within =
  (field: string) =>
  (name: string): string =>
    field === "" ? name : `${field}.${name}`;

/** Stores an interface of a configuration profile, with the addresses that it gets. */
export const newConfigInterface = (
  wanted: ConfigInterface,
  owner: Owner,
  world: World,
  field: string,
): StoredConfigInterface => {
  const at = within(field);
  const { purpose } = wanted;
  const base = { id: world.newId(), purpose, primary: wanted.primary ?? false, ip_ranges: wanted.ip_ranges ?? [] };
  const outside = { label: null, ipam_address: null, subnet_id: null, vpc_id: null };
  if (purpose !== "vlan" && (wanted.label ?? "") !== "") {
    throw invalid("label is for vlan interfaces", at("label"));
  }
  if (purpose !== "vlan" && (wanted.ipam_address ?? "") !== "") {
    throw invalid("ipam_address is for vlan interfaces", at("ipam_address"));
  }
  if (purpose !== "vpc" && given(wanted.subnet_id)) {
    throw invalid("subnet_id is for vpc interfaces", at("subnet_id"));
  }
  if (purpose === "public") return { ...base, ...outside };
  if (purpose === "vlan") {
    if (base.primary) throw invalid("A vlan interface cannot be primary", at("primary"));
    if ((wanted.label ?? "") === "") throw invalid("label is required for vlan interfaces", at("label"));
    const { ipam_address: address } = wanted;
    if (given(address) && address !== "" && !isNetwork(address)) {
      throw invalid("Must be an address with a prefix length", at("ipam_address"));
    }
    joinVlan(wanted.label!, owner.region, world, at("label"));
    return { ...base, ...outside, label: wanted.label!, ipam_address: wanted.ipam_address ?? "" };
  }
  if (typeof wanted.subnet_id !== "number") {
    throw invalid("subnet_id is required for vpc interfaces", at("subnet_id"));
  }
  const { vpc, subnet } = subnetIn(wanted.subnet_id, owner.region, world, at("subnet_id"));
  const address = takeAddress(subnet, wanted.ipv4?.vpc ?? undefined, world, at("ipv4.vpc"));
  return {
    ...base,
    ...outside,
    subnet_id: subnet.id,
    vpc_id: vpc.id,
    ipv4: { vpc: address, nat_1_1: natOf(wanted.ipv4?.nat_1_1, "any", owner, at("ipv4.nat_1_1")) },
    ...(!given(wanted.ipv6) ? {} : { ipv6: vpcIpv6(subnet, wanted.ipv6, world, at("ipv6")) }),
  };
};

/** An interface of a profile after a change; addresses in its subnet must be free. */
export const changedConfigInterface = (
  before: StoredConfigInterface,
  change: {
    readonly primary?: boolean;
    readonly ipv4?: { readonly vpc?: string | null; readonly nat_1_1?: string | null };
    readonly ipv6?: WantedIpv6;
    readonly ip_ranges?: readonly string[] | null;
  },
  owner: Owner,
  world: World,
): StoredConfigInterface => {
  const { ipv4, ipv6 } = change;
  const base = {
    ...before,
    primary: change.primary ?? before.primary,
    ip_ranges: change.ip_ranges ?? before.ip_ranges,
  };
  if (before.subnet_id === null) {
    if (ipv4 !== undefined) throw invalid("ipv4 is for vpc interfaces", "ipv4");
    if (ipv6 !== undefined) throw invalid("ipv6 is for vpc interfaces", "ipv6");
    return base;
  }
  const { subnet } = subnetIn(before.subnet_id, owner.region, world, "subnet_id");
  const address = ipv4?.vpc ?? before.ipv4!.vpc;
  const kept = address === before.ipv4!.vpc;
  return {
    ...base,
    ipv4: {
      vpc: kept ? address : takeAddress(subnet, address, world, "ipv4.vpc"),
      nat_1_1: ipv4 === undefined ? before.ipv4!.nat_1_1 : natOf(ipv4.nat_1_1, "any", owner, "ipv4.nat_1_1"),
    },
    ...(ipv6 === undefined ? {} : { ipv6: vpcIpv6(subnet, ipv6, world, "ipv6") }),
  };
};

/** The public address that stands for one in a VPC. */
const natOf = (wanted: string | null | undefined, any: string, { publicIp }: Owner, field: string): string | null => {
  if (!given(wanted) || wanted === "") return null;
  if (wanted !== any && wanted !== publicIp) throw invalid("Must be a public address of the Linode", field);
  return publicIp;
};

/** Validates the interfaces of a profile: at most one is primary, and at most one is in a VPC or public. */
export const checkConfigInterfaces = (
  interfaces: readonly Pick<ConfigInterface, "purpose" | "primary" | "label">[],
): void => {
  if (interfaces.filter(({ primary }) => primary === true).length > 1) {
    throw invalid("Only one interface may be primary", "interfaces");
  }
  for (const purpose of ["public", "vpc"] as const) {
    if (interfaces.filter((each) => each.purpose === purpose).length > 1) {
      throw invalid(`Only one ${purpose} interface per config is allowed`, "interfaces");
    }
  }
};

/** Fields for the creation and change of an interface of the newer generation; `null` is the same as absent. */
export type WantedInterface = {
  readonly [K in keyof LinodeInterface]: unknown;
};

const kinds = ["public", "vpc", "vlan"] as const;

/** Stores an interface of the newer generation. */
export const newLinodeInterface = (
  body: WantedInterface,
  owner: Owner,
  others: readonly InstanceInterface[],
  world: World,
  field = "",
): Mutable<InstanceInterface> => {
  const at = within(field);
  const wanted = body as LinodeInterface;
  const chosen = kinds.filter((kind) => given(wanted[kind]));
  const [kind, ...more] = chosen;
  if (kind === undefined || more.length > 0) {
    throw invalid("Exactly one of public, vpc and vlan must be given", at("public"));
  }
  if (kind !== "vlan" && others.some((other) => given(other[kind]))) {
    throw invalid(`Only one ${kind} interface per Linode is allowed`, at(kind));
  }
  if (others.some(({ vlan }) => given(vlan) && vlan.vlan_label === wanted.vlan?.vlan_label)) {
    throw invalid("The Linode is in this VLAN already", at("vlan.vlan_label"));
  }
  const created = apiTime(world.clock.now());
  const id = world.newId();
  const route = wanted.default_route ?? firstRoute(kind, others);
  const stored: Mutable<InstanceInterface> = {
    id,
    version: 1,
    mac_address: `22:00:${id
      .toString(16)
      .padStart(8, "0")
      .slice(-8)
      .replaceAll(/(..)(?!$)/g, "$1:")}`,
    created,
    updated: created,
    default_route: kind === "vlan" ? {} : route,
    public: null,
    vpc: null,
    vlan: null,
    ...configured(wanted, owner, world, at),
  };
  return stored;
};

/** Puts a new interface behind the firewall that it names, or that the account has for its kind, once it belongs to its instance. */
export const guardInterface = (id: number, wanted: WantedInterface, world: World, field: string): void => {
  const { firewall_id: firewall, vlan, vpc } = wanted as LinodeInterface;
  if (given(vlan)) {
    if (given(firewall) && firewall !== noFirewall) throw invalid("A vlan interface has no firewall", field);
    return;
  }
  const { public_interface: ofPublic, vpc_interface: ofVpc } = world.state.defaultFirewalls;
  setFirewall("linode_interface", id, firewall ?? (given(vpc) ? ofVpc : ofPublic), world, field);
};

/** The first interface towards the outside is the way there. */
const firstRoute = (
  kind: (typeof kinds)[number],
  others: readonly InstanceInterface[],
): NonNullable<InstanceInterface["default_route"]> => {
  const taken = others.some(({ default_route: route }) => route?.ipv4 === true);
  if (taken) return {};
  return kind === "public" ? { ipv4: true, ipv6: true } : { ipv4: true };
};

/** The part of an interface that says what it is connected to. */
export const configured = (
  { public: outside, vpc, vlan }: LinodeInterface,
  owner: Owner,
  world: World,
  at: (name: string) => string,
): Partial<Mutable<InstanceInterface>> => {
  if (given(vlan)) {
    joinVlan(vlan.vlan_label, owner.region, world, at("vlan.vlan_label"));
    return { vlan: { vlan_label: vlan.vlan_label, ipam_address: vlan.ipam_address ?? null } };
  }
  if (given(vpc)) return { vpc: inVpc(vpc, owner, world, at) };
  if (!given(outside)) return {};
  const addresses = outside.ipv4?.addresses ?? [{ address: "auto", primary: true }];
  const ranges = outside.ipv6?.ranges ?? [];
  return {
    public: {
      ipv4: {
        addresses: addresses.map(({ address, primary }, index) => ({
          address: address === "auto" ? owner.publicIp : address,
          primary: primary ?? index === 0,
        })),
      },
      ipv6: {
        slaac: [{ address: owner.slaac, prefix: 64 }],
        ranges: ranges.map(({ range }) => ({ range, route_target: owner.slaac })),
      },
    },
  };
};

const inVpc = (
  wanted: NonNullable<LinodeInterface["vpc"]>,
  owner: Owner,
  world: World,
  at: (name: string) => string,
): NonNullable<InstanceInterface["vpc"]> => {
  const { vpc, subnet } = subnetIn(wanted.subnet_id, owner.region, world, at("vpc.subnet_id"));
  const addresses = wanted.ipv4?.addresses ?? (subnet.ipv4 === "" ? [] : [{ address: "auto", primary: true }]);
  return {
    vpc_id: vpc.id,
    subnet_id: subnet.id,
    ipv4: {
      addresses: addresses.map(({ address, primary, nat_1_1_address: nat }, index) => ({
        address: takeAddress(subnet, address, world, at(`vpc.ipv4.addresses.${index}.address`)),
        primary: primary ?? index === 0,
        nat_1_1_address: natOf(nat, "auto", owner, at(`vpc.ipv4.addresses.${index}.nat_1_1_address`)),
      })),
      ranges: wanted.ipv4?.ranges ?? [],
    },
    ...(subnet.ipv6.length === 0 && !given(wanted.ipv6)
      ? {}
      : { ipv6: vpcIpv6(subnet, wanted.ipv6 ?? {}, world, at("vpc.ipv6")) }),
  };
};
