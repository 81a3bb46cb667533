import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { fromSources } from "./vitest.shared.ts";

/** Fault tests that everyday tests take samples of: here a process dies, or a call fails, at every single one of its calls. */
export default defineConfig({
  ...fromSources,
  test: {
    include: ["packages/*/test/**/*.exhaustive.ts"],
    maxWorkers: availableParallelism(),
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    reporters: ["verbose"],
  },
});
