import { forbidden, invalid } from "@capstan/kit/admission";
import type { Cause } from "@capstan/schema";
import { type DefaultedCluster, type DefaultedLoadBalancer, maxFrontends } from "../cluster/cluster-defaults.ts";
import type { Gates } from "../gates.ts";
import { beginsIn } from "./ranges.ts";

type Network = DefaultedCluster["networkSpec"];

const balancerName = /^[-\w._]+$/;

const commonCauses = (balancer: DefaultedLoadBalancer, path: string): readonly Cause[] => {
  const { frontendIPsCount = 1, idleTimeoutInMinutes: idle, name, sku, type } = balancer;
  return [
    ...(balancerName.test(name) ? [] : [invalid(`${path}.name`, name, "letters, digits, -, _ and . only")]),
    ...(sku === "Standard" ? [] : [invalid(`${path}.sku`, sku, "must be Standard")]),
    ...(type === "Public" || type === "Internal" ? [] : [invalid(`${path}.type`, type, "must be Public or Internal")]),
    ...(idle < 4 || idle > 30 ? [invalid(`${path}.idleTimeoutInMinutes`, idle, "must be from 4 to 30")] : []),
    ...(frontendIPsCount < 0 || frontendIPsCount > maxFrontends
      ? [invalid(`${path}.frontendIPsCount`, frontendIPsCount, `must be from 0 to ${maxFrontends}`)]
      : []),
  ];
};

/** Addresses of a load balancer have to be in the subnet of the control plane. */
const privateCauses = (
  { frontendIPs }: DefaultedLoadBalancer,
  { subnets }: Network,
  path: string,
): readonly Cause[] => {
  const own = subnets.filter(({ role }) => role === "control-plane");
  const ranges = (own.length > 0 ? own : subnets.filter(({ role }) => role === "cluster")).flatMap(
    ({ cidrBlocks }) => cidrBlocks,
  );
  return frontendIPs.flatMap(({ privateIP }, index) =>
    privateIP === undefined || beginsIn(`${privateIP}/${privateIP.includes(":") ? 128 : 32}`, ranges)
      ? []
      : [
          invalid(
            `${path}.frontendIPs[${index}].privateIP`,
            privateIP,
            `must be an address in the subnet of the control plane, ${ranges.join(" or ")}`,
          ),
        ],
  );
};

const publicCauses = (balancer: DefaultedLoadBalancer, path: string, { apiServerILB }: Gates): readonly Cause[] => {
  const { frontendIPs } = balancer;
  const outside = frontendIPs.filter(({ publicIP }) => publicIP !== undefined);
  const inside = frontendIPs.filter(({ publicIP }) => publicIP === undefined);
  const both = frontendIPs.findIndex(({ privateIP, publicIP }) => privateIP !== undefined && publicIP !== undefined);
  const at = frontendIPs.findIndex(({ privateIP }) => privateIP !== undefined);
  const gate = "only with the feature gate APIServerILB on a Public load balancer";
  return [
    ...(outside.length === 1 ? [] : [invalid(`${path}.frontendIPs`, frontendIPs.length, "one with a public address")]),
    ...(both < 0 ? [] : [forbidden(`${path}.frontendIPs[${both}].privateIP`, "requires its own frontend")]),
    ...(at >= 0 && apiServerILB !== true ? [forbidden(`${path}.frontendIPs[${at}].privateIP`, gate)] : []),
    ...(inside.length > 1 ? [invalid(`${path}.frontendIPs`, inside.length, "at most one with a private address")] : []),
  ];
};

const internalCauses = ({ frontendIPs }: DefaultedLoadBalancer, path: string): readonly Cause[] => {
  const isWhole = frontendIPs.length === 1 && frontendIPs[0]?.privateIP !== undefined;
  return [
    ...(isWhole ? [] : [invalid(`${path}.frontendIPs`, frontendIPs.length, "one with a private address")]),
    ...frontendIPs.flatMap(({ publicIP }, index) =>
      publicIP === undefined
        ? []
        : [forbidden(`${path}.frontendIPs[${index}].publicIP`, "not on an Internal load balancer")],
    ),
  ];
};

const apiServerCauses = (network: Network, path: string, gates: Gates): readonly Cause[] => {
  const { apiServerLB } = network;
  if (apiServerLB === undefined) return [];
  return [
    ...commonCauses(apiServerLB, path),
    ...(apiServerLB.type === "Internal" ? internalCauses(apiServerLB, path) : publicCauses(apiServerLB, path, gates)),
    ...privateCauses(apiServerLB, network, path),
  ];
};

const outboundCauses = (balancer: DefaultedLoadBalancer | undefined, path: string): readonly Cause[] =>
  balancer === undefined
    ? []
    : [
        ...commonCauses(balancer, path),
        ...(balancer.type === "Internal" ? [invalid(`${path}.type`, balancer.type, "must be Public")] : []),
      ];

/** Validates the load balancers of a cluster, and the additional ports of its API server. */
export const balancersCauses = (network: Network, path: string, gates: Gates): readonly Cause[] => {
  const { additionalAPIServerLBPorts: ports = [], apiServerLB, controlPlaneOutboundLB, nodeOutboundLB } = network;
  const isInternal = apiServerLB?.type === "Internal";
  const only = "only if spec.networkSpec.apiServerLB.type is Internal; a Public one provides outbound traffic";
  return [
    ...apiServerCauses(network, `${path}.apiServerLB`, gates),
    ...outboundCauses(nodeOutboundLB, `${path}.nodeOutboundLB`),
    ...outboundCauses(controlPlaneOutboundLB, `${path}.controlPlaneOutboundLB`),
    ...(controlPlaneOutboundLB !== undefined && !isInternal ? [forbidden(`${path}.controlPlaneOutboundLB`, only)] : []),
    ...ports.flatMap(({ port }, index) =>
      port >= 1 && port <= 65_535
        ? []
        : [invalid(`${path}.additionalAPIServerLBPorts[${index}].port`, port, "must be from 1 to 65535")],
    ),
  ];
};
