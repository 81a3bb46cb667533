import type { Firewall, FirewallDevice, FirewallParent } from "@capstan/linode-client";
import { integer, invalid, list, notFound, object, type Route, text } from "@capstan/simulation";
import { collection } from "../api/collection.ts";
import { named, resource } from "../api/resource.ts";
import { route } from "../api/route.ts";
import { tags } from "../api/shapes.ts";
import { note } from "../events.ts";
import type { StoredDevice, StoredFirewall } from "../state.ts";
import type { World } from "../world.ts";
import { checkQuota, uniqueLabel } from "./account-rules.ts";
import {
  checkRules,
  expandedRules,
  fingerprint,
  firewallLabel as label,
  ruleFields,
  rulesOf,
  rulesView,
  type WantedRules,
} from "./firewall-rules.ts";
import { apiTime } from "../times.ts";

const createShape = object(
  {
    label,
    tags,
    devices: object({ linodes: list(integer), nodebalancers: list(integer), linode_interfaces: list(integer) }),
    rules: object(ruleFields, ["inbound_policy", "outbound_policy"]),
  },
  ["label", "rules"],
);
const deviceShape = object({ id: integer, type: text({ enum: ["linode", "nodebalancer", "linode_interface"] }) }, [
  "id",
  "type",
]);

const base = "networking/firewalls";

const devicesOf = (request: { readonly params: Readonly<Record<string, string>> }, { state }: World) =>
  named(state.firewalls, request, "id", "firewall").devices;

export const firewallRoutes: readonly Route<World>[] = [
  ...resource({
    path: base,
    filterable: ["id", "label", "tags", "status", "created", "updated"],
    items: (_request, { state }) => state.firewalls,
    view: firewallView,
    event: "firewall",
    create: { body: createShape, make: (body, world) => newFirewall(body, world) },
    update: {
      body: object({ label, tags, status: text({ enum: ["enabled", "disabled"] }) }),
      change: (firewall, body, { state }) => {
        uniqueLabel(state.firewalls, body.label, firewall);
        Object.assign(firewall, body);
      },
    },
    remove: ({ id }, { state }) => {
      const [kind] = Object.entries(state.defaultFirewalls).find(([, each]) => each === id) ?? [];
      if (kind !== undefined) throw invalid(`The Firewall is the account's default for ${kind}`);
    },
  }),
  route({
    method: "GET",
    path: `${base}/:id/rules`,
    handle: (request, { state }) => rulesView(named(state.firewalls, request, "id")),
  }),
  route({
    method: "GET",
    path: `${base}/:id/rules/expansion`,
    handle: (request, { state }) => expandedRules(rulesView(named(state.firewalls, request, "id")), state),
  }),
  route({
    method: "PUT",
    path: `${base}/:id/rules`,
    body: object(ruleFields),
    handle: (request, world) => {
      const firewall = named(world.state.firewalls, request, "id");
      const rules = rulesOf(request.body);
      checkRules(rules, world.state);
      firewall.history.push({ rules: firewall.rules, updated: firewall.updated });
      firewall.rules = rules;
      firewall.updated = apiTime(world.clock.now());
      note(world, "firewall_rules_update", subjectOf(firewall));
      return rulesView(firewall);
    },
  }),
  route({
    method: "GET",
    path: `${base}/:id/history`,
    handle: (request, { state }) => {
      const firewall = named(state.firewalls, request, "id");
      const versions = [...firewall.history, firewall].map(({ updated, rules }, index) => ({
        updated,
        status: firewall.status,
        rules: { ...rules, version: index + 1 },
      }));
      return { data: versions.toReversed(), page: 1, pages: 1, results: versions.length };
    },
  }),
  route({
    method: "GET",
    path: `${base}/:id/history/rules/:version`,
    handle: (request, { state }) => {
      const firewall = named(state.firewalls, request, "id");
      const found = [...firewall.history, firewall][Number(request.params.version) - 1];
      if (found === undefined) throw notFound();
      return { ...found.rules, version: Number(request.params.version), fingerprint: fingerprint(found.rules) };
    },
  }),
  ...resource({
    path: `${base}/:firewall/devices`,
    filterable: ["id", "created", "updated"],
    items: devicesOf,
    view: (device, world) => deviceView(device, world),
    create: {
      body: deviceShape,
      make: ({ id, type }, world, request) =>
        newDevice(named(world.state.firewalls, request, "id", "firewall"), type, id, world),
    },
    remove: (device, world, request) => {
      note(world, "firewall_device_remove", subjectOf(named(world.state.firewalls, request, "id", "firewall")));
    },
  }),
];

