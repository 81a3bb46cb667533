import { afterAll, beforeAll, expect, it } from "vitest";
import { requestsMeant } from "./compare/core-meant.ts";
import { coreRequests } from "./compare/core-requests.ts";
import { type CoreStages, startCoreStages } from "./compare/core-stages.ts";
import { comparisonBy, requestFacts } from "./compare/requests.ts";
import type { Stage } from "./compare/stage.ts";
import { describeOnServers } from "./world.ts";

describeOnServers("requests of core compared with upstream's manager", (start) => {
  let stages: CoreStages | undefined;
  const requests = comparisonBy(requestsMeant);

  beforeAll(async () => {
    stages = await startCoreStages(start);
  });
  afterAll(async () => stages?.stop());

  it.each(coreRequests)(
    "asks for every $kind.kind with the same answers",
    async ({ kind, cases }) => {
      const factsOf = ({ client }: Stage) => requestFacts(client, kind, cases, { hasStatus: false });
      const [theirs, ours] = [await factsOf(stages!.theirs), await factsOf(stages!.ours)];
      expect(requests.open(kind.kind, theirs, ours)).toEqual([]);
    },
    600_000,
  );

  it("needs every reason", () => expect(requests.unused()).toEqual([]));
});
