import { identities } from "./authorization/identities.ts";
import { lockRoutes } from "./authorization/locks.ts";
import { authorizationRoutes } from "./authorization/role-assignments.ts";
import type { Route } from "@capstan/simulation";
import { availabilitySets } from "./compute/availability-sets.ts";
import { disks } from "./compute/disks.ts";
import { instanceParts, instances } from "./compute/scale-sets/instance-kinds.ts";
import { instanceRoutes } from "./compute/scale-sets/instance-routes.ts";
import { scaleSetRoutes } from "./compute/scale-sets/scale-set-routes.ts";
import { scaleSets } from "./compute/scale-sets/scale-sets.ts";
import { skuRoutes } from "./compute/skus.ts";
import { virtualMachines } from "./compute/virtual-machines.ts";
import { vmActionRoutes } from "./compute/vm-actions.ts";
import { vmExtensions } from "./compute/vm-extensions.ts";
import { bastionHosts } from "./network/bastion-hosts.ts";
import { loadBalancers } from "./network/load-balancers.ts";
import { natGateways } from "./network/nat-gateways.ts";
import { networkInterfaces } from "./network/network-interfaces.ts";
import { applicationSecurityGroups, privateEndpoints } from "./network/private-endpoints.ts";
import { privateDnsLinks, privateDnsZones, recordRoutes } from "./network/private-dns.ts";
import { publicIps } from "./network/public-ips.ts";
import { routeTables } from "./network/route-tables.ts";
import { securityGroups } from "./network/security-groups.ts";
import { virtualNetworks } from "./network/virtual-networks.ts";
import { operationRoutes } from "./operations/operation-routes.ts";
import { groupRoutes } from "./resources/groups.ts";
import { inventoryRoutes } from "./inventory.ts";
import type { ResourceKind } from "./resources/resource-kind.ts";
import { resourceRoutes } from "./resources/resource-routes.ts";
import { subscriptionRoutes } from "./resources/subscriptions.ts";
import { tagRoutes } from "./resources/tags.ts";
import type { World } from "./world.ts";

/** Types of resources that requests write. */
const outerKinds: readonly ResourceKind[] = [
  virtualNetworks,
  securityGroups,
  routeTables,
  publicIps,
  natGateways,
  loadBalancers,
  networkInterfaces,
  bastionHosts,
  privateEndpoints,
  applicationSecurityGroups,
  privateDnsZones,
  privateDnsLinks,
  // These have properties that have to be there.
  virtualMachines as unknown as ResourceKind,
  vmExtensions as unknown as ResourceKind,
  disks,
  availabilitySets,
  scaleSets,
  identities,
];

/** Kinds that cannot be written at addresses of their own: they are created and deleted with the resource that contains them. */
const innerKinds: readonly ResourceKind[] = [instances as unknown as ResourceKind, ...instanceParts];

/** All types of resources. */
export const kinds: readonly ResourceKind[] = [...outerKinds, ...innerKinds];

/** Everything that the resource manager answers. */
export const routes: readonly Route<World>[] = [
  ...subscriptionRoutes,
  ...groupRoutes,
  ...operationRoutes,
  ...tagRoutes,
  ...lockRoutes,
  ...authorizationRoutes,
  ...skuRoutes,
  ...vmActionRoutes,
  ...recordRoutes,
  ...scaleSetRoutes,
  ...instanceRoutes,
  ...inventoryRoutes(outerKinds),
  ...outerKinds.flatMap((kind) => resourceRoutes(kind)),
];
