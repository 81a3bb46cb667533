import { expect, it } from "vitest";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { defaultedCluster } from "../cluster/cluster-defaults.ts";
import { clusterCauses } from "./cluster-causes.ts";

type Spec = NonNullable<AzureCluster["spec"]>;

const fieldsOf = (more: Partial<Spec>, azureEnvironment = "AzureStackCloud"): readonly (string | undefined)[] => {
  const spec = {
    location: "west",
    identityRef: { kind: "AzureClusterIdentity", name: "i" },
    azureEnvironment,
    ...more,
  };
  return clusterCauses(defaultedCluster("c", spec as Spec), {}).map(({ field }) => field);
};
const nodes = (more: object): Partial<Spec> => ({
  networkSpec: {
    subnets: [
      { name: "n", role: "node", ...more },
      { name: "c", role: "control-plane" },
    ],
  },
});

it("a cluster at Azure Stack needs nothing but its name: nodes leave by a load balancer, not by NAT gateways", () => {
  expect(fieldsOf({})).toEqual([]);
  const { networkSpec } = defaultedCluster("c", { location: "west", azureEnvironment: "AzureStackCloud" } as Spec);
  expect(networkSpec.subnets.map(({ natGateway }) => natGateway)).toEqual([undefined, undefined]);
  expect(networkSpec.nodeOutboundLB?.name).toBe("c");
});

it.each<[string, Partial<Spec>]>([
  ["spec.networkSpec.subnets[0].natGateway", nodes({ natGateway: { name: "g" } })],
  [
    "spec.networkSpec.subnets[0].serviceEndpoints",
    nodes({ serviceEndpoints: [{ service: "Microsoft.Storage", locations: ["*"] }] }),
  ],
  [
    "spec.networkSpec.subnets[0].privateEndpoints",
    nodes({ privateEndpoints: [{ name: "e", privateLinkServiceConnections: [{ privateLinkServiceID: "/x" }] }] }),
  ],
  [
    "spec.networkSpec.vnet.cidrBlocks",
    { networkSpec: { vnet: { name: "v", cidrBlocks: ["10.0.0.0/8", "fd00::/48"] } } },
  ],
  ["spec.networkSpec.apiServerLB.availabilityZones", { networkSpec: { apiServerLB: { availabilityZones: ["1"] } } }],
  ["spec.networkSpec.privateDNSZone", { networkSpec: { apiServerLB: { type: "Internal" } } }],
  ["spec.bastionSpec.azureBastion", { bastionSpec: { azureBastion: {} } } as Partial<Spec>],
])("%s is refused at Azure Stack alone", (field, more) => {
  expect(fieldsOf(more)).toContain(field);
  expect(fieldsOf(more, "AzurePublicCloud")).not.toContain(field);
});
