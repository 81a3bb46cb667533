import { sameJson } from "@capstan/schema";
import { eventsOfPlay, factsOfPlay, olderFactsOfPlay } from "./facts-of-play.ts";
import { Play } from "./play.ts";
import type { Comparison, Facts } from "./requests.ts";
import type { Scenario } from "./scenario.ts";
import { Namespace, type Stage } from "./stage.ts";
import type { Stages } from "./stages.ts";

/** What else is seen after a step, by what and where it is. */
type MoreFacts = (play: Play, title: string) => Facts;

/** Plays one scenario; everything that is seen after each of its steps. */
const factsOf = async (stage: Stage, { title, steps }: Scenario, namespace: string, more: MoreFacts) => {
  await stage.client.create(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const play = new Play(stage, namespace);
  const facts = new Map<string, unknown>();
  for (const { title: what, act, until } of steps) {
    const name = `${title} | ${what}`;
    await act(play);
    facts.set(`${name} | came about`, await play.settle(() => until?.(play) ?? true));
    for (const [place, fact] of [...factsOfPlay(play, name), ...more(play, name)]) facts.set(place, fact);
  }
  for (const [place, fact] of await olderFactsOfPlay(play, title)) facts.set(place, fact);
  for (const [place, fact] of await eventsOfPlay(play, title)) facts.set(place, fact);
  return facts;
};

/** Scenarios at once, each in a namespace of its own. */
const factsOfAll = async (stage: Stage, scenarios: readonly Scenario[], run: string, more: MoreFacts) => {
  const facts = new Map<string, unknown>();
  await Promise.all(
    scenarios.map(async (each, index) => {
      try {
        for (const [place, fact] of await factsOf(stage, each, `${run}-${index}`, more)) facts.set(place, fact);
      } catch (error) {
        throw new Error(`${run}: ${each.title}`, { cause: error });
      }
    }),
  );
  return facts;
};

/**
 * Plays scenarios twice with upstream's managers and once with ours; what differs without a reason. What upstream's do not repeat does
 * not count.
 */
export const playScenarios = async (
  { theirs: upstream, ours: capstan }: Stages,
  part: string,
  scenarios: readonly Scenario[],
  comparison: Comparison,
  more: MoreFacts = () => new Map(),
): Promise<readonly object[]> => {
  const prefix = part.toLowerCase().replaceAll(" ", "-");
  const [theirs, again, ours] = await Promise.all([
    factsOfAll(upstream, scenarios, `${prefix}-a`, more),
    factsOfAll(upstream, scenarios, `${prefix}-b`, more),
    factsOfAll(capstan, scenarios, `${prefix}-c`, more),
  ]);
  const titles = Array.from(new Set([...theirs.keys(), ...again.keys()]));
  const passing = titles.filter((title) => !sameJson(theirs.get(title), again.get(title)));
  console.log(`upstream repeats itself in ${titles.length - passing.length} of ${titles.length} facts`);
  for (const title of passing) for (const facts of [theirs, ours]) facts.delete(title);
  return comparison.open(part, theirs, ours);
};
