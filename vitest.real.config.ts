import { defineConfig } from "vitest/config";

const conditions = ["@capstan/source", "node"];

/** Our cases against real programs of Kubernetes; without these they say that they are skipped. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/test/*.real.ts", "apps/*/test/*.real.ts", "tools/*/test/**/*.real.ts"],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    fileParallelism: false,
    reporters: ["verbose"],
  },
});
