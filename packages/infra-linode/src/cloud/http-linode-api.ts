import { filter, LinodeError } from "@capstan/linode-client";
import type { LinodeClient } from "@capstan/linode-client";
import type { LinodeGate } from "./linode-gate.ts";
import { done, find, gone, run } from "./guarded.ts";
import { domainCalls } from "./http-domain-calls.ts";
import { firewallCalls, placementGroupCalls, vpcCalls } from "./http-network-calls.ts";
import { objectStorageCalls } from "./http-object-storage-calls.ts";
import type { BalancerCalls, Call, CatalogueCalls, InstanceCalls, LinodeApi } from "./linode-api.ts";
import { pageSize } from "./page-size.ts";
import { vlanCalls } from "./http-vlan-calls.ts";
import { specFields } from "./spec-fields.ts";

type InterfaceCalls = Pick<InstanceCalls, "guardInterface" | "interfaceFirewalls" | "interfaces" | "unguardInterface">;

/** The API's words for a boot that has nothing to do. */
const isAlreadyBooted = (error: unknown): boolean =>
  error instanceof LinodeError && error.errors.some(({ reason }) => reason.endsWith("already booted."));

/** Linode over HTTP: one call of the client per verb, failures translated. */
export const httpLinodeApi = (client: LinodeClient, gate: Pick<LinodeGate, "reserveCreate">): LinodeApi => ({
  ...instanceCalls(client, gate),
  ...balancerCalls(client),
  ...catalogueCalls(client),
  ...vpcCalls(client),
  ...firewallCalls(client),
  ...placementGroupCalls(client),
  ...objectStorageCalls(client),
  ...domainCalls(client),
});

const catalogueCalls = ({ images, nodeBalancers, regions, types }: LinodeClient): CatalogueCalls => ({
  types: (call) => run("list plans", () => types.list({ ...call, pageSize })),
  balancerTypes: (call) => run("list prices of NodeBalancers", () => nodeBalancers.listTypes({ ...call, pageSize })),
  regions: (call) => run("list regions", () => regions.list({ ...call, pageSize })),
  image: (id, call) => find(`read image ${id}`, () => images.get(id, call)),
});

const instanceCalls = (client: LinodeClient, { reserveCreate }: Pick<LinodeGate, "reserveCreate">): InstanceCalls => {
  const stackScript = stackScriptCall(client);
  const { instances, types } = client;
  return {
    listInstances: (call) => run("list instances", () => instances.list({ ...call, pageSize })),
    getInstance: (id, call) => find(`read instance ${id}`, () => instances.get(id, call)),
    findInstance: (label, call) =>
      run(`look for instance ${label}`, async () => {
        const [found] = await instances.list({ ...call, filter: filter.eq("label", label) });
        return found;
      }),
    reserveCreate,
    createInstance: (body, call, slot) => {
      const gated = { ...call, slot };
      return run(`create instance ${body.label ?? ""}`, () => instances.create(body, gated), specFields.instance);
    },
    setTags: (id, tags, call) =>
      done(`tag instance ${id}`, () => instances.update(id, { tags }, call), specFields.tags),
    boot: (id, call) =>
      run(`boot instance ${id}`, async () => {
        try {
          await instances.boot(id, {}, call);
        } catch (error) {
          if (!isAlreadyBooted(error)) throw error;
        }
      }),
    deleteInstance: (id, call) => gone(`delete instance ${id}`, () => instances.delete(id, call)),
    addresses: (id, call) => run(`read the addresses of instance ${id}`, () => instances.addresses(id, call)),
    config: (id, call) =>
      run(`read the configuration of instance ${id}`, async () => (await instances.listConfigs(id, call))[0]),
    updateConfig: (id, configId, body, call) =>
      done(`configure instance ${id}`, () => instances.updateConfig(id, configId, body, call), specFields.config),
    disks: (id, call) => run(`list the disks of instance ${id}`, () => instances.listDisks(id, call)),
    createDisk: (id, body, call) =>
      done(`create disk ${body.label} of instance ${id}`, () => instances.createDisk(id, body, call), specFields.disk),
    labelDisk: (id, diskId, label, call) =>
      done(
        `label disk ${diskId} of instance ${id}`,
        () => instances.updateDisk(id, diskId, { label }, call),
        specFields.bootDisk,
      ),
    firewallIds: (id, call) =>
      run(`list the firewalls of instance ${id}`, async () =>
        (await instances.listFirewalls(id, call)).map((firewall) => firewall.id),
      ),
    setFirewalls: (id, firewallIds, call) =>
      done(
        `set the firewalls of instance ${id}`,
        () => instances.updateFirewalls(id, { firewall_ids: firewallIds }, call),
        specFields.firewallsOfInstance,
      ),
    ...interfaceCalls(client),
    ...vlanCalls(client),
    stackScript,
    planDiskSize: (type, call) => run(`read plan ${type}`, async () => (await types.get(type, call)).disk),
  };
};

