import { afterAll, beforeAll, expect, it } from "vitest";
import { bootstrapFactsOfPlay } from "./compare/bootstrap-facts.ts";
import { kindsOfBootstrap } from "./compare/bootstrap-kinds.ts";
import { bootstrapMeant } from "./compare/bootstrap-meant.ts";
import { bootstrapScenarios } from "./compare/bootstrap-scenarios.ts";
import { playScenarios } from "./compare/play-scenarios.ts";
import { comparisonBy } from "./compare/requests.ts";
import { type Stages, startBootstrapStages } from "./compare/stages.ts";
import { describeOnServers } from "./world.ts";

describeOnServers("scenarios of kubeadm bootstrap compared with upstream's manager", (start) => {
  let stages: Stages | undefined;
  const comparison = comparisonBy(bootstrapMeant);

  beforeAll(async () => {
    stages = await startBootstrapStages(start, kindsOfBootstrap);
  });
  afterAll(async () => stages?.stop());

  it.each(bootstrapScenarios)(
    "plays scenarios of $part to the same facts",
    async ({ part, scenarios }) => {
      expect(await playScenarios(stages!, part, scenarios, comparison, bootstrapFactsOfPlay)).toEqual([]);
    },
    900_000,
  );

  it("needs every reason", () => expect(comparison.unused()).toEqual([]));
});
