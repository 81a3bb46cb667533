import type { Kind } from "@capstan/schema";
import { crashEverywhere, type Play } from "./crash-everywhere.ts";
import { ConformanceEnvironment } from "./environment.ts";
import type { SuiteTools } from "./suite-tools.ts";
import { defineCases } from "./suite-tools.ts";

/** A case: gets a scene, and may ask for further ones, and have one played again and again with crashes, or with other seeds. */
export type Case<Scene> = (
  scene: Scene,
  another: () => Promise<Scene>,
  withCrashes: (play: Play) => Promise<void>,
  seeds: readonly number[],
) => Promise<void>;

/** Seeds of what a case leaves to chance: a few every day, more where all crashes are tried too. */
const seedsOf = (crashEvery: number | undefined): readonly number[] =>
  Array.from({ length: crashEvery === undefined ? 12 : 2 }, (_, seed) => seed);

export interface SuiteParts<Scene> {
  readonly title: string;
  /** Kinds to install beside the core ones. */
  readonly kinds: readonly Kind[];
  readonly cases: Readonly<Record<string, Case<Scene>>>;
  readonly skip: Readonly<Record<string, string>> | undefined;
  /** Called for every case: makes scenes in namespaces of their own, and tidies up what they share. */
  readonly open: (environment: ConformanceEnvironment) => Promise<{
    readonly scene: (namespace: string) => Scene;
    readonly close: () => Promise<void>;
  }>;
}

/** Timeouts, in milliseconds, of a case that tries a sample of the crashes and of one that tries all. */
const caseTimeoutMs = { sample: 300_000, all: 1_200_000 };

/** One API server for all cases, and for every case a namespace and managers of its own. */
export const defineSuite = <Scene extends { readonly managers: { stopAll(): Promise<void> } }>(
  tools: SuiteTools,
  parts: SuiteParts<Scene>,
): void => {
  tools.describe(parts.title, () => {
    let environment: ConformanceEnvironment;
    tools.beforeAll(async () => {
      environment = await ConformanceEnvironment.start(parts.kinds);
    });
    tools.afterAll(() => environment.stop());
    const run = (test: Case<Scene>) => async (): Promise<void> => {
      const opened = await parts.open(environment);
      const scenes: Scene[] = [];
      const another = async (): Promise<Scene> => {
        const scene = opened.scene(await environment.namespace());
        scenes.push(scene);
        return scene;
      };
      try {
        const { crashEvery: every } = tools;
        const withCrashes = (play: Play): Promise<void> => crashEverywhere(play, every === undefined ? {} : { every });
        await test(await another(), another, withCrashes, seedsOf(every));
      } finally {
        for (const { managers } of scenes) await managers.stopAll();
        await opened.close();
      }
    };
    const runs = Object.fromEntries(Object.entries(parts.cases).map(([name, test]) => [name, run(test)]));
    const timeoutMs = caseTimeoutMs[tools.crashEvery === undefined ? "all" : "sample"];
    defineCases(tools, runs, { timeoutMs, ...(parts.skip === undefined ? {} : { skip: parts.skip }) });
  });
};
