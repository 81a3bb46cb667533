import { Group } from "@capstan/contract";
import { readFileSync } from "node:fs";
import { sameJson } from "@capstan/schema";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clusterScenarios } from "./compare/cluster-scenarios.ts";
import { eventsOfPlay, factsOfPlay, olderFactsOfPlay } from "./compare/facts-of-play.ts";
import { healthScenarios } from "./compare/health-scenarios.ts";
import { machineScenarios } from "./compare/machine-scenarios.ts";
import { playedKinds, refTo } from "./compare/played-kinds.ts";
import { Play } from "./compare/play.ts";
import { coreMeant, requestsMeant } from "./compare/core-meant.ts";
import { coreRequests } from "./compare/core-requests.ts";
import { comparisonBy, requestFacts } from "./compare/requests.ts";
import { type Scenario } from "./compare/scenario.ts";
import { Namespace, openStage, type Stage } from "./compare/stage.ts";
import { workersScenarios } from "./compare/workers-scenarios.ts";
import { describeOnServers, eventually, startWorld, type World } from "./world.ts";

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

describeOnServers("core compared with upstream's manager", (start) => {
  const worlds: World[] = [];
  const stages: Stage[] = [];
  const requests = comparisonBy(requestsMeant);
  const scenes = comparisonBy(coreMeant);

  beforeAll(async () => {
    // Ours has no gate before taints.
    const upstreamArgs = ["--feature-gates=MachineTaintPropagation=true"];
    worlds.push(await startWorld(start, { upstream: ["capi-core"], upstreamArgs }));
    worlds.push(await startWorld(start, { upstream: [], capstan: ["core"] }));
    for (const { environment } of worlds) {
      await environment.apply(Object.values(playedKinds).map(({ crd }) => crd));
      const ready = {
        apiVersion: `${Group.core}/v1beta2`,
        kind: "Cluster",
        metadata: { name: "ready", namespace: "default" },
      };
      await eventually(() =>
        environment.apply([{ ...ready, spec: { infrastructureRef: refTo(playedKinds.cluster, "a") } }], {
          dryRun: true,
        }),
      );
      stages.push(await openStage(readFileSync(environment.kubeconfigFile, "utf8")));
    }
  });
  afterAll(async () => {
    for (const stage of stages) await stage.stop();
    for (const world of worlds) await world.stop();
  });

  it.each(coreRequests)(
    "asks for every $kind.kind with the same answers",
    async ({ kind, cases }) => {
      const factsOf = ({ client }: Stage) => requestFacts(client, kind, cases, { hasStatus: false });
      const [theirs, ours] = [await factsOf(stages[0]!), await factsOf(stages[1]!)];
      expect(requests.open(kind.kind, theirs, ours)).toEqual([]);
    },
    600_000,
  );

  it.each(parts)(
    "plays scenarios of $part to the same facts",
    async ({ part, scenarios }) => {
      const prefix = part.toLowerCase().replaceAll(" ", "-");
      const [theirs, again, ours] = await Promise.all([
        factsOfAll(stages[0]!, scenarios, `${prefix}-a`),
        factsOfAll(stages[0]!, scenarios, `${prefix}-b`),
        factsOfAll(stages[1]!, scenarios, `${prefix}-c`),
      ]);
      const titles = Array.from(new Set([...theirs.keys(), ...again.keys()]));
      const passing = titles.filter((title) => !sameJson(theirs.get(title), again.get(title)));
      console.log(`upstream repeats itself in ${titles.length - passing.length} of ${titles.length} facts`);
      for (const title of passing) for (const facts of [theirs, ours]) facts.delete(title);
      expect(scenes.open(part, theirs, ours)).toEqual([]);
    },
    900_000,
  );

  it("needs every reason", () => expect([...requests.unused(), ...scenes.unused()]).toEqual([]));
});
