import { infraClusterConformance, infraMachineConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { createMetalProvider } from "../src/index.ts";
import { machineSubject } from "./subject.ts";

const tools = { afterAll, beforeAll, describe, it };

infraMachineConformance(tools, machineSubject);

infraClusterConformance(tools, {
  ...machineSubject,
  start: async () => ({
    provider: () => createMetalProvider(),
    // Nothing is made for a cluster.
    resourcesOf: () => 0,
    wholeCount: 0,
  }),
});
