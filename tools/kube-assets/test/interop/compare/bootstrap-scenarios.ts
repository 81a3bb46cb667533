import { initScenarios } from "./bootstrap-init-scenarios.ts";
import { joinScenarios } from "./bootstrap-join-scenarios.ts";
import { lifeScenarios } from "./bootstrap-life-scenarios.ts";
import type { Scenario } from "./scenario.ts";

/** What is played of the kubeadm bootstrap provider, part by part. */
export const bootstrapScenarios: readonly {
  readonly part: string;
  readonly scenarios: readonly Scenario[];
}[] = [
  { part: "the first machine", scenarios: initScenarios },
  { part: "joining", scenarios: joinScenarios },
  { part: "life of a config", scenarios: lifeScenarios },
];
