import { ownerOf, ownerTag } from "@capstan/kit/owner";
import { infraClusterConformance, infraMachineConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { machineCloud, startAccount, subject } from "./account.ts";

const tools = { afterAll, beforeAll, describe, it };

infraMachineConformance(tools, { ...subject, start: machineCloud });

infraClusterConformance(tools, {
  ...subject,
  start: async (environment) => {
    const { simulator, ...cloud } = await startAccount(environment);
    return {
      ...cloud,
      resourcesOf: (_uid, object) =>
        simulator.account.balancers.filter(({ tag }) => tag === ownerTag(ownerOf(object))).length,
    };
  },
});
