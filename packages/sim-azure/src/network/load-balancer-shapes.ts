import { boolean, integer, list, object, open, type Shape, text } from "@capstan/simulation";
import { partOf, ref, refs, zones } from "../resources/shapes.ts";
import { readOnly } from "../resources/writable.ts";

const port: Shape = { type: "integer", min: 0, max: 65_535 };
const idle: Shape = { type: "integer", min: 4, max: 100 };
const protocol = text({ enum: ["Tcp", "Udp", "All"] });

const frontend = object({
  privateIPAddress: text(),
  privateIPAllocationMethod: text({ enum: ["Static", "Dynamic"] }),
  privateIPAddressVersion: text({ enum: ["IPv4", "IPv6"] }),
  subnet: ref,
  publicIPAddress: ref,
  publicIPPrefix: ref,
  gatewayLoadBalancer: ref,
  inboundNatRules: readOnly,
  inboundNatPools: readOnly,
  outboundRules: readOnly,
  loadBalancingRules: readOnly,
  provisioningState: readOnly,
});

/** Allowed properties of a backend address pool. Machines join it through their network cards. */
export const backendPool = object({
  drainPeriodInSeconds: integer,
  virtualNetwork: ref,
  location: text(),
  syncMode: text(),
  loadBalancerBackendAddresses: list(partOf(open(object({ ipAddress: text(), subnet: ref, virtualNetwork: ref })))),
  tunnelInterfaces: readOnly,
  backendIPConfigurations: readOnly,
  loadBalancingRules: readOnly,
  outboundRule: readOnly,
  outboundRules: readOnly,
  inboundNatRules: readOnly,
  provisioningState: readOnly,
});

/** Allowed properties of a NAT rule, which forwards one port to one machine. */
export const natRule = object({
  frontendIPConfiguration: ref,
  protocol,
  frontendPort: port,
  backendPort: port,
  idleTimeoutInMinutes: idle,
  enableFloatingIP: boolean,
  enableTcpReset: boolean,
  frontendPortRangeStart: port,
  frontendPortRangeEnd: port,
  backendAddressPool: ref,
  backendIPConfiguration: readOnly,
  allowBackendPortConflict: boolean,
  enableDestinationServiceEndpoint: boolean,
  provisioningState: readOnly,
});

const rule = object(
  {
    frontendIPConfiguration: ref,
    backendAddressPool: ref,
    backendAddressPools: refs,
    probe: ref,
    protocol,
    loadDistribution: text({ enum: ["Default", "SourceIP", "SourceIPProtocol"] }),
    frontendPort: port,
    backendPort: port,
    idleTimeoutInMinutes: idle,
    enableFloatingIP: boolean,
    enableTcpReset: boolean,
    disableOutboundSnat: boolean,
    enableConnectionTracking: boolean,
    provisioningState: readOnly,
  },
  ["protocol", "frontendPort"],
);

const probe = object(
  {
    protocol: text({ enum: ["Http", "Tcp", "Https"] }),
    port: { type: "integer", min: 1, max: 65_535 },
    intervalInSeconds: { type: "integer", min: 5 },
    numberOfProbes: integer,
    probeThreshold: integer,
    requestPath: text({ nullable: true }),
    noHealthyBackendsBehavior: text(),
    loadBalancingRules: readOnly,
    provisioningState: readOnly,
  },
  ["protocol", "port"],
);

const outboundRule = object(
  {
    allocatedOutboundPorts: integer,
    frontendIPConfigurations: refs,
    backendAddressPool: ref,
    protocol,
    enableTcpReset: boolean,
    idleTimeoutInMinutes: idle,
    provisioningState: readOnly,
  },
  ["backendAddressPool", "frontendIPConfigurations", "protocol"],
);

/** Allowed properties of a load balancer. */
export const loadBalancerProperties = object({
  frontendIPConfigurations: list(partOf(frontend, { zones })),
  backendAddressPools: list(partOf(backendPool)),
  loadBalancingRules: list(partOf(rule)),
  probes: list(partOf(probe)),
  inboundNatRules: list(partOf(natRule)),
  inboundNatPools: list(partOf(natRule)),
  outboundRules: list(partOf(outboundRule)),
  scope: text(),
  resourceGuid: readOnly,
  provisioningState: readOnly,
});
