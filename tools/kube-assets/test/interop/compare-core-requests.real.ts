import { Label } from "@capstan/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requestsMeant } from "./compare/core-requests-meant.ts";
import { coreRequests } from "./compare/core-requests.ts";
import { type Stages, startCoreStages } from "./compare/stages.ts";
import { object } from "./compare/scenario.ts";
import { playedKinds, refTo } from "./compare/played-kinds.ts";
import { comparisonBy, type Facts, requestFacts } from "./compare/requests.ts";
import { coreKinds, type Stage } from "./compare/stage.ts";
import { type AnyObject, describeOnServers } from "./world.ts";

/** Upstream's controller of MachineSets puts the Cluster's label where ours has it from admission on. */
const isWhole = ({ spec }: AnyObject): boolean => spec.template.metadata?.labels?.[Label.clusterName] !== undefined;

/** Controllers look at nothing whose Cluster there is not. */
const makeClusters = async ({ client }: Stage): Promise<void> => {
  for (const name of ["prod", "other"]) {
    const cluster = object(coreKinds.cluster, name, { infrastructureRef: refTo(playedKinds.cluster, name) });
    await client.create(coreKinds.cluster, { ...cluster, metadata: { name, namespace: "default" } });
  }
};

describeOnServers("requests of core compared with upstream's manager", (start) => {
  let stages: Stages | undefined;
  const requests = comparisonBy(requestsMeant);

  beforeAll(async () => {
    stages = await startCoreStages(start);
    await makeClusters(stages.theirs);
    await makeClusters(stages.ours);
  });
  afterAll(async () => stages?.stop());

  it.each(coreRequests)(
    "asks for every $kind.kind with the same answers",
    async ({ kind, cases }) => {
      const factsOf = async ({ client }: Stage): Promise<Facts> => {
        const facts = await requestFacts(client, kind, cases, {
          hasStatus: false,
          ...(kind === coreKinds.set && { isWhole }),
        });
        return new Map([...facts].map(([title, fact]) => [`${kind.kind} | ${title}`, fact]));
      };
      const [theirs, ours] = [await factsOf(stages!.theirs), await factsOf(stages!.ours)];
      expect(requests.open(kind.kind, theirs, ours)).toEqual([]);
    },
    600_000,
  );

  it("needs every reason", () => expect(requests.unused()).toEqual([]));
});
