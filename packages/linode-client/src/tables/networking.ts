import { deletes, lists, of, posts, puts, reads } from "../operation.ts";
import type { Page } from "../types/api.ts";
import type {
  CreateFirewall,
  CreateRuleSet,
  DefaultFirewalls,
  ExpandedFirewallRules,
  Firewall,
  FirewallDevice,
  FirewallRules,
  FirewallTemplate,
  PrefixList,
  RuleSet,
  UpdateFirewall,
  UpdateRuleSet,
} from "../types/firewalls.ts";
import type {
  AllocateIp,
  AssignIps,
  AssignPlacementGroup,
  CreateIpv6Range,
  CreateNodeBalancer,
  CreateNodeBalancerConfig,
  CreateNodeBalancerNode,
  CreatePlacementGroup,
  CreateVpc,
  CreateVpcSubnet,
  IpAddress,
  Ipv6Pool,
  Ipv6Range,
  NodeBalancer,
  NodeBalancerConfig,
  NodeBalancerNode,
  NodeBalancerStats,
  NodeBalancerVpc,
  PlacementGroup,
  PlacementGroupMembers,
  RebuildNodeBalancerConfig,
  ShareIps,
  UpdateIp,
  UpdateNodeBalancer,
  UpdateNodeBalancerConfig,
  UpdateNodeBalancerNode,
  UpdateVpc,
  Vlan,
  Vpc,
  ReserveIp,
  VpcDefaultRanges,
  VpcIp,
  VpcSubnet,
} from "../types/networking.ts";
import type { PricedType } from "../types/services.ts";
import { hour } from "./cached.ts";

export const vpcs = {
  list: lists("vpcs", of<Vpc>),
  get: reads("vpcs/:id", of<Vpc>),
  create: posts("vpcs", of<CreateVpc>, of<Vpc>),
  update: puts("vpcs/:id", of<UpdateVpc>, of<Vpc>),
  delete: deletes("vpcs/:id"),
  listSubnets: lists("vpcs/:id/subnets", of<VpcSubnet>),
  getSubnet: reads("vpcs/:id/subnets/:subnet", of<VpcSubnet>),
  createSubnet: posts("vpcs/:id/subnets", of<CreateVpcSubnet>, of<VpcSubnet>),
  updateSubnet: puts("vpcs/:id/subnets/:subnet", of<{ readonly label: string }>, of<VpcSubnet>),
  deleteSubnet: deletes("vpcs/:id/subnets/:subnet"),
  listIps: lists("vpcs/:id/ips", of<VpcIp>),
  listAllIps: lists("vpcs/ips", of<VpcIp>),
  listIpv6s: lists("vpcs/:id/ipv6s", of<VpcIp>),
  listAllIpv6s: lists("vpcs/ipv6s", of<VpcIp>),
  defaultRanges: reads("vpcs/default-ranges", of<VpcDefaultRanges>, hour),
};

const wall = "networking/firewalls/:id" as const;
const ruleSet = "networking/firewalls/rulesets/:id" as const;

export const firewalls = {
  list: lists("networking/firewalls", of<Firewall>),
  get: reads(wall, of<Firewall>),
  create: posts("networking/firewalls", of<CreateFirewall>, of<Firewall>),
  update: puts(wall, of<UpdateFirewall>, of<Firewall>),
  delete: deletes(wall),
  getRules: reads(`${wall}/rules`, of<FirewallRules>),
  /** Replaces all rules. */
  updateRules: puts(`${wall}/rules`, of<FirewallRules>, of<FirewallRules>),
  expandedRules: reads(`${wall}/rules/expansion`, of<ExpandedFirewallRules>),
  /** The versions of its rules, the newest first. */
  history: reads(`${wall}/history`, of<Page<Pick<Firewall, "updated" | "status" | "rules">>>),
  rulesOfVersion: reads(`${wall}/history/rules/:version`, of<FirewallRules>),
  listDevices: lists(`${wall}/devices`, of<FirewallDevice>),
  getDevice: reads(`${wall}/devices/:device`, of<FirewallDevice>),
  createDevice: posts(
    `${wall}/devices`,
    of<{ readonly id: number; readonly type: "linode" | "nodebalancer" | "linode_interface" }>,
    of<FirewallDevice>,
  ),
  deleteDevice: deletes(`${wall}/devices/:device`),
  listRuleSets: lists("networking/firewalls/rulesets", of<RuleSet>),
  getRuleSet: reads(ruleSet, of<RuleSet>),
  createRuleSet: posts("networking/firewalls/rulesets", of<CreateRuleSet>, of<RuleSet>),
  updateRuleSet: puts(ruleSet, of<UpdateRuleSet>, of<RuleSet>),
  deleteRuleSet: deletes(ruleSet),
  /** Firewalls that new things of the account get. */
  settings: reads("networking/firewalls/settings", of<DefaultFirewalls>),
  updateSettings: puts(
    "networking/firewalls/settings",
    of<{ readonly default_firewall_ids: Partial<DefaultFirewalls["default_firewall_ids"]> }>,
    of<DefaultFirewalls>,
  ),
  listTemplates: lists("networking/firewalls/templates", of<FirewallTemplate>),
  getTemplate: reads("networking/firewalls/templates/$slug", of<FirewallTemplate>),
};

