import { describe } from "vitest";
import { testCrashes, testFaults } from "./crash-scenarios.ts";

const timeout = 600_000;

describe("a crash between any two calls to the cloud", { timeout }, () => testCrashes({ every: 1 }));

describe("a fault at any call to the cloud", { timeout }, () => testFaults({ every: 1 }));
