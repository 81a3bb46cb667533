import { int32, list, object, optional } from "@capstan/schema";
import { clusterFields } from "./cluster-fields.ts";
import {
  additionalPorts,
  peerings,
  privateEndpoints,
  securityRules,
  serviceEndpoints,
  subnetRole,
  tags,
  word,
  words,
} from "./network-parts.ts";

/** A subnet of a template: without what can be only of one cluster. */
const subnet = (description: string) =>
  object(
    {
      name: word("Name of the subnet."),
      role: subnetRole(),
      cidrBlocks: optional(words("Its address ranges.")),
      securityGroup: optional(
        object(
          { securityRules: optional(securityRules()), tags: optional(tags("Its tags at Azure.")) },
          { description: "Network security group of the subnet." },
        ),
      ),
      natGateway: optional(
        object({ name: word("Name of the NAT gateway.") }, { description: "NAT gateway of the subnet." }),
      ),
      serviceEndpoints: optional(serviceEndpoints()),
      privateEndpoints: optional(privateEndpoints()),
    },
    { description },
  );

const loadBalancer = (description: string) =>
  object(
    {
      type: optional(word("Public or Internal.")),
      sku: optional(word("Standard.")),
      idleTimeoutInMinutes: optional(int32({ description: "Minutes after which idle connections end; 4 to 30." })),
    },
    { description },
  );

const network = () =>
  object(
    {
      vnet: optional(
        object(
          {
            cidrBlocks: optional(words("Its address ranges.")),
            tags: optional(tags("Its tags at Azure.")),
            peerings: optional(peerings()),
          },
          { description: "Virtual network of the cluster." },
        ),
      ),
      subnets: optional(list(subnet("One subnet."), { description: "Subnets of the cluster.", keys: ["name"] })),
      apiServerLB: optional(loadBalancer("Load balancer of the API server.")),
      nodeOutboundLB: optional(loadBalancer("Load balancer for traffic that leaves the nodes.")),
      controlPlaneOutboundLB: optional(loadBalancer("Load balancer for traffic that leaves the control plane.")),
      additionalAPIServerLBPorts: optional(additionalPorts()),
      privateDNSZoneName: optional(word("Name of the private DNS zone.")),
      privateDNSZoneResourceGroup: optional(word("Resource group of the private DNS zone.")),
    },
    { description: "Network of the cluster." },
  );

/** The spec of AzureClusters that are made from a template. */
export const azureClusterTemplateSpec = () =>
  object(
    {
      ...clusterFields(),
      networkSpec: optional(network()),
      bastionSpec: optional(
        object(
          {
            azureBastion: optional(
              object({ subnet: optional(subnet("Its subnet.")) }, { description: "A bastion host of Azure." }),
            ),
          },
          { description: "A way into the network for people." },
        ),
      ),
    },
    { description: "Infrastructure of the clusters." },
  );
