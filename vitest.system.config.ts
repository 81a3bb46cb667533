import { defineConfig } from "vitest/config";
import { fromSources } from "./vitest.shared.ts";

/** Tests that need root and programs of the system; each says in one line why it is skipped. */
export default defineConfig({
  ...fromSources,
  test: {
    include: ["apps/*/test/system/*.system.ts"],
    testTimeout: 180_000,
    hookTimeout: 600_000,
    fileParallelism: false,
  },
});
