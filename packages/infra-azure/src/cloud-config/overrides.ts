import { parseQuantity, presentFields } from "@capstan/kube-values";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";

type Overrides = NonNullable<NonNullable<AzureCluster["spec"]>["cloudProviderConfigOverrides"]>;
type RateLimit = NonNullable<Overrides["rateLimits"]>[number];

/** Quantities of the spec, such as `1.5`, are plain numbers in the configuration. */
const numberOf = (quantity: string | number | undefined): number | undefined => {
  const parsed = quantity === undefined ? undefined : parseQuantity(String(quantity));
  return parsed === undefined ? undefined : Number(parsed.nanos) / 1e9;
};

const limitOf = ({ config = {} }: RateLimit) =>
  presentFields({
    ...config,
    cloudProviderRateLimitQPS: numberOf(config.cloudProviderRateLimitQPS),
    cloudProviderRateLimitQPSWrite: numberOf(config.cloudProviderRateLimitQPSWrite),
  });

/** Those of the default stand in the configuration itself, others under their name. */
const rateLimits = (limits: readonly RateLimit[]): Readonly<Record<string, unknown>> =>
  Object.assign(
    {},
    ...limits.map((limit) => (limit.name === "defaultRateLimit" ? limitOf(limit) : { [limit.name]: limitOf(limit) })),
  );

const backOffs = (backOff: Overrides["backOffs"]): Readonly<Record<string, unknown>> =>
  backOff === undefined
    ? {}
    : presentFields({
        ...backOff,
        cloudProviderBackoffExponent: numberOf(backOff.cloudProviderBackoffExponent),
        cloudProviderBackoffJitter: numberOf(backOff.cloudProviderBackoffJitter),
      });

/** What an AzureCluster has beside the usual in the configuration of the cloud provider. */
export const cloudConfigOverrides = (overrides: Overrides | undefined): Readonly<Record<string, unknown>> => ({
  ...rateLimits(overrides?.rateLimits ?? []),
  ...backOffs(overrides?.backOffs),
});
