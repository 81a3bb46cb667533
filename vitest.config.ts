import { defineConfig } from "vitest/config";
import { everyday, fromSources } from "./vitest.shared.ts";

/** Every test of every package in one project: a worker loads each module once, for the packages it runs tests of. */
export default defineConfig({
  ...fromSources,
  test: {
    ...everyday,
    include: ["packages/*", "apps/*", "apps/cli/templates/*", "tools/*"].flatMap((folder) =>
      everyday.include.map((pattern) => `${folder}/${pattern}`),
    ),
  },
});
