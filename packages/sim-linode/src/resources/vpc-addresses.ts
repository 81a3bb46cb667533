import { runningConfig } from "./running-config.ts";
import type { SimulatorState, StoredInstance } from "../state.ts";

/** Address of an interface in a subnet. */
export interface VpcAddress {
  readonly address: string | null;
  readonly subnet_id: number;
  readonly vpc_id: number;
  readonly region: string;
  readonly linode_id: number;
  readonly config_id: number | null;
  readonly interface_id: number;
  readonly nat_1_1: string | null;
  readonly active: boolean;
  readonly ipv6?: { readonly range: string | null; readonly slaac: readonly string[]; readonly is_public: boolean };
}

type Place = Pick<VpcAddress, "subnet_id" | "vpc_id" | "config_id" | "interface_id">;

interface Ipv6 {
  readonly slaac?: readonly { readonly range: string; readonly address?: string }[];
  readonly ranges?: readonly { readonly range: string }[];
  readonly is_public?: boolean;
}

/** Returns the addresses of an instance in VPCs, from interfaces of both generations. */
export const vpcAddressesOf = (instance: StoredInstance): readonly VpcAddress[] => [
  ...instance.configs.flatMap(({ id: config_id, interfaces }) =>
    interfaces.flatMap(({ id, subnet_id, vpc_id, ipv4, ipv6 }) =>
      subnet_id === null || vpc_id === null
        ? []
        : entry(instance, { subnet_id, vpc_id, config_id, interface_id: id }, [ipv4?.vpc, ipv4?.nat_1_1], ipv6),
    ),
  ),
  ...instance.linodeInterfaces.flatMap(({ id, vpc }) =>
    vpc?.vpc_id === undefined
      ? []
      : (vpc.ipv4?.addresses ?? []).flatMap(({ address, nat_1_1_address }) =>
          entry(
            instance,
            { subnet_id: vpc.subnet_id, vpc_id: vpc.vpc_id!, config_id: null, interface_id: id },
            [address, nat_1_1_address],
            vpc.ipv6,
          ),
        ),
  ),
];

const entry = (
  instance: StoredInstance,
  place: Place,
  [address, nat]: readonly [string | undefined, string | null | undefined],
  ipv6: Ipv6 | undefined,
): readonly VpcAddress[] => [
  {
    ...place,
    address: address ?? null,
    region: instance.region,
    linode_id: instance.id,
    nat_1_1: nat ?? null,
    active:
      instance.status === "running" && (place.config_id === null || place.config_id === runningConfig(instance)?.id),
    ...(ipv6 === undefined ? {} : { ipv6: shownIpv6(ipv6) }),
  },
];

const shownIpv6 = ({ slaac = [], ranges = [], is_public = false }: Ipv6): NonNullable<VpcAddress["ipv6"]> => ({
  range: slaac[0]?.range ?? ranges[0]?.range ?? null,
  slaac: slaac.flatMap(({ address }) => address ?? []),
  is_public,
});

export const vpcAddresses = (state: SimulatorState): readonly VpcAddress[] => state.instances.flatMap(vpcAddressesOf);

export const addressesIn = (state: SimulatorState, subnetId: number): readonly VpcAddress[] =>
  vpcAddresses(state).filter(({ subnet_id: id }) => id === subnetId);

/** The instance that has an address in a VPC which another instance is in too. */
export const neighborAt = (
  address: string,
  instance: StoredInstance,
  { instances }: Pick<SimulatorState, "instances">,
): StoredInstance | undefined => {
  const own = vpcsOf(instance);
  return instances.find((each) =>
    vpcAddressesOf(each).some((entry) => entry.address === address && own.has(entry.vpc_id)),
  );
};

const vpcsOf = (instance: StoredInstance): ReadonlySet<number> =>
  new Set(vpcAddressesOf(instance).map(({ vpc_id }) => vpc_id));

export const shareVpc = (one: StoredInstance, other: StoredInstance): boolean => {
  const others = vpcsOf(other);
  return [...vpcsOf(one)].some((id) => others.has(id));
};
