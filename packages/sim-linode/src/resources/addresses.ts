import type { IpAddress, Ipv6Range } from "@capstan/linode-client";
import { boolean, type Fields, integer, invalid, list, notFound, object, type Route, text } from "@capstan/simulation";
import { freeRange, parseRange } from "@capstan/simulation/network";
import { collection } from "../api/collection.ts";
import { route } from "../api/route.ts";
import { tags } from "../api/shapes.ts";
import { linodeSubject, note } from "../events.ts";
import type { SimulatorState, StoredInstance } from "../state.ts";
import type { World } from "../world.ts";
import { ipv6Space } from "./example-addresses.ts";
import { findInstance } from "./instance-rules.ts";
import { addressesView, gatewayOf, publicAddresses } from "./instance-views.ts";
import { checkReserved, isReserved, newPublicAddress, reserve, setReserved, unassigned } from "./reserved-addresses.ts";

const rdns = object({ rdns: text({ nullable: true }) }, ["rdns"]);
const newAddress = { type: text({ enum: ["ipv4"] }), public: boolean } satisfies Fields;
const assignments = object(
  { region: text(), assignments: list(object({ address: text(), linode_id: integer }, ["address", "linode_id"])) },
  ["region", "assignments"],
);
const sharing = object({ linode_id: integer, ips: list(text({ format: "ip" })) }, ["linode_id", "ips"]);

/** The addresses of an instance, of both families. */
const ofInstance = (instance: StoredInstance, state: SimulatorState): readonly IpAddress[] => {
  const { ipv4, ipv6 } = addressesView(instance, state);
  const all = [...ipv4.public, ...ipv4.private, ...(ipv6 === null || ipv6.slaac === null ? [] : [ipv6.slaac])];
  return all.map((each) => ({ ...each, rdns: state.rdns[each.address] ?? each.rdns }));
};

/** A reserved address that no instance has. */
const waiting = (
  { address, region, tags }: SimulatorState["reservedIps"][number],
  { rdns: names }: SimulatorState,
): IpAddress => ({
  address,
  type: "ipv4",
  public: true,
  prefix: 24,
  region,
  linode_id: null,
  gateway: gatewayOf(address),
  subnet_mask: "255.255.255.0",
  rdns: names[address] ?? null,
  reserved: true,
  interface_id: null,
  assigned_entity: null,
  tags: tags ?? [],
  vpc_nat_1_1: null,
});

const everyAddress = (state: SimulatorState): readonly IpAddress[] => [
  ...state.instances.flatMap((instance) => ofInstance(instance, state)),
  ...unassigned(state).map((each) => waiting(each, state)),
];

/** Addresses that stay the account's. */
export const reservedAddresses = (state: SimulatorState): readonly IpAddress[] =>
  everyAddress(state).filter(({ reserved }) => reserved === true);

const one = (address: string, all: readonly IpAddress[]): IpAddress => {
  const found = all.find((each) => each.address === address);
  if (found === undefined) throw notFound();
  return found;
};

const setRdns = (address: string, value: string | null, all: readonly IpAddress[], { state }: World): IpAddress => {
  const found = one(address, all);
  if (value === null) delete state.rdns[address];
  else state.rdns[address] = value;
  return { ...found, rdns: value };
};

const allocate = (instance: StoredInstance, isPublic: boolean, world: World): IpAddress => {
  if (!isPublic && instance.hasPrivateIp) throw invalid("Linode already has a private IP", "public");
  if (!isPublic) instance.hasPrivateIp = true;
  else instance.extraIps.push(newPublicAddress(world));
  note(world, "linode_addip", linodeSubject(instance));
  return one(isPublic ? publicAddresses(instance).at(-1)! : instance.address, ofInstance(instance, world.state));
};

/** For an instance, or reserved for one to come. */
const allocateInAccount = (
  wanted: {
    readonly public: boolean;
    readonly linode_id?: number;
    readonly reserved?: boolean;
    readonly region?: string;
  },
  world: World,
): IpAddress => {
  const { linode_id: id, public: isPublic, region, reserved = false } = wanted;
  if (reserved && !isPublic) throw invalid("Reserved addresses are public", "public");
  if (id === undefined) {
    if (!reserved) throw invalid("linode_id is required for an address that is not reserved.", "linode_id");
    if (region === undefined) throw invalid("region or linode_id is required.", "region");
    return one(reserve(region, world), everyAddress(world.state));
  }
  const instance = findInstance({ params: { id: String(id) } }, world);
  if (region !== undefined && region !== instance.region) throw invalid("The Linode is in another region", "region");
  const { address } = allocate(instance, isPublic, world);
  if (reserved) setReserved(address, true, world);
  return one(address, ofInstance(instance, world.state));
};

