import { Label } from "@capstan/contract";
import {
  conditionOf,
  controllerOf,
  MachinePoolResource,
  MachineResource,
  ownerReference,
} from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import { keyOf } from "@capstan/kube-values";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { AzureMachinePool, AzureMachinePoolMachine } from "../src/api.ts";
import { location } from "./cloud.ts";
import type { Json, Scene } from "./scene.ts";

/** A pool `p` in the cluster of a scene. */
export interface PoolScene {
  /** Makes the MachinePool with its AzureMachinePool. */
  create(
    spec?: Json,
    options?: { readonly replicas?: number; readonly zones?: readonly string[]; readonly bootstrap?: string },
  ): Promise<void>;
  change(spec: Json): Promise<unknown>;
  /** Waits for the pool to be as the test says. */
  is(test: (pool: AzureMachinePool) => boolean): Promise<AzureMachinePool>;
  /** Gives every machine of the pool its Machine, and waits until all are as the test says. */
  machinesAre(
    count: number,
    test: (machine: AzureMachinePoolMachine) => boolean,
  ): Promise<readonly AzureMachinePoolMachine[]>;
}

export const size = { vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux", diskSizeGB: 30 } };

/** Status, reason and message of a condition. */
export const said = (object: KubeObject, type: string): string => {
  const { message = "", reason = "", status = "" } = conditionOf(object, type, "v1beta1") ?? {};
  return [status, reason, message].filter((text) => text !== "").join(" ");
};

export const poolScene = (environment: ConformanceEnvironment, { core }: Scene): PoolScene => {
  const { client } = environment;
  const listed = async () =>
    (await client.list<AzureMachinePoolMachine>(AzureMachinePoolMachine, { namespace: core.namespace })).items;
  const accompany = async (machine: AzureMachinePoolMachine): Promise<void> => {
    if (controllerOf(machine)?.kind === MachineResource.kind) return;
    const { name = "" } = machine.metadata;
    const infrastructureRef = { apiGroup: AzureMachinePoolMachine.group, kind: AzureMachinePoolMachine.kind, name };
    const object = await core.createMachine(name, { infrastructureRef, bootstrap: {} });
    await core.patch(MachineResource, name, { metadata: { labels: { [Label.poolName]: "p" } } });
    const owner = ownerReference(MachineResource, object, { controller: true, blockOwnerDeletion: true });
    const others = (machine.metadata.ownerReferences ?? []).filter(({ controller }) => controller !== true);
    const body = { metadata: { ownerReferences: [...others, owner] } };
    await client.patch(AzureMachinePoolMachine, keyOf(machine), { type: "merge", body });
  };
  return {
    create: async (spec = {}, { replicas = 1, zones = [], bootstrap = "#cloud-config\n" } = {}) => {
      const infrastructureRef = { apiGroup: AzureMachinePool.group, kind: AzureMachinePool.kind, name: "p" };
      await core.createBootstrapSecret("p", bootstrap);
      const template = { infrastructureRef, bootstrap: { dataSecretName: "p" }, version: "v1.34.0" };
      const object = await core.createPool("p", template, replicas);
      if (zones.length > 0) await core.patch(MachinePoolResource, "p", { spec: { failureDomains: [...zones] } });
      const owner = { kind: MachinePoolResource, object, controller: true };
      await core.createOwned(AzureMachinePool, "p", { location, template: size, ...spec }, owner);
    },
    change: (spec) => core.patch(AzureMachinePool, "p", { spec }),
    is: async (test) => {
      const isAs = (found: KubeObject | undefined) => found !== undefined && test(found);
      return (await environment.eventually(AzureMachinePool, core.key("p"), isAs)) as AzureMachinePool;
    },
    machinesAre: async (count, test) => {
      await environment.until(async () => {
        const machines = await listed();
        for (const machine of machines) await accompany(machine);
        return machines.length === count && machines.every(test);
      });
      return listed();
    },
  };
};
