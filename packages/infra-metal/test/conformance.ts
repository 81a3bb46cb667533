import { infraClusterConformance, infraMachineConformance } from "@capstan/testing/conformance";
import type { SuiteTools } from "@capstan/testing/conformance";
import { createMetalProvider } from "../src/index.ts";
import { machineSubject } from "./subject.ts";

/** The suites, on Hardware of Tinkerbell. */
export const testTinkerbell = (tools: SuiteTools): void => {
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
};
