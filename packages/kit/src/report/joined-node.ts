import { machine as machineFields } from "@capstan/contract/wire";
import type { KubeObject } from "@capstan/schema";
import type { ReportChannel } from "./bootstrap-report.ts";

/** The Node: where no one asks inside the server, bootstrapping has succeeded when its Node has joined. Every infrastructure has it. */
export const joinedNode = (): ReportChannel<{ readonly machine: KubeObject }> => ({
  name: "node",
  silence: (wait) => `the Node has not joined within ${wait}`,
  read: async ({ machine }) => (machineFields.nodeName.get(machine) === undefined ? undefined : { state: "succeeded" }),
});
