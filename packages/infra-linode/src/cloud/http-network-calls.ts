import { filter } from "@capstan/linode-client";
import type { LinodeClient } from "@capstan/linode-client";
import { done, find, gone, run } from "./guarded.ts";
import type { FirewallCalls, PlacementGroupCalls, VpcCalls } from "./linode-api.ts";
import { specFields } from "./spec-fields.ts";

export const vpcCalls = ({ vpcs }: LinodeClient): VpcCalls => ({
  vpc: (id, call) => find(`read VPC ${id}`, () => vpcs.get(id, call)),
  findVpc: (label, call) =>
    run(`look for VPC ${label}`, async () => {
      const [found] = await vpcs.list({ ...call, filter: filter.eq("label", label) });
      return found;
    }),
  vpcs: (call) => run("list VPCs", () => vpcs.list(call)),
  createVpc: (body, call) => done(`create VPC ${body.label}`, () => vpcs.create(body, call), specFields.vpc),
  updateVpc: (id, body, call) => done(`change VPC ${id}`, () => vpcs.update(id, body, call), specFields.vpc),
  deleteVpc: (id, call) => gone(`delete VPC ${id}`, () => vpcs.delete(id, call)),
  createSubnet: (id, body, call) =>
    done(`create subnet ${body.label} of VPC ${id}`, () => vpcs.createSubnet(id, body, call), specFields.subnet),
  deleteSubnet: (id, subnetId, call) =>
    gone(`delete subnet ${subnetId} of VPC ${id}`, () => vpcs.deleteSubnet(id, subnetId, call)),
});

export const firewallCalls = ({ firewalls }: LinodeClient): FirewallCalls => ({
  firewall: (id, call) => find(`read firewall ${id}`, () => firewalls.get(id, call)),
  findFirewall: (by, call) =>
    run("look for the firewall", async () => {
      const wanted = "tag" in by ? filter.eq("tags", by.tag) : filter.eq("label", by.label);
      const [found] = await firewalls.list({ ...call, filter: wanted });
      return found;
    }),
  createFirewall: (body, call) =>
    done(`create firewall ${body.label}`, () => firewalls.create(body, call), specFields.firewall),
  setFirewallStatus: (id, status, call) =>
    done(`set firewall ${id} to ${status}`, () => firewalls.update(id, { status }, call)),
  setFirewallTags: (id, tags, call) => done(`tag firewall ${id}`, () => firewalls.update(id, { tags }, call)),
  setFirewallRules: (id, rules, call) =>
    done(`set the rules of firewall ${id}`, () => firewalls.updateRules(id, rules, call), specFields.firewall),
  deleteFirewall: (id, call) => gone(`delete firewall ${id}`, () => firewalls.delete(id, call)),
});

export const placementGroupCalls = ({ placementGroups }: LinodeClient): PlacementGroupCalls => ({
  placementGroup: (id, call) => find(`read placement group ${id}`, () => placementGroups.get(id, call)),
  findPlacementGroup: (label, call) =>
    run(`look for placement group ${label}`, async () => {
      const [found] = await placementGroups.list({ ...call, filter: filter.eq("label", label) });
      return found;
    }),
  createPlacementGroup: (body, call) =>
    done(`create placement group ${body.label}`, () => placementGroups.create(body, call), specFields.placementGroup),
  deletePlacementGroup: (id, call) => gone(`delete placement group ${id}`, () => placementGroups.delete(id, call)),
});
