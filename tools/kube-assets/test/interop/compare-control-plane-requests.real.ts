import { afterAll, beforeAll, expect, it } from "vitest";
import { controlPlaneRequestsMeant } from "./compare/control-plane-requests-meant.ts";
import { controlPlaneRequests } from "./compare/control-plane-requests.ts";
import { comparisonBy, type Facts, requestFacts } from "./compare/requests.ts";
import type { Stage } from "./compare/stage.ts";
import { type Stages, startControlPlaneStages } from "./compare/stages.ts";
import { describeOnServers } from "./world.ts";

describeOnServers("requests of control planes compared with upstream's manager", (start) => {
  let stages: Stages | undefined;
  const requests = comparisonBy(controlPlaneRequestsMeant);

  beforeAll(async () => {
    stages = await startControlPlaneStages(start);
  });
  afterAll(async () => stages?.stop());

  it.each(controlPlaneRequests)(
    "asks for every $kind.kind with the same answers",
    async ({ kind, cases }) => {
      const factsOf = async ({ client }: Stage): Promise<Facts> => {
        const facts = await requestFacts(client, kind, cases, { hasStatus: false });
        return new Map([...facts].map(([title, fact]) => [`${kind.kind} | ${title}`, fact]));
      };
      const [theirs, ours] = [await factsOf(stages!.theirs), await factsOf(stages!.ours)];
      expect(requests.open(kind.kind, theirs, ours)).toEqual([]);
    },
    600_000,
  );

  it("needs every reason", () => expect(requests.unused()).toEqual([]));
});
