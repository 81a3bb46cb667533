import { boolean, defaulted, enumOf, int32, list, map, object, optional, string } from "@capstan/schema";

/** A text without limits of its own. */
export const word = (description: string) => string({ description });

/** A list of texts. */
export const words = (description: string) => list(word("One of them."), { description });

/** Tags of a resource at Azure. */
export const tags = (description: string) => map(word("Value of one tag."), { description });

/** A public IP address. */
export const publicIP = (description: string) =>
  object(
    {
      name: word("Name of the address at Azure."),
      dnsName: optional(word("Its DNS name.")),
      ipTags: optional(
        list(
          object(
            { type: word("Type of the tag, for example FirstPartyUsage."), tag: word("Its value.") },
            { description: "One tag." },
          ),
          { description: "Tags by which Azure chooses the address." },
        ),
      ),
    },
    { description },
  );

/** The rules of a network security group. */
export const securityRules = () =>
  list(
    object(
      {
        name: word("Name of the rule."),
        description: word("What it is for; at most 140 characters."),
        protocol: enumOf(["Tcp", "Udp", "Icmp", "*"], { description: "Protocol it is about." }),
        direction: enumOf(["Inbound", "Outbound"], { description: "Direction of the traffic." }),
        priority: optional(int32({ description: "Lower ones come first; 100 to 4096." })),
        sourcePorts: optional(word("Port, range of ports or *.")),
        destinationPorts: optional(word("Port, range of ports or *.")),
        source: optional(word("Address range, service tag or *.")),
        sources: optional(words("Several sources, instead of source.")),
        destination: optional(word("Address range, service tag or *.")),
        action: defaulted(enumOf(["Allow", "Deny"], { description: "What happens to the traffic." }), "Allow"),
      },
      { description: "One rule." },
    ),
    { description: "Its rules.", keys: ["name"] },
  );

/** Services of Azure that a subnet reaches directly. */
export const serviceEndpoints = () =>
  list(
    object(
      { service: word("Service of Azure, for example Microsoft.Storage."), locations: words("Regions, or *.") },
      { description: "One service." },
    ),
    { description: "Services of Azure that are reached without leaving its network.", keys: ["service"] },
  );

const privateLinkConnections = () =>
  list(
    object(
      {
        name: optional(word("Name of the connection.")),
        privateLinkServiceID: optional(word("Resource ID of what is connected.")),
        groupIDs: optional(words("Parts of it that are connected.")),
        requestMessage: optional(string({ description: "What its owner reads.", maxLength: 140 })),
      },
      { description: "One connection." },
    ),
    { description: "What it connects." },
  );

/** Private endpoints of a subnet. */
export const privateEndpoints = () =>
  list(
    object(
      {
        name: word("Name of the private endpoint."),
        location: optional(word("Its region; the cluster's when unset.")),
        privateLinkServiceConnections: optional(privateLinkConnections()),
        customNetworkInterfaceName: optional(word("Name of its network interface.")),
        privateIPAddresses: optional(words("Addresses in the subnet.")),
        applicationSecurityGroups: optional(words("Resource IDs of application security groups.")),
        manualApproval: optional(boolean({ description: "Whether the owner of the service approves it." })),
      },
      { description: "One private endpoint." },
    ),
    { description: "Private endpoints in the subnet.", keys: ["name"] },
  );

/** Whose machines a subnet is for. */
export const subnetRole = () =>
  enumOf(["node", "control-plane", "bastion", "cluster"], {
    description: "Whose machines are in it; cluster: those of the control plane and all others.",
  });

const peeringProperties = (description: string) =>
  object(
    {
      allowForwardedTraffic: optional(boolean({ description: "Traffic that others forward may pass." })),
      allowGatewayTransit: optional(boolean({ description: "The other network may use the gateways of this one." })),
      allowVirtualNetworkAccess: optional(boolean({ description: "Machines of both networks reach each other." })),
      useRemoteGateways: optional(boolean({ description: "The gateways of the other network are used." })),
    },
    { description },
  );

/** Other networks that a cluster's network is connected with. */
export const peerings = () =>
  list(
    object(
      {
        resourceGroup: optional(word("Resource group of the other network; the cluster's when unset.")),
        remoteVnetName: word("Name of the other network."),
        forwardPeeringProperties: optional(peeringProperties("How this network is connected with the other one.")),
        reversePeeringProperties: optional(peeringProperties("How the other network is connected with this one.")),
      },
      { description: "One peering." },
    ),
    { description: "Other networks that this one is connected with." },
  );

/** Further ports of the API server's load balancer. */
export const additionalPorts = () =>
  list(
    object(
      {
        name: word("Name of the rule of the load balancer."),
        port: int32({ description: "Port, at the load balancer and at the machines." }),
      },
      { description: "One port." },
    ),
    { description: "Further ports that the load balancer of the API server passes on." },
  );