const instanceAddressRoutes: readonly Route<World>[] = [
  route({
    method: "GET",
    path: "linode/instances/:id/ips/:address",
    handle: (request, world) => one(request.params.address, ofInstance(findInstance(request, world), world.state)),
  }),
  route({
    method: "POST",
    path: "linode/instances/:id/ips",
    body: object({ ...newAddress, address: text({ format: "ip" }) }, ["type", "public"]),
    handle: (request, world) => {
      const instance = findInstance(request, world);
      const { address, public: isPublic } = request.body;
      if (address === undefined) return allocate(instance, isPublic, world);
      if (!isPublic) throw invalid("Reserved addresses are public", "public");
      checkReserved(address, instance.region, world.state, "address");
      instance.extraIps.push(address);
      note(world, "linode_addip", linodeSubject(instance));
      return one(address, ofInstance(instance, world.state));
    },
  }),
  route({
    method: "PUT",
    path: "linode/instances/:id/ips/:address",
    body: rdns,
    handle: (request, world) => {
      const all = ofInstance(findInstance(request, world), world.state);
      return setRdns(request.params.address, request.body.rdns, all, world);
    },
  }),
  route({
    method: "DELETE",
    path: "linode/instances/:id/ips/:address",
    handle: (request, world) => {
      const instance = findInstance(request, world);
      const { address } = one(request.params.address, ofInstance(instance, world.state));
      if (!instance.extraIps.includes(address)) throw invalid("This address cannot be removed from the Linode");
      instance.extraIps = instance.extraIps.filter((each) => each !== address);
      note(world, "linode_deleteip", linodeSubject(instance));
      return {};
    },
  }),
];

const reservationRoutes: readonly Route<World>[] = [
  collection({
    path: "networking/reserved/ips",
    filterable: ["address", "linode_id", "region"],
    list: (_request, { state }) => reservedAddresses(state),
  }),
  route({
    method: "GET",
    path: "networking/reserved/ips/:address",
    handle: ({ params }, { state }) => one(params.address, reservedAddresses(state)),
  }),
  route({
    method: "POST",
    path: "networking/reserved/ips",
    body: object({ region: text(), tags }, ["region"]),
    handle: ({ body }, world) => one(reserve(body.region, world, body.tags), reservedAddresses(world.state)),
  }),
  route({
    method: "PUT",
    path: "networking/reserved/ips/:address",
    body: object({ tags }, ["tags"]),
    handle: ({ params, body }, { state }) => {
      const { address } = one(params.address, reservedAddresses(state));
      for (const each of state.reservedIps) if (each.address === address) each.tags = body.tags;
      return one(address, reservedAddresses(state));
    },
  }),
  collection({
    path: "networking/reserved/ips/types",
    filterable: [],
    list: () => [
      {
        id: "reserved-ipv4",
        label: "Reserved IPv4",
        price: { hourly: 0.003, monthly: null },
        region_prices: [],
        transfer: 0,
      },
    ],
  }),
  route({
    method: "DELETE",
    path: "networking/reserved/ips/:address",
    handle: ({ params }, world) => {
      setReserved(one(params.address, reservedAddresses(world.state)).address, false, world);
      return {};
    },
  }),
];

