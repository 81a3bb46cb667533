import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { fromSources } from "./vitest.shared.ts";

/** What takes long: a process dies, or a call fails, at every single one of its calls, and whole programs are killed, moved and starved. */
export default defineConfig({
  ...fromSources,
  test: {
    include: [
      "packages/*/test/**/*.exhaustive.ts",
      "apps/*/test/**/*.exhaustive.ts",
      "tools/*/test/**/*.exhaustive.ts",
    ],
    maxWorkers: availableParallelism(),
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    reporters: ["verbose"],
  },
});
