import { describe } from "vitest";
import { testCrashes, testFaults } from "./crash-scenarios.ts";

// A sample; `npm run test:exhaustive` takes every call.
describe("a crash at some of the calls to the cloud", () => testCrashes({ every: 11 }));

describe("a fault at some of the calls to the cloud", () => testFaults({ every: 13 }));
