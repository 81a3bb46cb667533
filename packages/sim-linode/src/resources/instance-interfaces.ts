import { given } from "../api/given.ts";
import type { InstanceInterface, LinodeInterface, UpdateLinodeInterface } from "@capstan/linode-client";
import { boolean, integer, invalid, list, object, type Route, type RouteRequest } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { named } from "../api/resource.ts";
import { route } from "../api/route.ts";
import { linodeSubject, note } from "../events.ts";
import { regionWith } from "../seed.ts";
import type { Mutable, StoredInstance } from "../state.ts";
import type { World } from "../world.ts";
import { firewallCollection, firewallsOf, firewallView, forgetDevice, setFirewalls } from "./firewalls.ts";
import { findInstance, requireFree } from "./instance-rules.ts";
import { newInterfaceShape, updateInterfaceShape } from "./instance-shapes.ts";
import { configured, guardInterface, newLinodeInterface } from "./interfaces.ts";
import { apiTime } from "../times.ts";

const base = "linode/instances/:id/interfaces";

const ownerOf = (request: Pick<RouteRequest, "params">, world: World): StoredInstance => {
  const instance = findInstance(request, world);
  if (instance.generation !== "linode") throw invalid("The Linode does not use linode interfaces");
  return instance;
};

/** Returns a changed interface; what it gives up is free for what it gets. */
const reconfigured = (
  found: Mutable<InstanceInterface>,
  change: UpdateLinodeInterface,
  configure: (wanted: LinodeInterface) => Partial<InstanceInterface>,
): Partial<InstanceInterface> => {
  const { vpc = null } = found;
  const wanted = { ...change, ...(vpc === null || !given(change.vpc) ? {} : { vpc: mergedVpc(vpc, change.vpc) }) };
  found.vpc = null;
  try {
    return configure(wanted as LinodeInterface);
  } finally {
    found.vpc = vpc;
  }
};

type InVpc = NonNullable<InstanceInterface["vpc"]>;

/** Addresses and ranges stay with an interface that stays in its subnet. */
const mergedVpc = (
  before: InVpc,
  { subnet_id = before.subnet_id, ipv4, ipv6 }: NonNullable<UpdateLinodeInterface["vpc"]>,
): NonNullable<LinodeInterface["vpc"]> => {
  if (subnet_id !== before.subnet_id) {
    return { subnet_id, ...(given(ipv4) ? { ipv4 } : {}), ...(given(ipv6) ? { ipv6 } : {}) };
  }
  const addresses = ipv4?.addresses ?? before.ipv4?.addresses;
  const ranges = ipv4?.ranges ?? before.ipv4?.ranges;
  const next = ipv6 ?? before.ipv6;
  return {
    subnet_id,
    ipv4: { ...(given(addresses) ? { addresses } : {}), ...(given(ranges) ? { ranges } : {}) },
    ...(given(next) ? { ipv6: next } : {}),
  };
};

/** Interfaces change only while the instance is off. */
const changing = (request: Pick<RouteRequest, "params">, world: World): StoredInstance => {
  const instance = ownerOf(request, world);
  requireFree(instance);
  if (instance.status !== "offline") throw invalid("The Linode must be powered off to change its interfaces");
  return instance;
};

const oneOf = (request: Pick<RouteRequest, "params">, instance: StoredInstance): Mutable<InstanceInterface> =>
  named(instance.linodeInterfaces, request, "id", "interface");

const nullableId = { type: "integer", nullable: true } as const;

