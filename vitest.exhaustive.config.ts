import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { SuitesFirst, fromSources, setupFiles } from "./vitest.shared.ts";

/** What takes long: a process dies, or a call fails, at every single one of its calls, and whole programs are killed, moved and starved. */
export default defineConfig({
  ...fromSources,
  test: {
    include: [
      "packages/*/test/**/*.exhaustive.ts",
      "apps/*/test/**/*.exhaustive.ts",
      "tools/*/test/**/*.exhaustive.ts",
    ],
    setupFiles,
    // As every day: two workers more than there are cores keep these busy.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: SuitesFirst },
    testTimeout: 1_200_000,
    hookTimeout: 600_000,
    reporters: ["verbose"],
  },
});