const interfaceCalls = ({ firewalls, instances }: LinodeClient): InterfaceCalls => {
  const deviceOf = async (firewallId: number, interfaceId: number, call: Call) => {
    const devices = await firewalls.listDevices(firewallId, { ...call, pageSize });
    return devices.find(({ entity }) => entity.type === "linode_interface" && entity.id === interfaceId);
  };
  return {
    interfaces: (id, call) => run(`list the interfaces of instance ${id}`, () => instances.listInterfaces(id, call)),
    interfaceFirewalls: (id, interfaceId, call) =>
      run(`list the firewalls of interface ${interfaceId}`, async () =>
        (await instances.listInterfaceFirewalls(id, interfaceId, call)).map((firewall) => firewall.id),
      ),
    guardInterface: (firewallId, interfaceId, call) =>
      run(`attach interface ${interfaceId} to firewall ${firewallId}`, async () => {
        if ((await deviceOf(firewallId, interfaceId, call)) !== undefined) return;
        await firewalls.createDevice(firewallId, { id: interfaceId, type: "linode_interface" }, call);
      }),
    unguardInterface: (firewallId, interfaceId, call) =>
      gone(`detach interface ${interfaceId} from firewall ${firewallId}`, async () => {
        const device = await deviceOf(firewallId, interfaceId, call);
        if (device !== undefined) await firewalls.deleteDevice(firewallId, device.id, call);
      }),
  };
};

/** Labels of StackScripts need not be unique: who asks while one is being looked for or made gets that one. */
const stackScriptCall = ({ stackScripts }: LinodeClient): InstanceCalls["stackScript"] => {
  const asked = new Map<string, Promise<number>>();
  return (body, call) => {
    const { label } = body;
    const asking =
      asked.get(label) ??
      run(`ensure the StackScript ${label}`, async () => {
        const found = await stackScripts.list({ ...call, filter: filter.eq("label", label) });
        return (found.find(({ mine }) => mine) ?? (await stackScripts.create(body, call))).id;
      }).finally(() => asked.delete(label));
    asked.set(label, asking);
    return asking;
  };
};

const balancerCalls = ({ nodeBalancers }: LinodeClient): BalancerCalls => ({
  getBalancer: (id, call) => find(`read NodeBalancer ${id}`, () => nodeBalancers.get(id, call)),
  findBalancer: (by, call) =>
    run("look for the NodeBalancer", async () => {
      const wanted = "tag" in by ? filter.eq("tags", by.tag) : filter.eq("label", by.label);
      const [found] = await nodeBalancers.list({ ...call, filter: wanted });
      return found;
    }),
  createBalancer: (body, call) =>
    run(`create NodeBalancer ${body.label ?? ""}`, () => nodeBalancers.create(body, call), specFields.balancer),
  deleteBalancer: (id, call) => gone(`delete NodeBalancer ${id}`, () => nodeBalancers.delete(id, call)),
  setBalancerTags: (id, tags, call) => done(`tag NodeBalancer ${id}`, () => nodeBalancers.update(id, { tags }, call)),
  balancerFirewallIds: (id, call) =>
    run(`list the firewalls of NodeBalancer ${id}`, async () =>
      (await nodeBalancers.listFirewalls(id, call)).map((firewall) => firewall.id),
    ),
  setBalancerFirewalls: (id, firewallIds, call) =>
    done(
      `set the firewalls of NodeBalancer ${id}`,
      () => nodeBalancers.updateFirewalls(id, { firewall_ids: firewallIds }, call),
      specFields.balancer,
    ),
  balancerConfigs: (id, call) => run(`list the ports of NodeBalancer ${id}`, () => nodeBalancers.listConfigs(id, call)),
  createBalancerConfig: (id, body, call) =>
    done(
      `open port ${body.port} of NodeBalancer ${id}`,
      () => nodeBalancers.createConfig(id, body, call),
      specFields.balancerConfig,
    ),
  deleteBalancerConfig: (id, configId, call) =>
    gone(`close port ${configId} of NodeBalancer ${id}`, () => nodeBalancers.deleteConfig(id, configId, call)),
  backends: (id, configId, call) =>
    run(`list the backends of NodeBalancer ${id}`, () => nodeBalancers.listNodes(id, configId, call)),
  createBackend: (id, configId, body, call) =>
    done(`add backend ${body.address} to NodeBalancer ${id}`, () => nodeBalancers.createNode(id, configId, body, call)),
  deleteBackend: (id, configId, nodeId, call) =>
    gone(`remove backend ${nodeId} from NodeBalancer ${id}`, () =>
      nodeBalancers.deleteNode(id, configId, nodeId, call),
    ),
});
