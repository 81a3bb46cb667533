import { describe, expect, it } from "vitest";
import { AzureMachinePool } from "../api/azure-machine-pool.v1beta1.ts";
import type { PoolSpec } from "../machine-pool/pool-plan.ts";
import { azureWebhooks } from "./azure-webhooks.ts";
import { poolCauses, poolChanges } from "./pool-causes.ts";

const template = { vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux", cachingType: "None" } } as const;
const pool = (more: object = {}): PoolSpec =>
  ({
    location: "westeurope",
    identity: "None",
    orchestrationMode: "Uniform",
    template,
    ...more,
  }) as unknown as PoolSpec;
const withTemplate = (more: object): PoolSpec => pool({ template: { ...template, ...more } });
const rolling = (rollingUpdate: object): PoolSpec => pool({ strategy: { type: "RollingUpdate", rollingUpdate } });

const fieldsOf = (causes: readonly { readonly field?: string }[]) => causes.map(({ field }) => field);

describe("an AzureMachinePool", () => {
  it.each<[string, PoolSpec]>([
    ["with what is required", pool()],
    ["with a notice of deletions", withTemplate({ terminateNotificationTimeout: 5 })],
    ["that replaces one after another", rolling({ maxSurge: 0, maxUnavailable: 1 })],
    ["with an identity", pool({ identity: "UserAssigned", userAssignedIdentities: [{ providerID: "/x" }] })],
  ])("%s is accepted", (_, spec) => {
    expect(poolCauses(spec)).toEqual([]);
  });

  it.each<[string, PoolSpec]>([
    ["spec.template.image", withTemplate({ image: {} })],
    ["spec.template.terminateNotificationTimeout", withTemplate({ terminateNotificationTimeout: 4 })],
    ["spec.template.terminateNotificationTimeout", withTemplate({ terminateNotificationTimeout: 16 })],
    ["spec.userAssignedIdentities", pool({ identity: "UserAssigned" })],
    ["spec.strategy.rollingUpdate.maxUnavailable", rolling({ maxSurge: 0, maxUnavailable: 0 })],
    ["spec.strategy.rollingUpdate.maxUnavailable", rolling({ maxSurge: "0%" })],
  ])("is refused for %s", (field, spec) => {
    expect(fieldsOf(poolCauses(spec))).toContain(field);
  });

  it("may have another template", () => {
    expect(poolChanges(pool(), withTemplate({ vmSize: "Standard_D4s_v3" }))).toEqual([]);
  });

  it.each<[string, PoolSpec]>([
    ["spec.location", pool({ location: "northeurope" })],
    ["spec.orchestrationMode", pool({ orchestrationMode: "Flexible" })],
    ["spec.platformFaultDomainCount", pool({ platformFaultDomainCount: 3 })],
    ["spec.zoneBalance", pool({ zoneBalance: true })],
    ["spec.template.osDisk.osType", withTemplate({ osDisk: { osType: "Windows", cachingType: "None" } })],
    ["spec.template.spotVMOptions", withTemplate({ spotVMOptions: {} })],
  ])("keeps %s", (field, spec) => {
    expect(fieldsOf(poolChanges(pool(), spec))).toEqual([field]);
  });

  it("gets the defaults of its machines, and none the second time", async () => {
    const webhooks = azureWebhooks({}).find(({ kind }) => kind.kind === AzureMachinePool.kind)!;
    const defaulted = async (spec: PoolSpec): Promise<PoolSpec> => {
      const object = { apiVersion: "", kind: "", metadata: { name: "p" }, spec };
      const result = await webhooks.default!(object, { old: undefined } as never);
      return (result as unknown as { readonly object: { readonly spec: PoolSpec } }).object.spec;
    };
    const given = withTemplate({
      osDisk: { diskSizeGB: 30 },
      dataDisks: [{ nameSuffix: "a", diskSizeGB: 8 }],
      spotVMOptions: {},
      subnetName: "nodes",
      terminateNotificationTimeout: 7,
    });
    const once = await defaulted(given);
    expect(once).toMatchObject({
      identity: "None",
      template: {
        osDisk: { diskSizeGB: 30, osType: "Linux", cachingType: "None" },
        dataDisks: [{ lun: 0, cachingType: "ReadWrite" }],
        networkInterfaces: [{ subnetName: "nodes", privateIPConfigs: 1 }],
        spotVMOptions: { evictionPolicy: "Deallocate" },
        terminateNotificationTimeout: 7,
      },
    });
    expect(once.template).not.toHaveProperty("identity");
    expect(await defaulted(once)).toEqual(once);
  });
});
