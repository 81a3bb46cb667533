import {
  boolean,
  defaulted,
  duration,
  enumOf,
  immutable,
  int32,
  integer,
  list,
  object,
  objectReference,
  optional,
  secretReference,
  string,
  text,
} from "@capstan/schema";

const port = (description: string) => integer({ description, minimum: 1, maximum: 65_535 });

const network = () =>
  object(
    {
      loadBalancerType: defaulted(
        enumOf(["NodeBalancer", "dns", "external"], {
          description: "What spreads requests over the control plane machines; external: the user's own.",
        }),
        "NodeBalancer",
      ),
      dnsProvider: optional(
        enumOf(["linode", "akamai"], { description: "Who serves the DNS zone; linode when unset." }),
      ),
      dnsRootDomain: optional(string({ description: "DNS zone of the endpoint." })),
      dnsUniqueIdentifier: optional(string({ description: "Suffix of the endpoint's name before the zone." })),
      dnsTTLsec: optional(integer({ description: "Seconds DNS records may be cached; 30 when unset." })),
      dnsSubDomainOverride: optional(string({ description: "The endpoint's name before the zone." })),
      apiserverLoadBalancerPort: optional(port("Port of the endpoint; 6443 when unset.")),
      nodeBalancerID: optional(integer({ description: "Id of the NodeBalancer; set by the controller or the user." })),
      nodeBalancerFirewallID: optional(
        integer({
          description: "Id of the NodeBalancer's firewall; wins over nodeBalancerFirewallRef. 0 takes it away.",
        }),
      ),
      apiserverNodeBalancerConfigID: optional(
        integer({ description: "Id of the NodeBalancer's configuration for the endpoint's port." }),
      ),
      additionalPorts: optional(
        list(
          object(
            {
              port: port("Port at the NodeBalancer and at the machines."),
              nodeBalancerConfigID: optional(
                integer({ description: "Id of the NodeBalancer's configuration; set by the controller." }),
              ),
            },
            { description: "One port." },
          ),
          { description: "Further ports of the control plane machines to balance.", keys: ["port"] },
        ),
      ),
      subnetName: optional(string({ description: "Label of the VPC subnet to use; the first when unset." })),
      useVlan: optional(immutable(boolean({ description: "Connect the machines by a VLAN instead of a VPC." }))),
      nodeBalancerBackendIPv4Range: optional(
        string({ description: "Range of the VPC subnet the NodeBalancer uses towards the machines." }),
      ),
      enableVPCBackends: defaulted(
        immutable(boolean({ description: "The NodeBalancer reaches the machines through the VPC." })),
        false,
      ),
    },
    { description: "How the control plane is reached." },
  );

const objectStore = () =>
  object(
    {
      presignedURLDuration: optional(
        duration({ description: "How long the address of bootstrap data works; 15m when unset." }),
      ),
      credentialsRef: optional(
        secretReference({ description: "Secret with bucket, endpoint and keys of the object store." }),
      ),
      secondaryCredentialsRef: optional(
        secretReference({ description: "Secret of another object store, tried when the first does not answer." }),
      ),
    },
    { description: "Where bootstrap data goes that is too large for an instance's metadata." },
  );

/** The spec of a LinodeCluster, of its own or in a template. */
export const linodeClusterSpec = () =>
  object(
    {
      region: string({ description: "Region id, for example us-ord.", minLength: 1 }),
      controlPlaneEndpoint: optional(
        object(
          {
            host: optional(text(512, "Host name or address.")),
            port: optional(int32({ description: "Port.", minimum: 1, maximum: 65_535 })),
          },
          { description: "Where the API server is reached; set by the controller or the user.", minProperties: 1 },
        ),
      ),
      network: optional(network()),
      vpcRef: optional(immutable(objectReference({ description: "LinodeVPC of the cluster." }))),
      vpcID: optional(immutable(integer({ description: "Id of the VPC of the cluster; wins over vpcRef." }))),
      nodeBalancerFirewallRef: optional(
        immutable(objectReference({ description: "LinodeFirewall before the NodeBalancer." })),
      ),
      objectStore: optional(objectStore()),
      credentialsRef: optional(
        secretReference({
          description: "Secret with the keys apiToken and, for DNS, dnsToken; the controller's own token when unset.",
        }),
      ),
    },
    { description: "The cluster wanted." },
  );
