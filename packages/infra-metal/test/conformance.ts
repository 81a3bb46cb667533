import { infraClusterConformance, infraMachineConformance } from "@capstan/testing/conformance";
import type { SuiteTools } from "@capstan/testing/conformance";
import { createMetalProvider } from "../src/index.ts";
import { machineSubject } from "./subject.ts";

/** The suites, on Hardware of Tinkerbell. */
export const testTinkerbell = (tools: SuiteTools): void => {
  infraMachineConformance(tools, {
    ...machineSubject,
    skip: {
      "ends, and leaves nothing, when the namespace is deleted":
        "the machine is switched off by a Job, which cannot be made in a namespace that is being deleted",
    },
  });

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
