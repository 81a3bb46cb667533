import type { Vpc, VpcSubnet } from "@capstan/linode-client";
import { invalid, list, object, type Route, type RouteRequest, text } from "@capstan/simulation";
import { type AddressRange, freeAddress, freeRange, overlaps, parseRange } from "@capstan/simulation/network";
import { collection } from "../api/collection.ts";
import { inUse } from "../api/refusals.ts";
import { named, resource } from "../api/resource.ts";
import { route } from "../api/route.ts";
import { regionWith } from "../seed.ts";
import type { Range, SimulatorState, StoredSubnet, StoredVpc } from "../state.ts";
import type { World } from "../world.ts";
import { checkQuota, uniqueLabel } from "./account-rules.ts";
import { apiTime } from "../times.ts";
import { ipv6Space } from "./example-addresses.ts";
import { gatewayOf } from "./instance-views.ts";
import { addressesIn, type VpcAddress, vpcAddresses } from "./vpc-addresses.ts";

const range = object({ range: text() }, ["range"]);
const vpcLabel = text({ min: 1, max: 64, pattern: /^(?!.*--)[a-zA-Z0-9-]*$/ });
const subnetLabel = text({ min: 1, max: 64 });
const description = text({ max: 255 });

const subnetShape = object({ label: subnetLabel, ipv4: text(), ipv6: list(range) }, ["label"]);
const createVpcShape = object(
  {
    label: vpcLabel,
    region: text(),
    description,
    ipv4: list(range),
    ipv6: list(object({ range: text(), allocation_class: text() })),
    subnets: list(subnetShape),
    // Others would be of hardware that is not simulated.
    vpc_type: text({ enum: ["regular"] }),
  },
  ["label", "region"],
);

const subnetsOf = (request: { readonly params: Readonly<Record<string, string>> }, { state }: World): StoredSubnet[] =>
  named(state.vpcs, request, "id", "vpc").subnets;

const ipFields = ["active", "config_id", "linode_id", "region", "vpc_id"];

export const vpcRoutes: readonly Route<World>[] = [
  ...resource({
    path: "vpcs",
    filterable: ["id", "label", "region", "description", "created", "updated"],
    items: (_request, { state }) => state.vpcs,
    view: (vpc, world) => vpcView(vpc, world),
    event: "vpc",
    create: { body: createVpcShape, make: (body, world) => newVpc(body, world) },
    update: {
      body: object({ label: vpcLabel, description, ipv4: list(range) }),
      change: (vpc, body, { state }) => {
        uniqueLabel(state.vpcs, body.label, vpc);
        if (body.ipv4 !== undefined) checkOwnRanges(body.ipv4);
        Object.assign(vpc, body);
      },
    },
    remove: ({ subnets }, world) => {
      for (const subnet of subnets) checkEmpty(subnet, world, "Subnets must be empty before the VPC can be deleted");
    },
  }),
  ...resource({
    path: "vpcs/:vpc/subnets",
    filterable: ["id", "label", "created", "updated"],
    items: subnetsOf,
    view: (subnet, world) => subnetView(subnet, world),
    event: "subnet",
    create: {
      body: subnetShape,
      make: (body, world, request) => newSubnet(named(world.state.vpcs, request, "id", "vpc"), body, world),
    },
    update: {
      body: object({ label: subnetLabel }),
      change: (subnet, { label }, world, request) => {
        uniqueLabel(subnetsOf(request, world), label, subnet);
        subnet.label = label ?? subnet.label;
      },
    },
    remove: (subnet, world) =>
      checkEmpty(subnet, world, "Cannot delete a subnet that has linodes or NodeBalancers assigned to it"),
  }),
  route({
    method: "GET",
    path: "vpcs/default-ranges",
    handle: () => ({
      default_ipv4_ranges: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/17"],
      forbidden_ipv4_ranges: ["192.168.128.0/17"],
    }),
  }),
  collection({
    path: "vpcs/ips",
    filterable: ipFields,
    list: (_request, { state }) => vpcAddresses(state).map(ipView),
  }),
  collection({
    path: "vpcs/:id/ips",
    filterable: ipFields,
    list: (request, { state }) => addressesOf(request, state).map(ipView),
  }),
  collection({
    path: "vpcs/ipv6s",
    filterable: ipFields,
    list: (_request, { state }) => vpcAddresses(state).flatMap(ipv6View),
  }),
  collection({
    path: "vpcs/:id/ipv6s",
    filterable: ipFields,
    list: (request, { state }) => addressesOf(request, state).flatMap(ipv6View),
  }),
];

