import { defineConfig } from "vitest/config";
import { fromSources } from "./vitest.shared.ts";

/** Programs of others beside ours; a word after the command names the files that have it in their path, as `compare`. */
export default defineConfig({
  ...fromSources,
  test: {
    include: [
      "packages/*/test/interop-*.real.ts",
      "apps/*/test/interop-*.real.ts",
      "tools/kube-assets/test/interop/*.real.ts",
    ],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Each file has processes of its own beside vitest's.
    maxWorkers: 2,
    reporters: ["verbose"],
  },
});
