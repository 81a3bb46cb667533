import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: ["packages/*/vitest.config.ts", "apps/*/vitest.config.ts", "tools/*/vitest.config.ts"],
    passWithNoTests: true,
    // Most of a test's time is waiting for loopback: two workers pay even where one core is left for them.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
