import type { Route, Shape } from "@capstan/simulation";
import type { World } from "../world.ts";

/** Operations that only v4beta has: interfaces that belong to instances, firewalls that these get, sets of rules, and shared images. */
const operations =
  /^linode\/instances\/:id\/(?:interfaces|upgrade-interfaces)(?:$|\/)|^networking\/(?:firewalls\/(?:settings|templates|rulesets|:id\/rules\/expansion)|prefixlists)(?:$|\/)|^images\/(?:sharegroups|:id\/sharegroups)(?:$|\/)/;

const ofInterface = ["default_route", "firewall_id", "public", "vpc", "vlan", "ipv6"].map(
  (name) => `interfaces[].${name}`,
);

/** Fields of bodies that only v4beta has, by operation: those of interfaces, and IPv6 in VPCs. */
const fields: Readonly<Record<string, readonly string[]>> = {
  "POST linode/instances": ["interface_generation", ...ofInterface],
  "POST linode/instances/:linode/configs": ["interfaces[].ipv6"],
  "PUT linode/instances/:linode/configs/:id": ["interfaces[].ipv6"],
  "POST linode/instances/:linode/configs/:config/interfaces": ["ipv6"],
  "PUT linode/instances/:linode/configs/:config/interfaces/:interface": ["ipv6"],
  "POST networking/firewalls": ["devices.linode_interfaces", "rules.inbound[].ruleset", "rules.outbound[].ruleset"],
  "PUT networking/firewalls/:id/rules": ["inbound[].ruleset", "outbound[].ruleset"],
  "POST vpcs": ["ipv6", "subnets[].ipv6"],
  "POST vpcs/:vpc/subnets": ["ipv6"],
};

/** Returns the operation of v4 for one of v4beta: `undefined`, or one without its newer fields. */
export const releasedForm = (route: Route<World>): Route<World> | undefined => {
  if (operations.test(route.path)) return undefined;
  const newer = fields[`${route.method} ${route.path}`];
  return newer === undefined || route.body === undefined ? route : { ...route, body: without(route.body, newer) };
};

/** A shape without the fields named, at any depth. */
const without = (shape: Shape, names: readonly string[], at = ""): Shape => {
  if (shape.type === "array") return { ...shape, items: without(shape.items, names, `${at}[]`) };
  if (shape.type !== "object") return shape;
  const kept = Object.entries(shape.fields).flatMap(([name, field]) => {
    const path = at === "" ? name : `${at}.${name}`;
    return names.includes(path) ? [] : [[name, without(field, names, path)] as const];
  });
  return { ...shape, fields: Object.fromEntries(kept) };
};
