import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

// Workers are started with them as well: with `import`, what a library requires would be taken from its modules.
const conditions = ["@capstan/source", "node"];

/** How modules are found: ours as sources. */
export const fromSources = { resolve: { conditions }, ssr: { resolve: { conditions } } };

/** What runs before each file of tests: their keys come from a pool. */
export const setupFiles = [join(import.meta.dirname, "packages/testing/test/vitest.setup.ts")];

const runsSuite = ({ moduleId }: TestSpecification): boolean =>
  basename(moduleId).includes("conformance") || /onformance\(|\/conformance\.ts"/.test(readFileSync(moduleId, "utf8"));

/**
 * Files that run a conformance suite first: they are the longest, and among the shortest to read. Without results of an earlier run,
 * Vitest starts with the largest files, so that they would run last, each alone on its core.
 */
export class SuitesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const suites = new Set(sorted.filter(runsSuite));
    return [...suites, ...sorted.filter((file) => !suites.has(file))];
  }

  /** Deals out suites, then the other files, so that no share has more of the longest ones than another. */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shard } = this.ctx.config;
    if (shard === undefined) return files;
    const byPath = files.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1));
    const dealt = [...byPath.filter(runsSuite), ...byPath.filter((file) => !runsSuite(file))];
    return dealt.filter((_, place) => place % shard.count === shard.index - 1);
  }
}

/** Settings of the everyday tests; what they include is below a package. */
export const everyday = {
  include: ["src/**/*.test.ts", "test/**/*.test.ts"],
  environment: "node",
  setupFiles,
  // No module keeps anything that one test could leave to another: a worker loads each once, for all its files.
  isolate: false,
  // Half of a test's time is waiting for loopback: two workers more than there are cores keep these busy.
  maxWorkers: availableParallelism() + 2,
  sequence: { sequencer: SuitesFirst },
  // These end what hangs: the longest test takes ten seconds on quiet cores, and minutes where forty programs share two.
  testTimeout: 180_000,
  hookTimeout: 300_000,
  // One second, the default, is less than a busy machine lets a process wait for its turn.
  expect: { poll: { timeout: 120_000 } },
};

/** The tests of one package, for vitest in its folder. */
export const packageTests = (root: string) => defineConfig({ root, ...fromSources, test: everyday });