const noId = { type: "integer", nullable: true } as const;

const anywhere = { ipv4: ["0.0.0.0/0"], ipv6: ["::/0"] };

const allowed = (name: string, protocol: "TCP" | "ICMP", ports?: string) => ({
  action: "ACCEPT",
  label: `allow-inbound-${name}`,
  description: `Accepts inbound ${name}.`,
  protocol,
  ...(ports === undefined ? {} : { ports }),
  addresses: anywhere,
});

/** The rules that the API proposes for interfaces. */
const templates = ["akamai-non-prod", "public", "vpc"].map((slug) => ({
  slug,
  rules: {
    inbound: [allowed("ssh", "TCP", "22"), allowed("icmp", "ICMP")],
    outbound: [],
    inbound_policy: "DROP",
    outbound_policy: "ACCEPT",
  },
}));

/** Routes of the settings shared by all firewalls of the account. */
export const firewallSettingRoutes: readonly Route<World>[] = [
  route({
    method: "GET",
    path: `${base}/settings`,
    handle: (_request, { state }) => ({ default_firewall_ids: state.defaultFirewalls }),
  }),
  route({
    method: "PUT",
    path: `${base}/settings`,
    body: object(
      {
        default_firewall_ids: object({ linode: noId, nodebalancer: noId, public_interface: noId, vpc_interface: noId }),
      },
      ["default_firewall_ids"],
    ),
    handle: ({ body: { default_firewall_ids: ids } }, { state }) => {
      for (const [kind, id] of Object.entries(ids)) {
        if (typeof id === "number" && !state.firewalls.some((firewall) => firewall.id === id)) {
          throw invalid("A Firewall by that ID was not found", `default_firewall_ids.${kind}`);
        }
      }
      state.defaultFirewalls = { ...state.defaultFirewalls, ...ids };
      return { default_firewall_ids: state.defaultFirewalls };
    },
  }),
  collection({ path: `${base}/templates`, filterable: ["slug"], list: () => templates }),
  route({ method: "GET", path: `${base}/templates/:slug`, handle: (request) => named(templates, request, "slug") }),
];

const subjectOf = ({ id, label: name }: StoredFirewall) => ({
  id,
  label: name,
  type: "firewall",
  url: `/v4/${base}/${id}`,
});

export function firewallView(firewall: StoredFirewall, world: Pick<World, "state">): Firewall {
  const { history: _history, devices, ...shown } = firewall;
  return { ...shown, rules: rulesView(firewall), entities: devices.map((device) => entityOf(device, world)) };
}

/** Returns the entity of a device; `undefined` if it is gone. */
const targetOf = ({ type, entityId }: Pick<StoredDevice, "type" | "entityId">, { state }: Pick<World, "state">) => {
  if (type === "nodebalancer") return state.nodeBalancers.find(({ id }) => id === entityId);
  if (type === "linode") return state.instances.find(({ id }) => id === entityId);
  const owner = state.instances.find(({ linodeInterfaces }) => linodeInterfaces.some(({ id }) => id === entityId));
  return owner === undefined ? undefined : { ...owner, label: null };
};

const paths = {
  linode: "linode/instances",
  nodebalancer: "nodebalancers",
  linode_interface: "linode/instances",
} as const;

/** The instance of an interface. */
const parentOf = ({ entityId, type }: StoredDevice, { state }: Pick<World, "state">): FirewallParent | null => {
  if (type !== "linode_interface") return null;
  const owner = state.instances.find(({ linodeInterfaces }) => linodeInterfaces.some(({ id }) => id === entityId));
  if (owner === undefined) return null;
  const { id, label: name } = owner;
  return { id, type: "linode", label: name, url: `/v4/linode/instances/${id}`, parent_entity: null };
};

const entityOf = (device: StoredDevice, world: Pick<World, "state">): FirewallDevice["entity"] => {
  const target = targetOf(device, world);
  const owner = device.type === "linode_interface" ? `${target?.id ?? 0}/interfaces/` : "";
  return {
    id: device.entityId,
    type: device.type,
    label: target?.label ?? null,
    url: `/v4/${paths[device.type]}/${owner}${device.entityId}`,
    parent_entity: parentOf(device, world),
  };
};

const deviceView = (device: StoredDevice, world: World): FirewallDevice => ({
  id: device.id,
  entity: entityOf(device, world),
  created: device.created,
  updated: device.created,
});

