import type { ClusterParts } from "@capstan/kit/machine";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";
import { subscriptionOf } from "../identity/connect-cluster.ts";
import type { AzureProviderOptions } from "../options.ts";
import { defaultedCluster } from "./cluster-defaults.ts";
import { requiredSpec } from "./place.ts";

const name = /^[-\w.()]+$/;

/**
 * Returns the parts of an AzureCluster that the deletion of its machines needs: their place, the identity used, and the fields that names
 * are made of.
 */
export const recordedCluster =
  (options: AzureProviderOptions) =>
  (cluster: AzureCluster): ClusterParts => {
    const given = requiredSpec<NonNullable<AzureCluster["spec"]>>(cluster);
    const { extendedLocation, identityRef, location } = given;
    const { azureEnvironment, controlPlaneEnabled, networkSpec, resourceGroup } = defaultedCluster(
      cluster.metadata.name ?? "",
      given,
    );
    const { apiServerLB } = networkSpec;
    return {
      spec: {
        azureEnvironment,
        subscriptionID: subscriptionOf(cluster, options),
        resourceGroup,
        location,
        controlPlaneEnabled,
        ...(identityRef !== undefined && { identityRef }),
        ...(extendedLocation !== undefined && { extendedLocation }),
        ...(apiServerLB !== undefined && {
          networkSpec: { apiServerLB: { name: apiServerLB.name, type: apiServerLB.type } },
        }),
      },
      status: {
        failureDomains: Object.fromEntries(Object.keys(cluster.status?.failureDomains ?? {}).map((zone) => [zone, {}])),
      },
    };
  };

/** Returns whether what a record says can be names at Azure. Users can write it, and no webhook sees it. */
export const isSoundRecord = ({ spec }: AzureCluster): boolean => {
  const { networkSpec, resourceGroup, subscriptionID } = spec ?? {};
  const names: readonly unknown[] = [subscriptionID, resourceGroup, networkSpec?.apiServerLB?.name ?? "none"];
  return names.every((each) => typeof each === "string" && name.test(each) && !/^\.+$/.test(each));
};
