import { describe } from "vitest";
import { testOperationCrashes } from "./operation-crashes.ts";

// `npm run test:exhaustive` takes every call.
describe("a crash between two calls", () => {
  testOperationCrashes({ every: 13 });
});