/** Interfaces of the newer generation, and the way from the older one. */
export const instanceInterfaceRoutes: readonly Route<World>[] = [
  route({
    method: "GET",
    path: base,
    handle: (request, world) => {
      const data = ownerOf(request, world).linodeInterfaces;
      return { interfaces: data, data, page: 1, pages: 1, results: data.length };
    },
  }),
  route({
    method: "POST",
    path: base,
    body: newInterfaceShape,
    handle: (request, world) => {
      const instance = changing(request, world);
      if (instance.linodeInterfaces.length >= 3) throw invalid("A Linode has at most 3 interfaces");
      const added = newLinodeInterface(request.body, instance, instance.linodeInterfaces, world);
      instance.linodeInterfaces.push(added);
      guardInterface(added.id, request.body, world, "firewall_id");
      note(world, "interface_create", linodeSubject(instance));
      return added;
    },
  }),
  route({
    method: "GET",
    path: `${base}/:interface`,
    handle: (request, world) => oneOf(request, ownerOf(request, world)),
  }),
  route({
    method: "PUT",
    path: `${base}/:interface`,
    body: updateInterfaceShape,
    handle: (request, world) => {
      const instance = changing(request, world);
      const found = oneOf(request, instance);
      const { default_route: path, ...change } = request.body as UpdateLinodeInterface;
      for (const kind of ["public", "vpc", "vlan"] as const) {
        if (given(change[kind]) && !given(found[kind])) throw invalid("An interface stays of its type", kind);
      }
      Object.assign(
        found,
        reconfigured(found, change, (wanted) => configured(wanted, instance, world, (name) => name)),
        {
          ...(!given(path) ? {} : { default_route: path }),
          version: (found.version ?? 1) + 1,
          updated: apiTime(world.clock.now()),
        },
      );
      note(world, "interface_update", linodeSubject(instance));
      return found;
    },
  }),
  route({
    method: "DELETE",
    path: `${base}/:interface`,
    handle: (request, world) => {
      const instance = changing(request, world);
      const gone = oneOf(request, instance);
      instance.linodeInterfaces = instance.linodeInterfaces.filter((each) => each !== gone);
      forgetDevice("linode_interface", gone.id, world);
      note(world, "interface_delete", linodeSubject(instance));
      return {};
    },
  }),
  collection({
    path: `${base}/history`,
    filterable: ["interface_id", "linode_id"],
    list: (request, world) => {
      const { id, linodeInterfaces } = ownerOf(request, world);
      return linodeInterfaces.map((each) => ({
        interface_history_id: each.id,
        interface_id: each.id,
        linode_id: id,
        event_id: 0,
        version: each.version ?? 1,
        interface_data: JSON.stringify(each),
        created: each.updated,
      }));
    },
  }),
  route({
    method: "GET",
    path: `${base}/settings`,
    handle: (request, world) => settingsOf(ownerOf(request, world)),
  }),
  route({
    method: "PUT",
    path: `${base}/settings`,
    body: object({
      network_helper: boolean,
      default_route: object({ ipv4_interface_id: nullableId, ipv6_interface_id: nullableId }),
    }),
    handle: (request, world) => {
      const instance = ownerOf(request, world);
      const { network_helper: helper, default_route: path = {} } = request.body;
      instance.networkHelper = helper ?? instance.networkHelper;
      for (const family of ["ipv4", "ipv6"] as const) {
        const id = path[`${family}_interface_id`];
        if (id === undefined) continue;
        for (const each of instance.linodeInterfaces) {
          each.default_route = { ...each.default_route, [family]: each.id === id };
        }
      }
      return settingsOf(instance);
    },
  }),
  firewallCollection(
    `${base}/:interface/firewalls`,
    "linode_interface",
    (request, world) => oneOf(request, ownerOf(request, world)).id,
  ),
  firewallCollection("linode/instances/:id/firewalls", "linode", (request, world) => findInstance(request, world).id),
  route({
    method: "PUT",
    path: "linode/instances/:id/firewalls",
    body: object({ firewall_ids: list(integer) }, ["firewall_ids"]),
    handle: (request, world) => {
      const { id, generation } = findInstance(request, world);
      if (generation === "linode") {
        throw invalid("Firewalls are assigned to the interfaces of this Linode", "firewall_ids");
      }
      setFirewalls("linode", id, request.body.firewall_ids, world, "firewall_ids");
      const data = firewallsOf("linode", id, world).map((firewall) => firewallView(firewall, world));
      return { data, page: 1, pages: 1, results: data.length };
    },
  }),
  route({
    method: "POST",
    path: "linode/instances/:id/firewalls/apply",
    handle: (request, world) => {
      findInstance(request, world);
    },
  }),
  route({
    method: "POST",
    path: "linode/instances/:id/upgrade-interfaces",
    body: object({ config_id: nullableId, dry_run: boolean }),
    handle: (request, world) => upgrade(findInstance(request, world), request.body, world),
  }),
];

const settingsOf = ({ networkHelper, linodeInterfaces }: StoredInstance) => {
  const eligible = linodeInterfaces.filter(({ vlan }) => !given(vlan)).map(({ id }) => id);
  const way = (family: "ipv4" | "ipv6") =>
    linodeInterfaces.find((each) => each.default_route?.[family] === true)?.id ?? null;
  return {
    network_helper: networkHelper,
    default_route: {
      ipv4_interface_id: way("ipv4"),
      ipv4_eligible_interface_ids: eligible,
      ipv6_interface_id: way("ipv6"),
      ipv6_eligible_interface_ids: eligible,
    },
  };
};

/** The interfaces of a profile as ones of the newer generation. */
const upgrade = (
  instance: StoredInstance,
  { config_id: configId, dry_run: dryRun = true }: { readonly config_id?: number | null; readonly dry_run?: boolean },
  world: World,
) => {
  if (instance.generation === "linode") throw invalid("The Linode uses linode interfaces already");
  if (regionWith(instance.region, "Linode Interfaces") === undefined) {
    throw invalid("Linode interfaces are not available in this region");
  }
  const config = instance.configs.find(({ id }) => !given(configId) || id === configId);
  if (config === undefined) throw invalid("A config by that ID was not found", "config_id");
  const wanted = config.interfaces.length === 0 ? [{ purpose: "public" as const }] : config.interfaces;
  const interfaces: Mutable<InstanceInterface>[] = [];
  for (const each of wanted) {
    const given =
      each.purpose === "public"
        ? { public: {} }
        : each.purpose === "vlan"
          ? { vlan: { vlan_label: each.label ?? "", ipam_address: each.ipam_address } }
          : { vpc: { subnet_id: each.subnet_id! } };
    interfaces.push(newLinodeInterface(given, instance, interfaces, world));
  }
  if (!dryRun) {
    for (const each of instance.configs) each.interfaces = [];
    instance.generation = "linode";
    instance.linodeInterfaces = interfaces;
  }
  return { config_id: config.id, dry_run: dryRun, interfaces };
};
