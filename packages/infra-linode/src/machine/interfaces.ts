import type { ConfigInterface, LinodeInterface } from "@capstan/linode-client";
import type { LinodeMachine } from "../api/linode-machine.v1alpha2.ts";
import { usesLinodeInterfaces } from "./configuration.ts";

type Spec = LinodeMachine["spec"];

/** Addresses the spec gives in VLANs; the API does not report them. */
export const vlanAddresses = ({
  interfaces,
  linodeInterfaces,
}: Pick<Spec, "interfaces" | "linodeInterfaces">): readonly string[] => [
  ...(interfaces ?? []).flatMap(({ purpose, ipamAddress = "" }) =>
    purpose === "vlan" && ipamAddress !== "" ? [ipamAddress] : [],
  ),
  ...(linodeInterfaces ?? []).flatMap(({ vlan }) => vlan?.ipamAddress ?? vlan?.ipam_address ?? []),
];

/** Those that it gives in the VLAN of a label. */
export const vlanAddressesIn = ({ interfaces, linodeInterfaces }: Spec, label: string): readonly string[] =>
  vlanAddresses({
    interfaces: (interfaces ?? []).filter((each) => each.label === label),
    linodeInterfaces: (linodeInterfaces ?? []).filter(({ vlan }) => (vlan?.vlanLabel ?? vlan?.vlan_label) === label),
  });

const anyRange = [{ range: "/64" }];

interface Ipv6 {
  readonly slaac?: readonly { readonly range: string }[];
  readonly ranges?: readonly { readonly range: string }[];
  readonly is_public?: boolean;
}

const vpcIpv6 = ({ ipv6Options }: Spec): Ipv6 | undefined =>
  ipv6Options === undefined
    ? undefined
    : {
        ...(ipv6Options.enableSLAAC === true ? { slaac: anyRange } : {}),
        ...(ipv6Options.enableRanges === true ? { ranges: anyRange } : {}),
        ...(ipv6Options.isPublicIPv6 === undefined ? {} : { is_public: ipv6Options.isPublicIPv6 }),
      };

/** The VLAN of a cluster, and an instance's address in it. */
export interface VlanPlace {
  readonly label: string;
  readonly address: string;
}

/** Networks that the interfaces of a new instance are connected to. */
export interface InterfacePlaces {
  readonly vlan?: VlanPlace | undefined;
  readonly subnetId: number | undefined;
  readonly firewallId: number | undefined;
}

/** The interfaces of a new instance; with a subnet, a VPC interface in front unless the spec has one, with a VLAN an interface in that. `undefined`: the API's default. */
export const instanceInterfaces = (
  spec: Spec,
  { firewallId, subnetId, vlan }: InterfacePlaces,
): readonly (ConfigInterface | LinodeInterface)[] | undefined => {
  if (usesLinodeInterfaces(spec)) {
    const made = newInterfaces(spec, subnetId);
    const inVlan = vlan && [{ vlan: { vlan_label: vlan.label, ipam_address: vlan.address } }];
    const interfaces = inVlan === undefined ? made : [...inVlan, ...(made.length === 0 ? [{ public: {} }] : made)];
    return interfaces.length === 0 ? undefined : interfaces.map((each) => guarded(each, firewallId));
  }
  const made = configInterfaces(spec, subnetId);
  const inVlan = vlan && [{ purpose: "vlan", label: vlan.label, ipam_address: vlan.address } as const];
  const outside = [{ purpose: "public" } as const];
  const interfaces = inVlan === undefined ? made : [...inVlan, ...(made.length === 0 ? outside : made)];
  return interfaces.length === 0 ? undefined : interfaces;
};

/** In the newer generation firewalls stand before interfaces, but not before those in VLANs. */
const guarded = (entry: LinodeInterface, firewallId: number | undefined): LinodeInterface =>
  firewallId === undefined || entry.vlan !== undefined || entry.firewall_id !== undefined
    ? entry
    : { ...entry, firewall_id: firewallId };

