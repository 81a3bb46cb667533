import { ClusterResource, SecretResource } from "@capstan/contract/wire";
import { CallGate, crashEverywhere } from "@capstan/testing/environment";
import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { expect } from "vitest";
import { AzureMachineTemplate } from "../src/api.ts";
import { openScene } from "./scene.ts";

const machine = { vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux" } };

/** A template has its Secret once and its capacity, whatever call the process dies at; `every`: one of so many calls is taken. */
export const templateSurvivesCrashes = (environment: ConformanceEnvironment, every: number): Promise<void> =>
  crashEverywhere(
    async (gate) => {
      await using scene = await openScene(environment);
      const { core, managers } = scene;
      await scene.cluster();
      const object = await environment.client.get(ClusterResource, core.key(core.clusterName));
      const owner = { kind: ClusterResource, object, controller: false };
      await core.createOwned(AzureMachineTemplate, "t", { template: { spec: machine } }, owner);
      const isWhole = async (): Promise<boolean> => {
        const found = await environment.client.get<AzureMachineTemplate>(AzureMachineTemplate, core.key("t"));
        const secret = await environment.client.find(SecretResource, core.key("t-azure-json"));
        return found.status?.capacity?.["memory"] === "8Gi" && secret !== undefined;
      };
      const first = await managers.start(gate);
      await environment.until(async () => gate.crashedAt !== undefined || (await isWhole()));
      if (gate.crashedAt !== undefined) {
        await first.stop();
        await managers.start(new CallGate());
      }
      await environment.until(isWhole);
      const { items } = await environment.client.list(SecretResource, { namespace: core.namespace });
      expect(items.filter(({ metadata }) => metadata.ownerReferences?.[0]?.name === "t")).toHaveLength(1);
    },
    { every },
  );