const group = "placement/groups/:id" as const;

export const placementGroups = {
  list: lists("placement/groups", of<PlacementGroup>),
  get: reads(group, of<PlacementGroup>),
  create: posts("placement/groups", of<CreatePlacementGroup>, of<PlacementGroup>),
  update: puts(group, of<{ readonly label: string }>, of<PlacementGroup>),
  delete: deletes(group),
  assign: posts(`${group}/assign`, of<AssignPlacementGroup>, of<PlacementGroup>),
  unassign: posts(`${group}/unassign`, of<PlacementGroupMembers>, of<PlacementGroup>),
};

const balancer = "nodebalancers/:id" as const;
const config = "nodebalancers/:id/configs/:config" as const;

export const nodeBalancers = {
  list: lists("nodebalancers", of<NodeBalancer>),
  get: reads(balancer, of<NodeBalancer>),
  create: posts("nodebalancers", of<CreateNodeBalancer>, of<NodeBalancer>),
  update: puts(balancer, of<UpdateNodeBalancer>, of<NodeBalancer>),
  delete: deletes(balancer),
  stats: reads(`${balancer}/stats`, of<NodeBalancerStats>),
  listTypes: lists("nodebalancers/types", of<PricedType>, hour),
  listFirewalls: lists(`${balancer}/firewalls`, of<Firewall>),
  /** Replaces the firewalls of a NodeBalancer. */
  updateFirewalls: puts(`${balancer}/firewalls`, of<{ readonly firewall_ids: readonly number[] }>, of<Page<Firewall>>),
  listVpcs: lists(`${balancer}/vpcs`, of<NodeBalancerVpc>),
  getVpc: reads(`${balancer}/vpcs/:vpc`, of<NodeBalancerVpc>),
  listConfigs: lists(`${balancer}/configs`, of<NodeBalancerConfig>),
  getConfig: reads(config, of<NodeBalancerConfig>),
  createConfig: posts(`${balancer}/configs`, of<CreateNodeBalancerConfig>, of<NodeBalancerConfig>),
  updateConfig: puts(config, of<UpdateNodeBalancerConfig>, of<NodeBalancerConfig>),
  /** Replaces a configuration and its nodes. */
  rebuildConfig: posts(`${config}/rebuild`, of<RebuildNodeBalancerConfig>, of<NodeBalancerConfig>),
  deleteConfig: deletes(config),
  listNodes: lists(`${config}/nodes`, of<NodeBalancerNode>),
  getNode: reads(`${config}/nodes/:node`, of<NodeBalancerNode>),
  createNode: posts(`${config}/nodes`, of<CreateNodeBalancerNode>, of<NodeBalancerNode>),
  updateNode: puts(`${config}/nodes/:node`, of<UpdateNodeBalancerNode>, of<NodeBalancerNode>),
  deleteNode: deletes(`${config}/nodes/:node`),
};

/** Addresses of the account, IPv6 ranges and VLANs. */
export const networking = {
  listIps: lists("networking/ips", of<IpAddress>),
  getIp: reads("networking/ips/$address", of<IpAddress>),
  allocateIp: posts("networking/ips", of<AllocateIp>, of<IpAddress>),
  updateIp: puts("networking/ips/$address", of<UpdateIp>, of<IpAddress>),
  listReservedIps: lists("networking/reserved/ips", of<IpAddress>),
  getReservedIp: reads("networking/reserved/ips/$address", of<IpAddress>),
  reserveIp: posts("networking/reserved/ips", of<ReserveIp>, of<IpAddress>),
  updateReservedIp: puts("networking/reserved/ips/$address", of<{ readonly tags: readonly string[] }>, of<IpAddress>),
  listReservedIpTypes: lists("networking/reserved/ips/types", of<PricedType>, hour),
  /** It stays with its instance, if it has one. */
  deleteReservedIp: deletes("networking/reserved/ips/$address"),
  assignIps: posts("networking/ips/assign", of<AssignIps>),
  shareIps: posts("networking/ips/share", of<ShareIps>),
  /** The same for IPv4 only. */
  assignIpv4s: posts("networking/ipv4/assign", of<AssignIps>),
  shareIpv4s: posts("networking/ipv4/share", of<ShareIps>),
  listIpv6Pools: lists("networking/ipv6/pools", of<Ipv6Pool>),
  getIpv6Pool: reads("networking/ipv6/pools/$range", of<Ipv6Pool>),
  listIpv6Ranges: lists("networking/ipv6/ranges", of<Ipv6Range>),
  getIpv6Range: reads("networking/ipv6/ranges/$range", of<Ipv6Range>),
  createIpv6Range: posts("networking/ipv6/ranges", of<CreateIpv6Range>, of<Pick<Ipv6Range, "range" | "route_target">>),
  deleteIpv6Range: deletes("networking/ipv6/ranges/$range"),
  listVlans: lists("networking/vlans", of<Vlan>),
  deleteVlan: deletes("networking/vlans/$region/$label"),
  listPrefixLists: lists("networking/prefixlists", of<PrefixList>),
  getPrefixList: reads("networking/prefixlists/:id", of<PrefixList>),
  listTransferPrices: lists("network-transfer/prices", of<PricedType>, hour),
};
