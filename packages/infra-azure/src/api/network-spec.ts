import { enumOf, int32, list, object, optional, string } from "@capstan/schema";
import {
  additionalPorts,
  peerings,
  privateEndpoints,
  publicIP,
  securityRules,
  serviceEndpoints,
  subnetRole,
  tags,
  word,
  words,
} from "./network-parts.ts";

const resourceID = () => optional(word("Its resource ID; set by the controller."));

const securityGroup = () =>
  object(
    {
      name: word("Name of the network security group."),
      id: resourceID(),
      securityRules: optional(securityRules()),
      tags: optional(tags("Its tags at Azure; set by the controller.")),
    },
    { description: "Network security group of the subnet." },
  );

const natGateway = () =>
  object(
    {
      name: word("Name of the NAT gateway."),
      id: resourceID(),
      ip: optional(publicIP("Address from which its traffic comes.")),
      zones: optional(words("Zone it is in.")),
    },
    { description: "NAT gateway for traffic that leaves the subnet." },
  );

/** A subnet of a cluster. */
export const subnet = (description: string) =>
  object(
    {
      name: word("Name of the subnet."),
      role: subnetRole(),
      cidrBlocks: optional(words("Its address ranges.")),
      id: resourceID(),
      securityGroup: optional(securityGroup()),
      routeTable: optional(
        object({ name: word("Name of the route table."), id: resourceID() }, { description: "Its route table." }),
      ),
      natGateway: optional(natGateway()),
      serviceEndpoints: optional(serviceEndpoints()),
      privateEndpoints: optional(privateEndpoints()),
    },
    { description },
  );

const loadBalancer = (description: string) =>
  object(
    {
      id: resourceID(),
      name: optional(word("Name of the load balancer.")),
      type: optional(word("Public or Internal.")),
      sku: optional(word("Standard.")),
      frontendIPs: optional(
        list(
          object(
            {
              name: string({ description: "Name of the frontend.", minLength: 1 }),
              publicIP: optional(publicIP("Its public address.")),
              privateIP: optional(word("Its address in the subnet of the control plane.")),
            },
            { description: "One frontend." },
          ),
          { description: "Addresses of the load balancer." },
        ),
      ),
      frontendIPsCount: optional(int32({ description: "Number of frontends of an outbound load balancer." })),
      idleTimeoutInMinutes: optional(int32({ description: "Minutes after which idle connections end; 4 to 30." })),
      backendPool: optional(
        object({ name: optional(word("Name of the pool.")) }, { description: "Machines behind the load balancer." }),
      ),
      availabilityZones: optional(
        list(string({ description: "One zone.", pattern: "^[1-3]$" }), {
          description: "Zones of its frontends.",
          type: "set",
          maxItems: 3,
        }),
      ),
    },
    { description },
  );

const vnet = () =>
  object(
    {
      resourceGroup: optional(word("Its resource group; the cluster's when unset.")),
      id: resourceID(),
      name: word("Name of the virtual network."),
      cidrBlocks: optional(words("Its address ranges.")),
      tags: optional(tags("Its tags at Azure; set by the controller.")),
      peerings: optional(peerings()),
    },
    { description: "Virtual network of the cluster; one that exists and is not the cluster's own is used as it is." },
  );

/** `spec.networkSpec` of an AzureCluster. */
export const networkSpec = () =>
  object(
    {
      vnet: optional(vnet()),
      subnets: optional(list(subnet("One subnet."), { description: "Subnets of the cluster.", keys: ["name"] })),
      apiServerLB: optional(loadBalancer("Load balancer of the API server.")),
      nodeOutboundLB: optional(loadBalancer("Load balancer for traffic that leaves the nodes.")),
      controlPlaneOutboundLB: optional(
        loadBalancer(
          "Load balancer for traffic that leaves the control plane, where that of the API server is internal.",
        ),
      ),
      additionalAPIServerLBPorts: optional(additionalPorts()),
      privateDNSZone: optional(
        enumOf(["System", "None"], { description: "Whether a private DNS zone is made for an internal API server." }),
      ),
      privateDNSZoneName: optional(word("Name of the private DNS zone.")),
      privateDNSZoneResourceGroup: optional(word("Resource group of the private DNS zone.")),
    },
    { description: "Network of the cluster." },
  );
