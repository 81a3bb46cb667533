import { basename } from "node:path";
import { ClusterResource, MachineResource } from "@capstan/contract/wire";
import { describe, expect, it } from "vitest";
import { startAzureSystem } from "./azure-system.ts";
import { generated, installAddons, upstreamTemplates } from "./upstream-templates.ts";

const key = { namespace: "default", name: "orchid" };
const templates = upstreamTemplates("azure").map((path) => ({ file: basename(path), path }));

describe.skipIf(templates.length === 0)("upstream's templates for Azure", () => {
  it.each(templates)(
    "$file waits for its add-ons, comes up whole once its user applies them, and deletes to nothing",
    { timeout: 240_000 },
    async ({ path }) => {
      await using system = await startAzureSystem("");
      const { principals, requests, state, subscriptionId, tenantId } = system.simulator;
      const text = await generated(path, {
        version: "v1.34.0",
        variables: {
          AZURE_LOCATION: "westeurope",
          AZURE_SUBSCRIPTION_ID: subscriptionId,
          AZURE_TENANT_ID: tenantId,
          AZURE_CLIENT_ID_USER_ASSIGNED_IDENTITY: principals[0]?.clientId ?? "",
          AZURE_CONTROL_PLANE_MACHINE_TYPE: "Standard_D2s_v3",
          AZURE_NODE_MACHINE_TYPE: "Standard_D2s_v3",
          CLUSTER_IDENTITY_NAME: "identity",
          CONTROL_PLANE_MACHINE_COUNT: "3",
        },
      });
      await system.apply(text);
      // Upstream brings the cloud controllers and the network by HelmChartProxies: without the first no one says which Node is whose machine.
      await system.untilReason("check that the cloud controller manager runs in the workload cluster");
      await installAddons(system, ["azureController", "azureNodes"]);
      // Without the second no Node is ready, and no further machine of the control plane joins.
      await system.untilReason("cni plugin not initialized");
      await installAddons(system, ["calico"]);
      await system.untilRunning();
      const { client } = system.running;
      expect((await client.list(MachineResource)).items).toHaveLength(5);
      expect(requests.violations).toEqual([]);

      await client.delete(ClusterResource, key);
      await system.until(async () => (await client.find(ClusterResource, key)) === undefined);
      expect([state.groups.map(({ name }) => name), state.resources.map(({ id }) => id)]).toEqual([
        ["capz-ci"],
        system.foreign,
      ]);
    },
  );
});
