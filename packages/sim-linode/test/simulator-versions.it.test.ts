import { createLinodeClient } from "@capstan/linode-client";
import { expect, it } from "vitest";
import { releasedForm } from "../src/api/beta.ts";
import { linodeRoutes } from "../src/simulator.ts";
import { reasonOf, simulate, smallInstance } from "../src/testing.ts";
import { familyOf, fieldsOf } from "./tour/routes-seen.ts";

const differing = linodeRoutes.flatMap((route) => {
  const released = releasedForm(route);
  if (released === undefined) return [familyOf(route)];
  const kept = released.body === undefined ? [] : fieldsOf(released.body);
  const lost = route.body === undefined ? [] : fieldsOf(route.body).filter((field) => !kept.includes(field));
  return lost.length === 0 ? [] : [`${familyOf(route)}: ${lost.join(" ")}`];
});

it("v4 has no interfaces of instances, and no IPv6 in VPCs", () => {
  expect(differing).toMatchInlineSnapshot(`
    [
      "POST linode/instances: interface_generation interfaces[].ipv6.slaac[].range interfaces[].ipv6.ranges[].range interfaces[].ipv6.is_public interfaces[].firewall_id interfaces[].default_route.ipv4 interfaces[].default_route.ipv6 interfaces[].public.ipv4.addresses[].address interfaces[].public.ipv4.addresses[].primary interfaces[].public.ipv6.ranges[].range interfaces[].vpc.subnet_id interfaces[].vpc.ipv4.addresses[].address interfaces[].vpc.ipv4.addresses[].primary interfaces[].vpc.ipv4.addresses[].nat_1_1_address interfaces[].vpc.ipv4.ranges[].range interfaces[].vpc.ipv6.slaac[].range interfaces[].vpc.ipv6.ranges[].range interfaces[].vpc.ipv6.is_public interfaces[].vlan.vlan_label interfaces[].vlan.ipam_address",
      "POST linode/instances/*/configs: interfaces[].ipv6.slaac[].range interfaces[].ipv6.ranges[].range interfaces[].ipv6.is_public",
      "PUT linode/instances/*/configs/*: interfaces[].ipv6.slaac[].range interfaces[].ipv6.ranges[].range interfaces[].ipv6.is_public",
      "POST linode/instances/*/configs/*/interfaces: ipv6.slaac[].range ipv6.ranges[].range ipv6.is_public",
      "PUT linode/instances/*/configs/*/interfaces/*: ipv6.slaac[].range ipv6.ranges[].range ipv6.is_public",
      "GET linode/instances/*/interfaces",
      "POST linode/instances/*/interfaces",
      "GET linode/instances/*/interfaces/*",
      "PUT linode/instances/*/interfaces/*",
      "DELETE linode/instances/*/interfaces/*",
      "GET linode/instances/*/interfaces/history",
      "GET linode/instances/*/interfaces/settings",
      "PUT linode/instances/*/interfaces/settings",
      "GET linode/instances/*/interfaces/*/firewalls",
      "POST linode/instances/*/upgrade-interfaces",
      "POST vpcs: ipv6[].range ipv6[].allocation_class subnets[].ipv6[].range",
      "POST vpcs/*/subnets: ipv6[].range",
      "POST networking/firewalls: devices.linode_interfaces[] rules.inbound[].ruleset rules.outbound[].ruleset",
      "GET networking/firewalls/*/rules/expansion",
      "PUT networking/firewalls/*/rules: inbound[].ruleset outbound[].ruleset",
      "GET networking/firewalls/settings",
      "PUT networking/firewalls/settings",
      "GET networking/firewalls/templates",
      "GET networking/firewalls/templates/*",
      "GET networking/firewalls/rulesets",
      "GET networking/firewalls/rulesets/*",
      "POST networking/firewalls/rulesets",
      "PUT networking/firewalls/rulesets/*",
      "DELETE networking/firewalls/rulesets/*",
      "GET networking/prefixlists",
      "GET networking/prefixlists/*",
      "GET images/sharegroups",
      "GET images/sharegroups/*",
      "POST images/sharegroups",
      "PUT images/sharegroups/*",
      "DELETE images/sharegroups/*",
      "GET images/*/sharegroups",
      "GET images/sharegroups/*/images",
      "POST images/sharegroups/*/images",
      "PUT images/sharegroups/*/images/*",
      "DELETE images/sharegroups/*/images/*",
      "GET images/sharegroups/*/members",
      "GET images/sharegroups/*/members/*",
      "POST images/sharegroups/*/members",
      "PUT images/sharegroups/*/members/*",
      "DELETE images/sharegroups/*/members/*",
      "GET images/sharegroups/tokens",
      "GET images/sharegroups/tokens/*",
      "POST images/sharegroups/tokens",
      "PUT images/sharegroups/tokens/*",
      "DELETE images/sharegroups/tokens/*",
      "GET images/sharegroups/tokens/*/sharegroup",
      "GET images/sharegroups/tokens/*/sharegroup/images",
    ]
  `);
});

it("what only v4beta has fails under v4", async () => {
  await using simulation = await simulate();
  const { url, token, requests } = simulation.simulator;
  const clientOf = (apiVersion: string) => createLinodeClient({ url, token, apiVersion, retry: { maxRetries: 0 } });
  const [released, beta] = [clientOf("v4"), clientOf("v4beta")];
  const newStyle = {
    ...smallInstance,
    private_ip: false,
    interface_generation: "linode",
    interfaces: [{ public: {} }],
  };
  const wanted = newStyle as Parameters<typeof beta.instances.create>[0];
  expect(await reasonOf(released.instances.create(wanted))).toContain("[interface_generation] is not a field");
  const { id } = await beta.instances.create(wanted);
  expect(await reasonOf(released.instances.listInterfaces(id))).toContain("is not a path of this API");
  expect(await beta.instances.listInterfaces(id)).toHaveLength(1);
  const vpc = { label: "net", region: "us-ord", ipv6: [{ range: "auto" }] };
  expect(await reasonOf(released.vpcs.create(vpc))).toContain("[ipv6] is not a field");
  expect(await reasonOf(beta.vpcs.create(vpc))).toBe("ok");
  expect(requests.violations).toHaveLength(3);
  expect(await released.vpcs.list()).toHaveLength(1);
  await released.close();
  await beta.close();
});
