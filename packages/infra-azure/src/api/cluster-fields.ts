import { boolean, enumOf, integer, list, map, object, objectReference, optional, quantity } from "@capstan/schema";
import { tags, word } from "./network-parts.ts";

const rateLimitNames = [
  "defaultRateLimit",
  "routeRateLimit",
  "subnetsRateLimit",
  "interfaceRateLimit",
  "routeTableRateLimit",
  "loadBalancerRateLimit",
  "publicIPAddressRateLimit",
  "securityGroupRateLimit",
  "virtualMachineRateLimit",
  "storageAccountRateLimit",
  "diskRateLimit",
  "snapshotRateLimit",
  "virtualMachineScaleSetRateLimit",
  "virtualMachineSizesRateLimit",
  "availabilitySetRateLimit",
] as const;

const rateLimit = () =>
  object(
    {
      name: enumOf(rateLimitNames, { description: "What is limited." }),
      config: optional(
        object(
          {
            cloudProviderRateLimit: optional(boolean({ description: "Whether there is a limit." })),
            cloudProviderRateLimitQPS: optional(quantity({ description: "Reads per second." })),
            cloudProviderRateLimitBucket: optional(integer({ description: "Reads at once." })),
            cloudProviderRateLimitQPSWrite: optional(quantity({ description: "Writes per second." })),
            cloudProviderRateLimitBucketWrite: optional(integer({ description: "Writes at once." })),
          },
          { description: "The limit." },
        ),
      ),
    },
    { description: "One limit." },
  );

const backOffs = () =>
  object(
    {
      cloudProviderBackoff: optional(boolean({ description: "Whether failed calls are repeated ever more slowly." })),
      cloudProviderBackoffRetries: optional(integer({ description: "How often." })),
      cloudProviderBackoffExponent: optional(quantity({ description: "By what the wait grows." })),
      cloudProviderBackoffDuration: optional(integer({ description: "The first wait in seconds." })),
      cloudProviderBackoffJitter: optional(quantity({ description: "Part of the wait that is random." })),
    },
    { description: "How failed calls are repeated." },
  );

/** Failure domains by name, as the v1beta1 contract has them. */
export const failureDomains = (description: string) =>
  map(
    object(
      {
        controlPlane: optional(boolean({ description: "Suited to control-plane machines." })),
        attributes: optional(map(word("One value."), { description: "Free attributes." })),
      },
      { description: "One failure domain." },
    ),
    { description },
  );

/** Fields that AzureClusters and their templates share. */
export const clusterFields = () => ({
  subscriptionID: optional(word("Subscription of the cluster; AZURE_SUBSCRIPTION_ID of the manager when unset.")),
  location: word("Region, for example westeurope."),
  identityRef: optional(objectReference({ description: "AzureClusterIdentity by which the cluster is managed." })),
  azureEnvironment: optional(word("AzurePublicCloud, AzureChinaCloud or AzureUSGovernmentCloud.")),
  additionalTags: optional(tags("Tags of everything that is made at Azure for the cluster.")),
  extendedLocation: optional(
    object(
      {
        name: word("Name of the edge zone."),
        type: enumOf(["EdgeZone"], { description: "Type of the location." }),
      },
      { description: "Edge zone of the cluster." },
    ),
  ),
  cloudProviderConfigOverrides: optional(
    object(
      {
        rateLimits: optional(list(rateLimit(), { description: "Limits of calls." })),
        backOffs: optional(backOffs()),
      },
      { description: "What the configuration of the cloud provider has beside the usual." },
    ),
  ),
  failureDomains: optional(failureDomains("Zones with controlPlane false are not for control-plane machines.")),
});