const configInterfaces = (spec: Spec, subnetId: number | undefined): readonly ConfigInterface[] => {
  const ipv6 = vpcIpv6(spec);
  const withIpv6 = ipv6 === undefined ? {} : { ipv6 };
  const given = (spec.interfaces ?? []).map((entry): ConfigInterface => {
    const inVpc = entry.purpose === "vpc";
    const subnet = entry.subnetId ?? (inVpc ? subnetId : undefined);
    return {
      purpose: (entry.purpose ?? "public") as ConfigInterface["purpose"],
      ...(entry.label === undefined ? {} : { label: entry.label }),
      ...(entry.ipamAddress === undefined ? {} : { ipam_address: entry.ipamAddress }),
      ...(entry.primary === undefined ? {} : { primary: entry.primary }),
      ...(subnet === undefined ? {} : { subnet_id: subnet }),
      ...(entry.ipv4 === undefined ? {} : { ipv4: configIpv4(entry.ipv4) }),
      ...(entry.ipRanges === undefined ? {} : { ip_ranges: entry.ipRanges }),
      ...(inVpc ? withIpv6 : {}),
    };
  });
  if (subnetId === undefined || given.some(({ purpose }) => purpose === "vpc")) return given;
  const vpc = { purpose: "vpc", primary: true, subnet_id: subnetId, ipv4: { nat_1_1: "any" }, ...withIpv6 } as const;
  return [vpc, ...given];
};

const configIpv4 = ({ vpc, nat1to1 }: { readonly vpc?: string; readonly nat1to1?: string }) => ({
  ...(vpc === undefined ? {} : { vpc }),
  ...(nat1to1 === undefined ? {} : { nat_1_1: nat1to1 }),
});

type Given = NonNullable<Spec["linodeInterfaces"]>[number];

const newInterfaces = (spec: Spec, subnetId: number | undefined): readonly LinodeInterface[] => {
  const ipv6 = vpcIpv6(spec);
  const given = (spec.linodeInterfaces ?? []).map((entry) => newInterface(entry, subnetId, ipv6));
  if (subnetId === undefined || given.some(({ vpc }) => vpc !== undefined)) return given;
  const address = { primary: true, nat_1_1_address: "auto", address: "auto" };
  return [
    { vpc: { subnet_id: subnetId, ipv4: { addresses: [address] }, ...(ipv6 === undefined ? {} : { ipv6 }) } },
    ...given,
  ];
};

/** Both spellings are accepted; the one in camel case wins. */
const newInterface = (entry: Given, subnetId: number | undefined, ipv6: Ipv6 | undefined): LinodeInterface => {
  const firewall = entry.firewallID ?? entry.firewall_id;
  const route = entry.defaultRoute ?? entry.default_route;
  const vlan = entry.vlan === undefined ? undefined : newVlan(entry.vlan);
  return {
    ...(firewall === undefined ? {} : { firewall_id: firewall }),
    ...(route === undefined ? {} : { default_route: route }),
    ...(entry.public === undefined ? {} : { public: entry.public }),
    ...(entry.vpc === undefined ? {} : { vpc: newVpc(entry.vpc, subnetId, ipv6) }),
    ...(vlan === undefined ? {} : { vlan }),
  };
};

const newVlan = (vlan: NonNullable<Given["vlan"]>): NonNullable<LinodeInterface["vlan"]> => {
  const address = vlan.ipamAddress ?? vlan.ipam_address;
  const label = vlan.vlanLabel ?? vlan.vlan_label ?? "";
  return { vlan_label: label, ...(address === undefined ? {} : { ipam_address: address }) };
};

const newVpc = (
  vpc: NonNullable<Given["vpc"]>,
  subnetId: number | undefined,
  ipv6: Ipv6 | undefined,
): NonNullable<LinodeInterface["vpc"]> => {
  const { ipv4 } = vpc;
  const own = vpc.ipv6 === undefined ? ipv6 : newVpcIpv6(vpc.ipv6);
  const addresses = ipv4?.addresses?.map(({ address, primary, nat1to1Address, nat_1_1_address }) => {
    const nat = nat1to1Address ?? nat_1_1_address;
    return {
      address,
      ...(primary === undefined ? {} : { primary }),
      ...(nat === undefined ? {} : { nat_1_1_address: nat }),
    };
  });
  return {
    subnet_id: vpc.subnetId ?? vpc.subnet_id ?? subnetId ?? 0,
    ...(ipv4 === undefined
      ? {}
      : {
          ipv4: {
            ...(addresses === undefined ? {} : { addresses }),
            ...(ipv4.ranges === undefined ? {} : { ranges: ipv4.ranges }),
          },
        }),
    ...(own === undefined ? {} : { ipv6: own }),
  };
};

const newVpcIpv6 = (given: NonNullable<NonNullable<Given["vpc"]>["ipv6"]>): Ipv6 => {
  const isPublic = given.isPublic ?? given.is_public;
  return {
    ...(given.slaac === undefined ? {} : { slaac: given.slaac }),
    ...(given.ranges === undefined ? {} : { ranges: given.ranges }),
    ...(isPublic === undefined ? {} : { is_public: isPublic }),
  };
};
