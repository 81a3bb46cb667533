import type { AddressGuard, ProxyFor } from "@capstan/contract";
import {
  bootstrapTimeout,
  defaultObjectStore,
  objectStores,
  type ControllerV1,
  type ObjectStoreOpener,
  type ProviderV1,
} from "@capstan/contract/v1";
import { ClusterResource } from "@capstan/contract/wire";
import { markedReferences, type ReferencePolicy, referencePolicy } from "@capstan/kit/admission";
import { installWorkloadClusters } from "@capstan/kit/workload";
import { createClient, type Connection } from "@capstan/kube";
import { provideInstallation } from "../cluster/installation-epoch.ts";
import { localKeyPlace, readReferenceKey } from "../cluster/reference-key.ts";
import { createManager, type Manager, type ManagerSettings } from "@capstan/runtime";

/** True for a controller that watches Clusters, or does not declare what it watches. Others never need a workload cluster. */
export const mayFollowClusters = ({ permissions }: ControllerV1): boolean =>
  permissions === undefined ||
  permissions.own.some(({ group, resource }) => group === ClusterResource.group && resource === ClusterResource.plural);

/** The one way in which providers are put together: a manager with its services and every controller, not started yet. */
export const composeManager = (
  providers: readonly ProviderV1[],
  {
    stores,
    defaultStore,
    bootstrapTimeoutMs,
    proxyFor,
    guard,
    references,
    ...options
  }: ManagerSettings & {
    readonly connection: Connection;
    readonly stores: readonly ObjectStoreOpener[];
    /** The Secret of the store for clusters that name none. */
    readonly defaultStore?: { readonly namespace: string; readonly name: string } | undefined;
    /** Time limit for bootstrapping machines. Default: each provider's own. */
    readonly bootstrapTimeoutMs?: number | undefined;
    /** Which references into other namespaces are followed. Default: those that the embedded API server has admitted. */
    readonly references?: ReferencePolicy | undefined;
    /** The HTTP proxy on the way to workload clusters. Default: none. */
    readonly proxyFor?: ProxyFor | undefined;
    /** Watches over where kubeconfigs of workload clusters lead. Default: anywhere. */
    readonly guard?: AddressGuard | undefined;
  },
): Manager => {
  const manager = createManager({ component: "capstan", ...options });
  manager.provide(objectStores, stores);
  manager.provide(
    referencePolicy,
    references ?? markedReferences(readReferenceKey(createClient(options.connection), localKeyPlace), manager.clock),
  );
  provideInstallation(manager, createClient(options.connection));
  if (defaultStore !== undefined) manager.provide(defaultObjectStore, defaultStore);
  if (bootstrapTimeoutMs !== undefined) manager.provide(bootstrapTimeout, bootstrapTimeoutMs);
  const controllers = providers.flatMap(controllersOf);
  if (controllers.some(mayFollowClusters)) {
    installWorkloadClusters(manager, { guard, ...(proxyFor !== undefined && { proxyFor }) });
  }
  for (const controller of controllers) manager.add(controller);
  return manager;
};

/** The controllers that a provider adds to a manager. */
export const controllersOf = (provider: ProviderV1): readonly ControllerV1[] => {
  const controllers: ControllerV1[] = [];
  provider.register({ add: (controller) => controllers.push(controller) });
  return controllers;
};
