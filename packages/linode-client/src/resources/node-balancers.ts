import { path } from "../path.ts";
import { listing, verbs } from "../resource.ts";
import type { Listing } from "../resource.ts";
import type { Transport } from "../transport.ts";
import type { CallOptions, ListOptions } from "../types/api.ts";
import type {
  CreateNodeBalancer,
  CreateNodeBalancerConfig,
  CreateNodeBalancerNode,
  Firewall,
  NodeBalancer,
  NodeBalancerConfig,
  NodeBalancerNode,
  UpdateNodeBalancer,
} from "../types/networking.ts";

export interface NodeBalancersApi extends Listing<NodeBalancer> {
  get(id: number, options?: CallOptions): Promise<NodeBalancer>;
  create(body: CreateNodeBalancer, options?: CallOptions): Promise<NodeBalancer>;
  update(id: number, body: UpdateNodeBalancer, options?: CallOptions): Promise<NodeBalancer>;
  delete(id: number, options?: CallOptions): Promise<void>;
  listFirewalls(id: number, options?: ListOptions): Promise<readonly Firewall[]>;
  listConfigs(id: number, options?: ListOptions): Promise<readonly NodeBalancerConfig[]>;
  getConfig(id: number, configId: number, options?: CallOptions): Promise<NodeBalancerConfig>;
  createConfig(id: number, body: CreateNodeBalancerConfig, options?: CallOptions): Promise<NodeBalancerConfig>;
  deleteConfig(id: number, configId: number, options?: CallOptions): Promise<void>;
  listNodes(id: number, configId: number, options?: ListOptions): Promise<readonly NodeBalancerNode[]>;
  createNode(
    id: number,
    configId: number,
    body: CreateNodeBalancerNode,
    options?: CallOptions,
  ): Promise<NodeBalancerNode>;
  deleteNode(id: number, configId: number, nodeId: number, options?: CallOptions): Promise<void>;
}

export const nodeBalancersApi = (transport: Transport): NodeBalancersApi => {
  const { get, post, put, remove } = verbs(transport);
  return {
    ...listing<NodeBalancer>(transport, path`nodebalancers`),
    get: (id, options) => get(path`nodebalancers/${id}`, options),
    create: (body, options) => post(path`nodebalancers`, body, options),
    update: (id, body, options) => put(path`nodebalancers/${id}`, body, options),
    delete: (id, options) => remove(path`nodebalancers/${id}`, options),
    listFirewalls: (id, options) => listing<Firewall>(transport, path`nodebalancers/${id}/firewalls`).list(options),
    listConfigs: (id, options) =>
      listing<NodeBalancerConfig>(transport, path`nodebalancers/${id}/configs`).list(options),
    getConfig: (id, configId, options) => get(path`nodebalancers/${id}/configs/${configId}`, options),
    createConfig: (id, body, options) => post(path`nodebalancers/${id}/configs`, body, options),
    deleteConfig: (id, configId, options) => remove(path`nodebalancers/${id}/configs/${configId}`, options),
    listNodes: (id, configId, options) =>
      listing<NodeBalancerNode>(transport, path`nodebalancers/${id}/configs/${configId}/nodes`).list(options),
    createNode: (id, configId, body, options) =>
      post(path`nodebalancers/${id}/configs/${configId}/nodes`, body, options),
    deleteNode: (id, configId, nodeId, options) =>
      remove(path`nodebalancers/${id}/configs/${configId}/nodes/${nodeId}`, options),
  };
};
