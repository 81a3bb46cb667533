import { describe } from "vitest";
import { testCrashes, testFaults } from "./crash-scenarios.ts";

const timeout = 300_000;

// A sample; `npm run test:exhaustive` takes every call.
describe("a crash at some of the calls to the cloud", { timeout }, () => testCrashes({ every: 11 }));

describe("a fault at some of the calls to the cloud", { timeout }, () => testFaults({ every: 13 }));
