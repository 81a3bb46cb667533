import type { InfraMachinePoolSubject } from "@capstan/testing/conformance";
import { seededRandom } from "@capstan/testing";
import { AzureCluster, AzureMachinePool, AzureMachinePoolMachine } from "../src/api.ts";
import { location, startCloud } from "./cloud.ts";
import { existingNetwork } from "./existing-network.ts";
import { azureKinds } from "../src/azure-kinds.ts";

/** Pools of machines, on simulated Azure. */
export const poolSubject = (mode: "Uniform" | "Flexible"): InfraMachinePoolSubject => ({
  kinds: azureKinds,
  poolKind: AzureMachinePool,
  machineKind: AzureMachinePoolMachine,
  clusterKind: AzureCluster,
  clusterSpec: {},
  poolSpec: {
    location,
    orchestrationMode: mode,
    template: {
      vmSize: "Standard_D2s_v3",
      osDisk: { osType: "Linux", diskSizeGB: 30, managedDisk: { storageAccountType: "Premium_LRS" } },
    },
  },
  change: { template: { vmSize: "Standard_D4s_v3" } },
  start: async ({ clock }) => {
    const cloud = await startCloud({ clock, random: seededRandom(11) });
    const { simulator } = cloud;
    const setOf = (uid: string) =>
      simulator.state.resources.find(
        ({ tags, type }) => tags?.["capstan-uid"] === uid && type.endsWith("/virtualMachineScaleSets"),
      );
    const idOf = (id: string): string =>
      `azure://${id.replace(/(\/resourceGroups\/)([^/]+)/i, (_, before: string, group: string) => `${before}${group.toLowerCase()}`)}`;
    const membersOf = (uid: string) =>
      simulator.state.resources.filter(
        ({ tags, type }) => tags?.["capstan-uid"] === uid && type.endsWith("/virtualMachines"),
      );
    return {
      ...cloud,
      clusterSpec: async (namespace) => existingNetwork(cloud, namespace),
      machines: (uid) => {
        const set = setOf(uid);
        if (set === undefined) return undefined;
        return membersOf(uid).map(({ id, tags }) => ({
          providerID: idOf(id),
          upToDate: tags?.["capstan-template"] === set.tags?.["capstan-template"],
        }));
      },
      userData: (uid) => Buffer.from(String(setOf(uid)?.secrets?.["customData"] ?? ""), "base64").toString("utf8"),
      destroy: async (_uid, providerID) => {
        await cloud.call("DELETE", providerID.replace("azure://", ""));
      },
      resize: async (uid, capacity) => {
        const set = setOf(uid);
        if (set !== undefined) {
          await cloud.call("PATCH", set.id, { sku: { name: "Standard_D2s_v3", capacity } });
        }
      },
    };
  },
});
