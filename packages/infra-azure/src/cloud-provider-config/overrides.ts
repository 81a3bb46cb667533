import { presentFields } from "@capstan/kube-values";
import { plainNumber } from "../api/plain-number.ts";
import type { AzureCluster } from "../api/azure-cluster.v1beta1.ts";

type Overrides = NonNullable<NonNullable<AzureCluster["spec"]>["cloudProviderConfigOverrides"]>;
type RateLimit = NonNullable<Overrides["rateLimits"]>[number];

const limitOf = ({ config = {} }: RateLimit) =>
  presentFields({
    ...config,
    cloudProviderRateLimitQPS: plainNumber(config.cloudProviderRateLimitQPS),
    cloudProviderRateLimitQPSWrite: plainNumber(config.cloudProviderRateLimitQPSWrite),
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
        cloudProviderBackoffExponent: plainNumber(backOff.cloudProviderBackoffExponent),
        cloudProviderBackoffJitter: plainNumber(backOff.cloudProviderBackoffJitter),
      });

/** Returns the fields that an AzureCluster adds to the configuration of the cloud provider: rate limits and backoffs. */
export const cloudConfigOverrides = (overrides: Overrides | undefined): Readonly<Record<string, unknown>> => ({
  ...rateLimits(overrides?.rateLimits ?? []),
  ...backOffs(overrides?.backOffs),
});
