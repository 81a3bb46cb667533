import { describe } from "vitest";
import { testOperationCrashes } from "./operation-crashes.ts";

describe("a crash between any two calls", () => {
  testOperationCrashes({ every: 1 });
});
