import { infraClusterConformance } from "@capstan/testing/conformance";
import type { SuiteTools } from "@capstan/testing/conformance";
import { AzureCluster, AzureMachine } from "../src/api.ts";
import { location, startCloud } from "./cloud.ts";
import { azureKinds } from "../src/azure-kinds.ts";

/** The suite of infrastructure clusters, on simulated Azure. */
export const testClusters = (tools: SuiteTools): void => {
  infraClusterConformance(tools, {
    kinds: azureKinds,
    clusterKind: AzureCluster,
    machineKind: AzureMachine,
    clusterSpec: { location },
    machineSpec: { vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux" } },
    start: async (environment) => {
      const cloud = await startCloud(environment);
      const { state } = cloud.simulator;
      return {
        ...cloud,
        clusterSpec: (namespace) => ({ location, resourceGroup: namespace }),
        // The group, a network, two security groups, a route table, two addresses, a gateway and a load balancer.
        wholeCount: 9,
        resourcesOf: (uid) =>
          [...state.groups, ...state.resources].filter(({ tags }) => tags?.["capstan-uid"] === uid).length,
      };
    },
  });
};
