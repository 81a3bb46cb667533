import { boolean, defaulted, enumOf, int32, object, optional, string } from "@capstan/schema";
import { clusterFields } from "./cluster-fields.ts";
import { publicIP, word } from "./network-parts.ts";
import { networkSpec, subnet } from "./network-spec.ts";

const azureBastion = () =>
  object(
    {
      name: optional(word("Name of the bastion host.")),
      subnet: optional(subnet("Its subnet.")),
      publicIP: optional(publicIP("Its address.")),
      sku: defaulted(enumOf(["Basic", "Standard"], { description: "What it can do." }), "Basic"),
      enableTunneling: defaulted(boolean({ description: "Native clients may use it; Standard only." }), false),
    },
    { description: "A bastion host of Azure." },
  );

/** The spec of an AzureCluster. */
export const azureClusterSpec = () =>
  object(
    {
      ...clusterFields(),
      resourceGroup: optional(word("Resource group of the cluster; its name when unset.")),
      networkSpec: optional(networkSpec()),
      bastionSpec: optional(
        object({ azureBastion: optional(azureBastion()) }, { description: "A way into the network for people." }),
      ),
      controlPlaneEnabled: defaulted(
        boolean({ description: "False: the control plane is somewhere else, and no load balancer is made for it." }),
        true,
      ),
      controlPlaneEndpoint: optional(
        object(
          {
            host: optional(string({ description: "Host name or address.", maxLength: 512 })),
            port: optional(int32({ description: "Port." })),
          },
          { description: "Where the API server is reached; set by the controller or the user." },
        ),
      ),
    },
    { description: "Infrastructure of the cluster." },
  );