const newDevice = (
  firewall: StoredFirewall,
  type: StoredDevice["type"],
  entityId: number,
  world: World,
): StoredDevice => {
  if (targetOf({ type, entityId }, world) === undefined) throw invalid(`A ${type} by that ID was not found`, "id");
  if (firewall.devices.some((device) => device.type === type && device.entityId === entityId)) {
    throw invalid("The device is already assigned to this Firewall", "id");
  }
  note(world, "firewall_device_add", subjectOf(firewall));
  return { id: world.newId(), type, entityId, created: apiTime(world.clock.now()) };
};

const newFirewall = (
  wanted: {
    readonly label: string;
    readonly tags?: readonly string[];
    readonly rules: WantedRules;
    readonly devices?: Readonly<Partial<Record<"linodes" | "nodebalancers" | "linode_interfaces", readonly number[]>>>;
  },
  world: World,
): StoredFirewall => {
  const { state, clock } = world;
  checkQuota(world, "firewalls", state.firewalls.length);
  uniqueLabel(state.firewalls, wanted.label);
  const rules = rulesOf(wanted.rules);
  checkRules(rules, state);
  const created = apiTime(clock.now());
  const firewall: StoredFirewall = {
    id: world.newId(),
    label: wanted.label,
    status: "enabled",
    tags: wanted.tags ?? [],
    rules,
    history: [],
    devices: [],
    created,
    updated: created,
  };
  const { linodes = [], nodebalancers = [], linode_interfaces: interfaces = [] } = wanted.devices ?? {};
  const devices = [
    ...linodes.map((id) => ["linode", id] as const),
    ...nodebalancers.map((id) => ["nodebalancer", id] as const),
    ...interfaces.map((id) => ["linode_interface", id] as const),
  ];
  for (const [type, id] of devices) firewall.devices.push(newDevice(firewall, type, id, world));
  return firewall;
};

/** The firewalls in front of something. */
export const firewallsOf = (type: StoredDevice["type"], entityId: number, { state }: Pick<World, "state">) =>
  state.firewalls.filter(({ devices }) => devices.some((each) => each.type === type && each.entityId === entityId));

/** A list of the firewalls in front of something. */
export const firewallCollection = (
  path: string,
  type: StoredDevice["type"],
  idOf: (request: { readonly params: Readonly<Record<string, string>> }, world: World) => number,
): Route<World> =>
  collection({
    path,
    filterable: ["id", "label", "tags", "created", "updated"],
    list: (request, world) =>
      firewallsOf(type, idOf(request, world), world).map((firewall) => firewallView(firewall, world)),
  });

/** Asks for no firewall where the account has one for new things. */
export const noFirewall = -1;

/** Refuses a firewall that is not there. */
export const checkFirewall = (id: number | undefined, { state }: World, field: string): void => {
  if (id !== undefined && id !== noFirewall && !state.firewalls.some((firewall) => firewall.id === id)) {
    throw invalid("A Firewall by that ID was not found", field);
  }
};

/** Puts something new behind a firewall; `null`: behind none. */
export const setFirewall = (
  type: StoredDevice["type"],
  entityId: number,
  id: number | null,
  world: World,
  field: string,
): void => {
  if (id !== null && id !== noFirewall) setFirewalls(type, entityId, [id], world, field);
};

/** Puts something behind these firewalls and no others. */
export const setFirewalls = (
  type: StoredDevice["type"],
  entityId: number,
  ids: readonly number[],
  world: World,
  field: string,
): void => {
  const { state } = world;
  if (!ids.every((id) => state.firewalls.some((firewall) => firewall.id === id))) {
    throw invalid("A Firewall by that ID was not found", field);
  }
  for (const firewall of state.firewalls) {
    const wanted = ids.includes(firewall.id);
    const has = firewall.devices.some((each) => each.type === type && each.entityId === entityId);
    if (wanted && !has) firewall.devices.push(newDevice(firewall, type, entityId, world));
    if (!wanted && has) {
      firewall.devices = firewall.devices.filter((each) => each.type !== type || each.entityId !== entityId);
      note(world, "firewall_device_remove", subjectOf(firewall));
    }
  }
};

/** Takes something that is gone from behind its firewalls. */
export const forgetDevice = (type: StoredDevice["type"], entityId: number, { state }: Pick<World, "state">): void => {
  for (const firewall of state.firewalls) {
    firewall.devices = firewall.devices.filter((each) => each.type !== type || each.entityId !== entityId);
  }
};
