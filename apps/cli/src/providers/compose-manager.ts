import type { Clock, ProxyFor } from "@capstan/contract";
import { objectStores, type ControllerV1, type ProviderV1 } from "@capstan/contract/v1";
import { installWorkloadClusters } from "@capstan/kit/workload";
import type { Connection } from "@capstan/kube";
import { s3ObjectStores } from "@capstan/object-store-s3";
import { createManager, type Manager, type ManagerSettings } from "@capstan/runtime";

/** The one way in which providers are put together: a manager with its services and every controller, not started yet. */
export const composeManager = (
  providers: readonly ProviderV1[],
  {
    proxyFor,
    ...options
  }: ManagerSettings & {
    readonly connection: Connection;
    readonly clock: Clock;
    /** The HTTP proxy on the way to object stores and workload clusters. Default: none. */
    readonly proxyFor?: ProxyFor | undefined;
  },
): Manager => {
  const outside = proxyFor === undefined ? {} : { proxyFor };
  const manager = createManager({ component: "capstan", ...options });
  manager.provide(objectStores, [s3ObjectStores({ clock: options.clock, ...outside })]);
  installWorkloadClusters(manager, outside);
  for (const provider of providers) provider.register(manager);
  return manager;
};

/** The controllers that a provider adds to a manager. */
export const controllersOf = (provider: ProviderV1): readonly ControllerV1[] => {
  const controllers: ControllerV1[] = [];
  provider.register({ add: (controller) => controllers.push(controller) });
  return controllers;
};
