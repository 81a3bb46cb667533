import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // These end what hangs; whole conformance suites run in seconds.
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
});
