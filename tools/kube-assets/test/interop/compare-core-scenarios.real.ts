import { sameJson } from "@capstan/schema";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clusterScenarios } from "./compare/cluster-scenarios.ts";
import { eventsOfPlay, factsOfPlay, olderFactsOfPlay } from "./compare/facts-of-play.ts";
import { healthScenarios } from "./compare/health-scenarios.ts";
import { machineScenarios } from "./compare/machine-scenarios.ts";
import { Play } from "./compare/play.ts";
import { coreMeant } from "./compare/core-meant.ts";
import { type CoreStages, startCoreStages } from "./compare/core-stages.ts";
import { comparisonBy } from "./compare/requests.ts";
import { type Scenario } from "./compare/scenario.ts";
import { Namespace, type Stage } from "./compare/stage.ts";
import { workersScenarios } from "./compare/workers-scenarios.ts";
import { describeOnServers } from "./world.ts";

/** What is played, part by part, so that no more goes on at once than one computer bears. */
const parts: readonly { readonly part: string; readonly scenarios: readonly Scenario[] }[] = [
  { part: "Clusters", scenarios: clusterScenarios },
  { part: "Machines", scenarios: machineScenarios },
  { part: "workers", scenarios: workersScenarios },
  { part: "health checks", scenarios: healthScenarios },
];

/** Plays one scenario; everything that is seen after each of its steps. */
const factsOf = async (stage: Stage, { title, steps }: Scenario, namespace: string) => {
  await stage.client.create(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const play = new Play(stage, namespace);
  const facts = new Map<string, unknown>();
  for (const { title: what, act, until } of steps) {
    const name = `${title} | ${what}`;
    await act(play);
    facts.set(`${name} | came about`, await play.settle(() => until?.(play) ?? true));
    for (const [place, fact] of factsOfPlay(play, name)) facts.set(place, fact);
  }
  for (const [place, fact] of await olderFactsOfPlay(play, title)) facts.set(place, fact);
  for (const [place, fact] of await eventsOfPlay(play, title)) facts.set(place, fact);
  return facts;
};

/** Scenarios at once, each in a namespace of its own. */
const factsOfAll = async (stage: Stage, scenarios: readonly Scenario[], run: string): Promise<Map<string, unknown>> => {
  const facts = new Map<string, unknown>();
  await Promise.all(
    scenarios.map(async (each, index) => {
      try {
        for (const [place, fact] of await factsOf(stage, each, `${run}-${index}`)) facts.set(place, fact);
      } catch (error) {
        throw new Error(`${run}: ${each.title}`, { cause: error });
      }
    }),
  );
  return facts;
};

describeOnServers("scenarios of core compared with upstream's manager", (start) => {
  let stages: CoreStages | undefined;
  const scenes = comparisonBy(coreMeant);

  beforeAll(async () => {
    stages = await startCoreStages(start);
  });
  afterAll(async () => stages?.stop());

  it.each(parts)(
    "plays scenarios of $part to the same facts",
    async ({ part, scenarios }) => {
      const prefix = part.toLowerCase().replaceAll(" ", "-");
      const [theirs, again, ours] = await Promise.all([
        factsOfAll(stages!.theirs, scenarios, `${prefix}-a`),
        factsOfAll(stages!.theirs, scenarios, `${prefix}-b`),
        factsOfAll(stages!.ours, scenarios, `${prefix}-c`),
      ]);
      const titles = Array.from(new Set([...theirs.keys(), ...again.keys()]));
      const passing = titles.filter((title) => !sameJson(theirs.get(title), again.get(title)));
      console.log(`upstream repeats itself in ${titles.length - passing.length} of ${titles.length} facts`);
      for (const title of passing) for (const facts of [theirs, ours]) facts.delete(title);
      expect(scenes.open(part, theirs, ours)).toEqual([]);
    },
    900_000,
  );

  it("needs every reason", () => expect(scenes.unused()).toEqual([]));
});