const addressesOf = (request: Pick<RouteRequest, "params">, state: SimulatorState): readonly VpcAddress[] => {
  const { id } = named(state.vpcs, request, "id");
  return vpcAddresses(state).filter(({ vpc_id: vpc }) => vpc === id);
};

/** Returns an entry of its own for the IPv6 range of an address; none without a range. */
const ipv6View = (each: VpcAddress): readonly object[] =>
  each.ipv6 === undefined ? [] : [{ ...ipView(each), address: null, gateway: null, prefix: 64 }];

const ipView = ({ ipv6, ...address }: VpcAddress): object => ({
  ...address,
  address_range: null,
  gateway: address.address === null ? null : gatewayOf(address.address),
  prefix: 24,
  subnet_mask: "255.255.255.0",
  nodebalancer_id: null,
  database_id: null,
  ...(ipv6 === undefined
    ? { ipv6_range: null, ipv6_is_public: null, ipv6_addresses: [] }
    : {
        ipv6_range: ipv6.range,
        ipv6_is_public: ipv6.is_public,
        ipv6_addresses: ipv6.slaac.map((slaac) => ({ slaac_address: slaac })),
      }),
});

/** Where VPCs may have addresses; the last is the network of private addresses. */
const ownRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"].map((text_) => parseRange(text_)!);
const privateNetwork = parseRange("192.168.128.0/17")!;

const checkOwnRanges = (ranges: readonly Range[]): void => {
  for (const [index, each] of ranges.entries()) {
    if (parseRange(each.range)?.family !== 4) {
      throw invalid("Must be an IPv4 network in CIDR format", `ipv4.${index}.range`);
    }
  }
};

const newVpc = (
  wanted: {
    readonly label: string;
    readonly region: string;
    readonly description?: string;
    readonly ipv4?: readonly Range[];
    readonly ipv6?: readonly WantedRange[];
    readonly subnets?: readonly WantedSubnet[];
  },
  world: World,
): StoredVpc => {
  const { state, clock } = world;
  checkQuota(world, "vpcs", state.vpcs.length);
  uniqueLabel(state.vpcs, wanted.label);
  if (regionWith(wanted.region, "VPCs") === undefined) throw invalid("VPCs are not available in this region", "region");
  checkOwnRanges(wanted.ipv4 ?? []);
  const created = apiTime(clock.now());
  const vpc: StoredVpc = {
    id: world.newId(),
    label: wanted.label,
    description: wanted.description ?? "",
    region: wanted.region,
    ipv4: wanted.ipv4 ?? [],
    ipv6: takeRanges(
      wanted.ipv6,
      52,
      ({ allocation_class: name = "" }) => (name === "" ? ipv6Space.vpcs : ipv6Space.classes),
      state.vpcs.flatMap(({ ipv6 }) => ipv6),
      "ipv6",
    ),
    created,
    updated: created,
    subnets: [],
  };
  for (const [index, subnet] of (wanted.subnets ?? []).entries()) {
    vpc.subnets.push(newSubnet(vpc, subnet, world, `subnets.${index}.`));
  }
  return vpc;
};

type WantedRange = Partial<Range> & { readonly allocation_class?: string };

/** `auto`, or a prefix length alone, takes the next free range; a range of one's own must be free. */
const takeRanges = (
  wanted: readonly WantedRange[] | undefined,
  usualLength: number,
  spaceOf: (wanted: WantedRange) => AddressRange,
  taken: readonly Range[],
  field: string,
): readonly Range[] => {
  const used = taken.map((each) => parseRange(each.range)!);
  return (wanted ?? []).map((asked, index) => {
    const { range: text_ = "auto" } = asked;
    const length = /^\/(\d{1,3})$/.exec(text_)?.[1];
    const free = text_ === "auto" || length !== undefined;
    const given = free ? freeRange(spaceOf(asked), Number(length ?? usualLength), used) : text_;
    const parsed = given === undefined ? undefined : parseRange(given);
    if (given === undefined || parsed?.family !== 6) {
      throw invalid("Must be an IPv6 range, or auto", `${field}.${index}.range`);
    }
    if (used.some((each) => overlaps(each, parsed))) throw inUse("range", `${field}.${index}.range`);
    used.push(parsed);
    return { range: given };
  });
};

type WantedSubnet = { readonly label: string; readonly ipv4?: string; readonly ipv6?: readonly Range[] };

