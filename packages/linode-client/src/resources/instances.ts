import { path } from "../path.ts";
import { listing, verbs } from "../resource.ts";
import type { Listing } from "../resource.ts";
import type { Transport } from "../transport.ts";
import type { CallOptions, ListOptions, Page } from "../types/api.ts";
import type {
  CreateDisk,
  CreateInstance,
  Disk,
  Instance,
  InstanceAddresses,
  InstanceConfig,
  InstanceInterface,
  UpdateInstance,
  UpdateInstanceConfig,
} from "../types/instances.ts";
import type { Firewall } from "../types/networking.ts";

export interface InstancesApi extends Listing<Instance> {
  get(id: number, options?: CallOptions): Promise<Instance>;
  create(body: CreateInstance, options?: CallOptions): Promise<Instance>;
  update(id: number, body: UpdateInstance, options?: CallOptions): Promise<Instance>;
  delete(id: number, options?: CallOptions): Promise<void>;
  boot(id: number, body?: { readonly config_id?: number }, options?: CallOptions): Promise<void>;
  reboot(id: number, body?: { readonly config_id?: number }, options?: CallOptions): Promise<void>;
  shutdown(id: number, options?: CallOptions): Promise<void>;
  addresses(id: number, options?: CallOptions): Promise<InstanceAddresses>;
  listConfigs(id: number, options?: ListOptions): Promise<readonly InstanceConfig[]>;
  getConfig(id: number, configId: number, options?: CallOptions): Promise<InstanceConfig>;
  /** Sends the given fields only. */
  updateConfig(
    id: number,
    configId: number,
    body: UpdateInstanceConfig,
    options?: CallOptions,
  ): Promise<InstanceConfig>;
  listDisks(id: number, options?: ListOptions): Promise<readonly Disk[]>;
  getDisk(id: number, diskId: number, options?: CallOptions): Promise<Disk>;
  createDisk(id: number, body: CreateDisk, options?: CallOptions): Promise<Disk>;
  deleteDisk(id: number, diskId: number, options?: CallOptions): Promise<void>;
  listFirewalls(id: number, options?: ListOptions): Promise<readonly Firewall[]>;
  /** Replaces the firewalls of an instance. */
  updateFirewalls(
    id: number,
    body: { readonly firewall_ids: readonly number[] },
    options?: CallOptions,
  ): Promise<Page<Firewall>>;
  /** Interfaces of generation `linode`. */
  listInterfaces(id: number, options?: CallOptions): Promise<readonly InstanceInterface[]>;
  listInterfaceFirewalls(id: number, interfaceId: number, options?: ListOptions): Promise<readonly Firewall[]>;
}

export const instancesApi = (transport: Transport): InstancesApi => {
  const { get, post, put, remove } = verbs(transport);
  const list = <T>(at: ReturnType<typeof path>, options?: ListOptions) => listing<T>(transport, at).list(options);
  return {
    ...listing<Instance>(transport, path`linode/instances`),
    get: (id, options) => get(path`linode/instances/${id}`, options),
    create: (body, options) => post(path`linode/instances`, body, options),
    update: (id, body, options) => put(path`linode/instances/${id}`, body, options),
    delete: (id, options) => remove(path`linode/instances/${id}`, options),
    boot: async (id, body = {}, options) => {
      await post(path`linode/instances/${id}/boot`, body, options);
    },
    reboot: async (id, body = {}, options) => {
      await post(path`linode/instances/${id}/reboot`, body, options);
    },
    shutdown: async (id, options) => {
      await post(path`linode/instances/${id}/shutdown`, {}, options);
    },
    addresses: (id, options) => get(path`linode/instances/${id}/ips`, options),
    listConfigs: (id, options) => list(path`linode/instances/${id}/configs`, options),
    getConfig: (id, configId, options) => get(path`linode/instances/${id}/configs/${configId}`, options),
    updateConfig: (id, configId, body, options) => put(path`linode/instances/${id}/configs/${configId}`, body, options),
    listDisks: (id, options) => list(path`linode/instances/${id}/disks`, options),
    getDisk: (id, diskId, options) => get(path`linode/instances/${id}/disks/${diskId}`, options),
    createDisk: (id, body, options) => post(path`linode/instances/${id}/disks`, body, options),
    deleteDisk: (id, diskId, options) => remove(path`linode/instances/${id}/disks/${diskId}`, options),
    listFirewalls: (id, options) => list(path`linode/instances/${id}/firewalls`, options),
    updateFirewalls: (id, body, options) => put(path`linode/instances/${id}/firewalls`, body, options),
    listInterfaces: async (id, options) => {
      const answer = await get<{ readonly interfaces: readonly InstanceInterface[] }>(
        path`linode/instances/${id}/interfaces`,
        options,
      );
      return answer.interfaces;
    },
    listInterfaceFirewalls: (id, interfaceId, options) =>
      list(path`linode/instances/${id}/interfaces/${interfaceId}/firewalls`, options),
  };
};
