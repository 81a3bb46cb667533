import { describe, expect, it } from "vitest";
import type { PoolSpec } from "../machine-pool/pool-plan.ts";
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
});
