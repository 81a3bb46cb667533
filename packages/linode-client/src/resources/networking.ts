import { path } from "../path.ts";
import { listing, verbs } from "../resource.ts";
import type { Listing } from "../resource.ts";
import type { Transport } from "../transport.ts";
import type { CallOptions, ListOptions } from "../types/api.ts";
import type {
  CreateFirewall,
  CreatePlacementGroup,
  CreateVpc,
  CreateVpcSubnet,
  Firewall,
  FirewallDevice,
  FirewallRules,
  PlacementGroup,
  UpdateFirewall,
  UpdateVpc,
  Vpc,
  VpcSubnet,
} from "../types/networking.ts";

export interface VpcsApi extends Listing<Vpc> {
  get(id: number, options?: CallOptions): Promise<Vpc>;
  create(body: CreateVpc, options?: CallOptions): Promise<Vpc>;
  update(id: number, body: UpdateVpc, options?: CallOptions): Promise<Vpc>;
  delete(id: number, options?: CallOptions): Promise<void>;
  listSubnets(id: number, options?: ListOptions): Promise<readonly VpcSubnet[]>;
  getSubnet(id: number, subnetId: number, options?: CallOptions): Promise<VpcSubnet>;
  createSubnet(id: number, body: CreateVpcSubnet, options?: CallOptions): Promise<VpcSubnet>;
  deleteSubnet(id: number, subnetId: number, options?: CallOptions): Promise<void>;
}

export const vpcsApi = (transport: Transport): VpcsApi => {
  const { get, post, put, remove } = verbs(transport);
  return {
    ...listing<Vpc>(transport, path`vpcs`),
    get: (id, options) => get(path`vpcs/${id}`, options),
    create: (body, options) => post(path`vpcs`, body, options),
    update: (id, body, options) => put(path`vpcs/${id}`, body, options),
    delete: (id, options) => remove(path`vpcs/${id}`, options),
    listSubnets: (id, options) => listing<VpcSubnet>(transport, path`vpcs/${id}/subnets`).list(options),
    getSubnet: (id, subnetId, options) => get(path`vpcs/${id}/subnets/${subnetId}`, options),
    createSubnet: (id, body, options) => post(path`vpcs/${id}/subnets`, body, options),
    deleteSubnet: (id, subnetId, options) => remove(path`vpcs/${id}/subnets/${subnetId}`, options),
  };
};

export interface FirewallsApi extends Listing<Firewall> {
  get(id: number, options?: CallOptions): Promise<Firewall>;
  create(body: CreateFirewall, options?: CallOptions): Promise<Firewall>;
  update(id: number, body: UpdateFirewall, options?: CallOptions): Promise<Firewall>;
  delete(id: number, options?: CallOptions): Promise<void>;
  getRules(id: number, options?: CallOptions): Promise<FirewallRules>;
  /** Replaces all rules. */
  updateRules(id: number, body: FirewallRules, options?: CallOptions): Promise<FirewallRules>;
  listDevices(id: number, options?: ListOptions): Promise<readonly FirewallDevice[]>;
  createDevice(
    id: number,
    body: { readonly id: number; readonly type: "linode" | "nodebalancer" | "linode_interface" },
    options?: CallOptions,
  ): Promise<FirewallDevice>;
  deleteDevice(id: number, deviceId: number, options?: CallOptions): Promise<void>;
}

export const firewallsApi = (transport: Transport): FirewallsApi => {
  const { get, post, put, remove } = verbs(transport);
  return {
    ...listing<Firewall>(transport, path`networking/firewalls`),
    get: (id, options) => get(path`networking/firewalls/${id}`, options),
    create: (body, options) => post(path`networking/firewalls`, body, options),
    update: (id, body, options) => put(path`networking/firewalls/${id}`, body, options),
    delete: (id, options) => remove(path`networking/firewalls/${id}`, options),
    getRules: (id, options) => get(path`networking/firewalls/${id}/rules`, options),
    updateRules: (id, body, options) => put(path`networking/firewalls/${id}/rules`, body, options),
    listDevices: (id, options) =>
      listing<FirewallDevice>(transport, path`networking/firewalls/${id}/devices`).list(options),
    createDevice: (id, body, options) => post(path`networking/firewalls/${id}/devices`, body, options),
    deleteDevice: (id, deviceId, options) => remove(path`networking/firewalls/${id}/devices/${deviceId}`, options),
  };
};

export interface PlacementGroupsApi extends Listing<PlacementGroup> {
  get(id: number, options?: CallOptions): Promise<PlacementGroup>;
  create(body: CreatePlacementGroup, options?: CallOptions): Promise<PlacementGroup>;
  update(id: number, body: { readonly label: string }, options?: CallOptions): Promise<PlacementGroup>;
  delete(id: number, options?: CallOptions): Promise<void>;
  assign(id: number, body: { readonly linodes: readonly number[] }, options?: CallOptions): Promise<PlacementGroup>;
  unassign(id: number, body: { readonly linodes: readonly number[] }, options?: CallOptions): Promise<PlacementGroup>;
}

export const placementGroupsApi = (transport: Transport): PlacementGroupsApi => {
  const { get, post, put, remove } = verbs(transport);
  return {
    ...listing<PlacementGroup>(transport, path`placement/groups`),
    get: (id, options) => get(path`placement/groups/${id}`, options),
    create: (body, options) => post(path`placement/groups`, body, options),
    update: (id, body, options) => put(path`placement/groups/${id}`, body, options),
    delete: (id, options) => remove(path`placement/groups/${id}`, options),
    assign: (id, body, options) => post(path`placement/groups/${id}/assign`, body, options),
    unassign: (id, body, options) => post(path`placement/groups/${id}/unassign`, body, options),
  };
};