const newSubnet = (vpc: StoredVpc, wanted: WantedSubnet, world: World, at = ""): StoredSubnet => {
  uniqueLabel(vpc.subnets, wanted.label, undefined, `${at}label`);
  if (wanted.ipv4 === undefined && wanted.ipv6 === undefined) throw invalid("ipv4 is required.", `${at}ipv4`);
  if (wanted.ipv4 !== undefined) checkSubnetRange(wanted.ipv4, vpc, `${at}ipv4`);
  const [own] = vpc.ipv6;
  if (wanted.ipv6 !== undefined && own === undefined) throw invalid("The VPC has no IPv6 range", `${at}ipv6`);
  const created = apiTime(world.clock.now());
  return {
    id: world.newId(),
    label: wanted.label,
    ipv4: wanted.ipv4 ?? "",
    ipv6:
      own === undefined
        ? []
        : takeRanges(
            wanted.ipv6,
            56,
            () => parseRange(own.range)!,
            vpc.subnets.flatMap(({ ipv6 }) => ipv6),
            `${at}ipv6`,
          ),
    created,
    updated: created,
  };
};

const checkSubnetRange = (text_: string, { ipv4, subnets }: StoredVpc, field: string): void => {
  const wanted = parseRange(text_);
  const length = Number(text_.split("/")[1]);
  if (wanted?.family !== 4 || length < 1 || length > 29) {
    throw invalid("Must be an IPv4 network in CIDR format with a prefix of 1 to 29", field);
  }
  const allowed = ipv4.length === 0 ? ownRanges : ipv4.map((each) => parseRange(each.range)!);
  if (!allowed.some((each) => overlaps(each, wanted))) {
    throw invalid("Must be in a private range of RFC 1918, or of the VPC", field);
  }
  if (overlaps(privateNetwork, wanted)) throw invalid("Must not overlap with 192.168.128.0/17", field);
  const other = subnets.find((each) => each.ipv4 !== "" && overlaps(parseRange(each.ipv4)!, wanted));
  if (other !== undefined) throw invalid(`Must not overlap with the subnet ${other.label}`, field);
};

const checkEmpty = (subnet: StoredSubnet, { state }: World, reason: string): void => {
  if (addressesIn(state, subnet.id).length > 0) throw invalid(reason);
  if (state.nodeBalancers.some(({ vpcs }) => vpcs.some(({ subnet_id: id }) => id === subnet.id))) throw invalid(reason);
};

const vpcView = (vpc: StoredVpc, world: World): Vpc => ({
  ...vpc,
  ipv6: vpc.ipv6.length === 0 ? null : vpc.ipv6,
  vpc_type: "regular",
  subnets: vpc.subnets.map((subnet) => subnetView(subnet, world)),
});

const subnetView = (subnet: StoredSubnet, { state }: World): VpcSubnet => {
  const taken = addressesIn(state, subnet.id);
  return {
    ...subnet,
    ipv6: subnet.ipv6.length === 0 ? null : subnet.ipv6,
    vpc_type: "regular",
    databases: [],
    linodes: [...new Set(taken.map(({ linode_id: id }) => id))].map((id) => ({
      id,
      interfaces: taken
        .filter(({ linode_id: other }) => other === id)
        .map(({ interface_id, config_id, active }) => ({ id: interface_id, config_id, active })),
    })),
    nodebalancers: state.nodeBalancers.flatMap(({ id, vpcs }) =>
      vpcs.filter((each) => each.subnet_id === subnet.id).map((each) => ({ id, ipv4_range: each.ipv4_range })),
    ),
  };
};

/** A subnet by its id, in a region. */
export const subnetIn = (id: number, region: string, { state }: World, field: string) => {
  const vpc = state.vpcs.find(({ subnets }) => subnets.some((each) => each.id === id));
  const subnet = vpc?.subnets.find((each) => each.id === id);
  if (vpc === undefined || subnet === undefined || vpc.region !== region) {
    throw invalid("A subnet by that ID was not found in this region", field);
  }
  return { vpc, subnet };
};

/** The address asked for, or the next one that is free; the first two of a range are never given out. */
export const takeAddress = (
  subnet: StoredSubnet,
  wanted: string | undefined,
  { state }: World,
  field: string,
): string => {
  const used = new Set(addressesIn(state, subnet.id).flatMap(({ address }) => address ?? []));
  const own = wanted === undefined || wanted === "auto" ? undefined : wanted;
  if (own !== undefined && used.has(own)) throw inUse("address", field);
  const within = parseRange(subnet.ipv4);
  const address = own ?? (within === undefined ? undefined : freeAddress(within, used, 2));
  if (address === undefined) throw invalid("The subnet has no free address", field);
  return address;
};
