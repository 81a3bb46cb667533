import { defineConfig } from "vitest/config";

const conditions = ["@capstan/source", "node", "import", "default"];

/** Our API server's cases against a real kube-apiserver; without one they say that they are skipped. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/test/*.real.ts"],
    testTimeout: 60_000,
    hookTimeout: 180_000,
    fileParallelism: false,
    reporters: ["verbose"],
  },
});
