import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, it } from "vitest";
import { startEnvironment } from "./scene.ts";
import { templateSurvivesCrashes } from "./template-crashes.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

// A sample; `npm run test:exhaustive` takes every call.
it(
  "a template has its Secret and its capacity although the process dies at some of its calls",
  { timeout: 120_000 },
  () => templateSurvivesCrashes(environment, 7),
);
