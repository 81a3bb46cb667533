import { ownerOf, ownerTag } from "@capstan/kit/engine";
import { infraClusterConformance, infraMachineConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { machineCloud, startAccount, subject } from "./account.ts";

// Of the calls between which a process can die, every twelfth; without `crashEvery` all of them.
const tools = { afterAll, beforeAll, describe, it, crashEvery: 12 };

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
