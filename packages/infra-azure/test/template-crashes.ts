import { ClusterResource, SecretResource } from "@capstan/contract/wire";
import { CallGate, crashEverywhere } from "@capstan/testing/environment";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { expect } from "vitest";
import { AzureMachine, AzureMachinePool, AzureMachineTemplate } from "../src/api.ts";
import { location } from "./cloud.ts";
import { openScene } from "./scene.ts";

const machine = { vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux" } };
const names = ["t", "m", "p"] as const;

/**
 * A template, a machine and a pool have their Secrets with the configuration of the cloud provider once, and the template its capacity,
 * whatever call the process dies at; `every`: one of so many calls is taken.
 */
export const cloudConfigsSurviveCrashes = (environment: ConformanceEnvironment, every: number): Promise<void> =>
  crashEverywhere(
    async (gate) => {
      await using scene = await openScene(environment);
      const { core, managers } = scene;
      await scene.cluster();
      const object = await environment.client.get(ClusterResource, core.key(core.clusterName));
      const owner = { kind: ClusterResource, object, controller: false };
      await core.createOwned(AzureMachineTemplate, "t", { template: { spec: machine } }, owner);
      // Without Machine and MachinePool nothing else is made for these.
      await core.createOwned(AzureMachine, "m", machine);
      await core.createOwned(AzureMachinePool, "p", { location, template: machine });
      const secretsOf = async (name: string) => {
        const { items } = await environment.client.list(SecretResource, { namespace: core.namespace });
        return items.filter(({ metadata }) => metadata.ownerReferences?.[0]?.name === name);
      };
      const isWhole = async (): Promise<boolean> => {
        const found = await environment.client.get<AzureMachineTemplate>(AzureMachineTemplate, core.key("t"));
        const secrets = await Promise.all(names.map(secretsOf));
        return found.status?.capacity?.["memory"] === "8Gi" && secrets.every((each) => each.length > 0);
      };
      const first = await managers.start(gate);
      await environment.until(async () => gate.crashedAt !== undefined || (await isWhole()));
      if (gate.crashedAt !== undefined) {
        await first.stop();
        await managers.start(new CallGate());
      }
      await environment.until(isWhole);
      for (const name of names) {
        expect((await secretsOf(name)).map(({ metadata }) => metadata.name)).toEqual([`${name}-azure-json`]);
      }
    },
    { every },
  );
