import type { Answer, SimulatedAzure } from "./simulation.ts";

const network = "resourceGroups/demo/providers/Microsoft.Network";

/** Path of a resource of the network in the group `demo`. */
export const at = (path: string): string => `${network}/${path}`;

/** ID of it. */
export const idOf = ({ simulator }: SimulatedAzure, path: string): string =>
  `/subscriptions/${simulator.subscriptionId}/${at(path)}`;

/** Body with a place. */
export const inEastUs = <P>(properties: P, more: object = {}) => ({ location: "eastus", ...more, properties });

const must = async (answer: Promise<Answer>): Promise<Answer> => {
  const { status, body, headers } = await answer;
  if (status >= 300) throw new Error(JSON.stringify(body));
  return { status, body, headers };
};

/** Without it no one on the internet reaches the API servers behind the load balancer. */
export const allowApiServer = {
  name: "allow_apiserver",
  properties: {
    priority: 2201,
    protocol: "Tcp",
    access: "Allow",
    direction: "Inbound",
    sourceAddressPrefix: "*",
    sourcePortRange: "*",
    destinationAddressPrefix: "*",
    destinationPortRange: "6443",
  },
};

/** Makes what a cluster has below its machines: `demo` with networks, groups, tables, addresses, a NAT gateway and a load balancer. */
export const makeNetwork = async (azure: SimulatedAzure): Promise<void> => {
  const id = (path: string) => ({ id: idOf(azure, path) });
  const put = (path: string, body: unknown) => must(azure.settle("PUT", at(path), { body }));
  await must(azure.call("PUT", "resourceGroups/demo", { body: { location: "eastus" } }));
  await put("virtualNetworks/demo-vnet", inEastUs({ addressSpace: { addressPrefixes: ["10.0.0.0/8"] } }));
  await put("networkSecurityGroups/demo-nsg", inEastUs({ securityRules: [allowApiServer] }));
  await put("routeTables/demo-routes", inEastUs({}));
  await put("publicIPAddresses/demo-natgw-ip", standardIp());
  await put("publicIPAddresses/demo-api", standardIp("demo-api"));
  const gateway = { publicIpAddresses: [id("publicIPAddresses/demo-natgw-ip")] };
  await put("natGateways/demo-natgw", inEastUs(gateway, { sku: { name: "Standard" } }));
  const parts = {
    networkSecurityGroup: id("networkSecurityGroups/demo-nsg"),
    routeTable: id("routeTables/demo-routes"),
  };
  const control = { addressPrefix: "10.0.0.0/16", ...parts };
  await put("virtualNetworks/demo-vnet/subnets/control", { properties: control });
  const nodes = { addressPrefixes: ["10.1.0.0/16"], natGateway: id("natGateways/demo-natgw"), ...parts };
  await put("virtualNetworks/demo-vnet/subnets/nodes", { properties: nodes });
  await put("loadBalancers/demo-lb", publicBalancer(azure));
};

/** Body of a public IP address. */
export const standardIp = (label?: string) =>
  inEastUs(
    {
      publicIPAllocationMethod: "Static",
      publicIPAddressVersion: "IPv4",
      ...(label === undefined
        ? {}
        : { dnsSettings: { domainNameLabel: label, fqdn: `${label}.eastus.cloudapp.azure.com` } }),
    },
    { sku: { name: "Standard" }, zones: ["1", "2", "3"] },
  );

/** Body of the load balancer before the API servers. */
export const publicBalancer = (azure: SimulatedAzure, { port = 6443, ruleName = "LBRuleHTTPS" } = {}) => {
  const own = (path: string) => ({ id: idOf(azure, `loadBalancers/demo-lb/${path}`) });
  const frontend = own("frontendIPConfigurations/front");
  const pool = own("backendAddressPools/back");
  return inEastUs(
    {
      frontendIPConfigurations: [
        { name: "front", properties: { publicIPAddress: { id: idOf(azure, "publicIPAddresses/demo-api") } } },
      ],
      backendAddressPools: [{ name: "back" }],
      loadBalancingRules: [
        {
          name: ruleName,
          properties: {
            disableOutboundSnat: true,
            protocol: "Tcp",
            frontendPort: port,
            backendPort: port,
            idleTimeoutInMinutes: 4,
            enableFloatingIP: false,
            loadDistribution: "Default",
            frontendIPConfiguration: frontend,
            backendAddressPool: pool,
            probe: own("probes/HTTPSProbe"),
          },
        },
      ],
      probes: [
        {
          name: "HTTPSProbe",
          properties: {
            protocol: "Https",
            port,
            requestPath: "/readyz",
            intervalInSeconds: 15,
            numberOfProbes: 4,
            probeThreshold: 1,
          },
        },
      ],
      outboundRules: [
        {
          name: "OutboundNATAllProtocols",
          properties: {
            protocol: "All",
            frontendIPConfigurations: [frontend],
            backendAddressPool: pool,
            idleTimeoutInMinutes: 4,
          },
        },
      ],
    },
    { sku: { name: "Standard" } },
  );
};

/** Body of a network card. */
export const networkCard = (azure: SimulatedAzure, subnet: "control" | "nodes", more: object = {}) =>
  inEastUs({
    ipConfigurations: [
      {
        name: "pipConfig",
        properties: {
          primary: true,
          privateIPAllocationMethod: "Dynamic",
          subnet: { id: idOf(azure, `virtualNetworks/demo-vnet/subnets/${subnet}`) },
          ...more,
        },
      },
    ],
    enableAcceleratedNetworking: true,
  });