/** Addresses of the account, and IPv6 ranges. */
export const addressRoutes: readonly Route<World>[] = [
  ...instanceAddressRoutes,
  collection({
    path: "networking/ips",
    filterable: ["address", "linode_id", "prefix", "public", "rdns", "region", "reserved", "type"],
    query: { skip_ipv6_rdns: boolean },
    list: ({ query }, { state }) => {
      const all = everyAddress(state);
      if (query["skip_ipv6_rdns"] !== true) return all;
      return all.map((each) => (each.address.includes(":") ? { ...each, rdns: null } : each));
    },
  }),
  route({
    method: "GET",
    path: "networking/ips/:address",
    handle: ({ params }, { state }) => one(params.address, everyAddress(state)),
  }),
  route({
    method: "POST",
    path: "networking/ips",
    body: object({ ...newAddress, linode_id: integer, reserved: boolean, region: text() }, ["type", "public"]),
    handle: ({ body }, world) => allocateInAccount(body, world),
  }),
  route({
    method: "PUT",
    path: "networking/ips/:address",
    body: object({ rdns: text({ nullable: true }), reserved: boolean }),
    handle: ({ params: { address }, body }, world) => {
      const before = one(address, everyAddress(world.state));
      if (body.reserved !== undefined) setReserved(address, body.reserved, world);
      const shown = { ...before, reserved: isReserved(address, world.state) };
      return body.rdns === undefined ? shown : setRdns(address, body.rdns, [shown], world);
    },
  }),
  ...reservationRoutes,
  ...["networking/ips", "networking/ipv4"].flatMap((base) => [
    route({
      method: "POST",
      path: `${base}/assign`,
      body: assignments,
      handle: ({ body }, world) => {
        for (const { address, linode_id: id } of body.assignments) assign(address, id, body.region, world);
      },
    }),
    route({
      method: "POST",
      path: `${base}/share`,
      body: sharing,
      handle: ({ body }, world) => {
        share(findInstance({ params: { id: String(body.linode_id) } }, world), body.ips, world);
      },
    }),
  ]),
  collection({ path: "networking/ipv6/pools", filterable: ["region"], list: () => [] }),
  route({
    method: "GET",
    path: "networking/ipv6/pools/:range",
    handle: () => {
      throw notFound();
    },
  }),
  collection({
    path: "networking/ipv6/ranges",
    filterable: ["region"],
    list: (_request, { state }) => state.ipv6Ranges,
  }),
  route({
    method: "GET",
    path: "networking/ipv6/ranges/:range",
    handle: ({ params }, { state }) => {
      const { range, prefix, region, linodes } = rangeOf(params.range, state);
      return { range, prefix, region, linodes, is_bgp: false };
    },
  }),
  route({
    method: "POST",
    path: "networking/ipv6/ranges",
    body: object(
      {
        prefix_length: { type: "integer", enum: [56, 64] },
        linode_id: integer,
        route_target: text({ format: "ipv6" }),
      },
      ["prefix_length"],
    ),
    handle: ({ body }, world) => newRange(body, world),
  }),
  route({
    method: "DELETE",
    path: "networking/ipv6/ranges/:range",
    handle: ({ params }, { state }) => {
      const gone = rangeOf(params.range, state);
      state.ipv6Ranges = state.ipv6Ranges.filter((each) => each !== gone);
      return {};
    },
  }),
];

/** Lets an instance answer for these addresses of others in its region, and for no others. */
const share = (instance: StoredInstance, addresses: readonly string[], { state }: World): void => {
  for (const [index, address] of addresses.entries()) {
    const field = `ips.${index}`;
    const owner = state.instances.find((other) => publicAddresses(other).includes(address));
    if (owner === undefined) throw invalid("Must be a public IPv4 address of one of your Linodes", field);
    if (owner === instance) throw invalid("The address belongs to this Linode", field);
    if (owner.region !== instance.region) throw invalid("Both Linodes must be in the same region", field);
  }
  instance.sharedIps = addresses;
};

/** Moves an address that an instance has in addition to another one. */
const assign = (address: string, to: number, region: string, { state }: World): void => {
  const owner = state.instances.find(({ extraIps }) => extraIps.includes(address));
  const from = owner ?? unassigned(state).find((each) => each.address === address);
  const target = state.instances.find(({ id }) => id === to);
  if (from === undefined) throw invalid("The address cannot be moved", "assignments");
  if (target === undefined || target.region !== region || from.region !== region) {
    throw invalid("Both Linodes must be in the region", "region");
  }
  if (owner !== undefined) owner.extraIps = owner.extraIps.filter((each) => each !== address);
  target.extraIps.push(address);
};

const rangeOf = (range: string, { ipv6Ranges }: SimulatorState): Ipv6Range => {
  const found = ipv6Ranges.find((each) => each.range === range);
  if (found === undefined) throw notFound();
  return found;
};

const newRange = (
  wanted: { readonly prefix_length: number; readonly linode_id?: number; readonly route_target?: string },
  { state }: World,
): Pick<Ipv6Range, "range" | "route_target"> => {
  const { prefix_length: prefix, linode_id: id, route_target: target } = wanted;
  const owner = state.instances.find((instance) => instance.id === id || instance.slaac === target);
  if (owner === undefined) throw invalid("A linode_id or route_target of the account is required", "linode_id");
  const taken = state.ipv6Ranges.map((each) => parseRange(`${each.range}/${each.prefix}`)!);
  const [range = ""] = (freeRange(ipv6Space.instances, prefix, taken) ?? "").split("/");
  const entry: Ipv6Range = { range, prefix, region: owner.region, route_target: owner.slaac, linodes: [owner.id] };
  state.ipv6Ranges.push(entry);
  return { range: `${range}/${prefix}`, route_target: owner.slaac };
};
