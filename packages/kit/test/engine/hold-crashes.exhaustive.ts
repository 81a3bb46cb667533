import { describe } from "vitest";
import { testHoldCrashes } from "./hold-crashes.ts";

describe("a crash between any two calls", () => {
  testHoldCrashes({ every: 1 });
});
