import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const conditions = ["@capstan/source", "node"];

/** Fault tests that everyday tests take samples of: here a process dies, or a call fails, at every single one of its calls. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/test/*.exhaustive.ts"],
    maxWorkers: availableParallelism(),
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    reporters: ["verbose"],
  },
});
