import type { ConformanceEnvironment } from "@capstan/testing/environment";
import { afterAll, beforeAll, it } from "vitest";
import { startEnvironment } from "./scene.ts";
import { cloudConfigsSurviveCrashes } from "./template-crashes.ts";

let environment: ConformanceEnvironment;
beforeAll(async () => {
  environment = await startEnvironment();
});
afterAll(() => environment.stop());

// A sample; `npm run test:exhaustive` takes every call.
it("templates, machines and pools have their cloud configuration although the process dies at some of its calls", () =>
  cloudConfigsSurviveCrashes(environment, 7));
