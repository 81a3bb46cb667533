import { defineConfig } from "vitest/config";
import { fromSources } from "./vitest.shared.ts";

/** Our cases against real programs of Kubernetes and others; without these they say that they are skipped. */
export default defineConfig({
  ...fromSources,
  test: {
    include: ["packages/*/test/*.real.ts", "apps/*/test/*.real.ts", "tools/*/test/**/*.real.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    fileParallelism: false,
    reporters: ["verbose"],
  },
});
