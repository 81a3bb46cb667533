import { Group } from "@capstan/contract";
import { readFileSync } from "node:fs";
import { eventually, type StartServer, startWorld, type World } from "../world.ts";
import { playedKinds, refTo } from "./played-kinds.ts";
import { openStage, type Stage } from "./stage.ts";

/** Two stages: on the first is upstream's manager of core, on the second ours. */
export interface CoreStages {
  readonly theirs: Stage;
  readonly ours: Stage;
  stop(): Promise<void>;
}

const untilServed = (world: World): Promise<void> => {
  const ready = {
    apiVersion: `${Group.core}/v1beta2`,
    kind: "Cluster",
    metadata: { name: "ready", namespace: "default" },
    spec: { infrastructureRef: refTo(playedKinds.cluster, "a") },
  };
  return eventually(() => world.environment.apply([ready], { dryRun: true }));
};

export const startCoreStages = async (start: StartServer): Promise<CoreStages> => {
  const ends: (() => Promise<void>)[] = [];
  const stageOf = async (options: Parameters<typeof startWorld>[1]): Promise<Stage> => {
    const world = await startWorld(start, options);
    ends.unshift(() => world.stop());
    await world.environment.apply(Object.values(playedKinds).map(({ crd }) => crd));
    await untilServed(world);
    const stage = await openStage(readFileSync(world.environment.kubeconfigFile, "utf8"));
    ends.unshift(() => stage.stop());
    return stage;
  };
  // Ours has no gate before taints.
  const upstreamArgs = ["--feature-gates=MachineTaintPropagation=true"];
  return {
    theirs: await stageOf({ upstream: ["capi-core"], upstreamArgs }),
    ours: await stageOf({ upstream: [], capstan: ["core"] }),
    stop: async () => {
      for (const end of ends) await end();
    },
  };
};
