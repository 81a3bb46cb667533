import { afterAll, beforeAll, expect, it } from "vitest";
import { clusterScenarios } from "./compare/cluster-scenarios.ts";
import { coreMeant } from "./compare/core-meant.ts";
import { healthScenarios } from "./compare/health-scenarios.ts";
import { machineScenarios } from "./compare/machine-scenarios.ts";
import { playScenarios } from "./compare/play-scenarios.ts";
import { comparisonBy } from "./compare/requests.ts";
import { type Scenario } from "./compare/scenario.ts";
import { type Stages, startCoreStages } from "./compare/stages.ts";
import { workersScenarios } from "./compare/workers-scenarios.ts";
import { describeOnServers } from "./world.ts";

/** What is played, part by part, so that no more continues at once than one computer has. */
const parts: readonly { readonly part: string; readonly scenarios: readonly Scenario[] }[] = [
  { part: "Clusters", scenarios: clusterScenarios },
  { part: "Machines", scenarios: machineScenarios },
  { part: "workers", scenarios: workersScenarios },
  { part: "health checks", scenarios: healthScenarios },
];

describeOnServers("scenarios of core compared with upstream's manager", (start) => {
  let stages: Stages | undefined;
  const comparison = comparisonBy(coreMeant);

  beforeAll(async () => {
    stages = await startCoreStages(start);
  });
  afterAll(async () => stages?.stop());

  it.each(parts)(
    "plays scenarios of $part to the same facts",
    async ({ part, scenarios }) => {
      expect(await playScenarios(stages!, part, scenarios, comparison)).toEqual([]);
    },
    900_000,
  );

  it("needs every reason", () => expect(comparison.unused()).toEqual([]));
});
