import type { Clock } from "@capstan/contract";
import type { RatePass, RateRule } from "@capstan/kit";
import { RateGate } from "@capstan/kit";
import { azureError } from "./arm-error.ts";
import type { ArmHeaders } from "./arm-transport.ts";

/** Kinds of calls that Azure counts separately. */
export type RateKind = "reads" | "writes" | "deletes";

/** A call as it is counted: by its kind, and within that by the provider that serves it. */
export interface CountedCall {
  readonly kind: RateKind;
  /** For example `microsoft.compute`. */
  readonly namespace: string | undefined;
  /** The resource that the provider counts it for, in small letters; parts of a resource are counted for the whole. */
  readonly resource: string | undefined;
}

/** Calls that are left to those who share the budget with us. */
const reserve = 2;
/** The limits of a resource provider are windows of minutes. */
const providerRefillMs = 10_000;

const kindOf = (method: string): RateKind => {
  if (method === "GET" || method === "HEAD") return "reads";
  return method === "DELETE" ? "deletes" : "writes";
};

/**
 * Matches the resource that a call is counted for. A path below `locations`, such as that of an operation, is a resource of its own, and so
 * is a machine of a scale set.
 */
const resourcePath = /^.*\/providers\/([^/]+)(?:\/locations\/.+|\/[^/]+\/[^/]+(?:\/virtualmachines\/[^/]+)?)?/;

/** Returns the kind, provider and resource that Azure counts a call for. */
export const countedCall = (method: string, path: string): CountedCall => {
  const [resource, namespace] = resourcePath.exec(path.toLowerCase()) ?? [];
  return {
    kind: kindOf(method),
    namespace,
    resource: resource?.endsWith(`/${namespace}`) === true ? undefined : resource,
  };
};

const numbersIn = (values: readonly (string | undefined)[]): number | undefined => {
  const numbers = values.flatMap((value) => (value !== undefined && /^\d+$/.test(value) ? [Number(value)] : []));
  return numbers.length === 0 ? undefined : Math.min(...numbers);
};

const remainingOfSubscription = (headers: ArmHeaders, kind: RateKind): number | undefined =>
  numbersIn(
    ["subscription", "subscription-global"].map(
      (scope) => [headers[`x-ms-ratelimit-remaining-${scope}-${kind}`]].flat()[0],
    ),
  );

/** `Microsoft.Compute/PutVM3Min;237,Microsoft.Compute/PutVM30Min;1197`: of the policies that the call fell under. */
const providerPolicies = "x-ms-ratelimit-remaining-resource";

/**
 * Returns the number of calls left under the policies of the whole resource provider, and under those of one resource, whose names end in
 * `Resource`.
 */
const remainingOfProvider = (headers: ArmHeaders): { readonly whole?: number; readonly resource?: number } => {
  const policies = [headers[providerPolicies]].flat().join(",").split(",");
  const left = (ofResource: boolean): number | undefined =>
    numbersIn(
      policies
        .map((policy) => policy.split(";"))
        .filter(([name = ""]) => name.trim().endsWith("Resource") === ofResource)
        .map(([, count]) => count?.trim()),
    );
  const [whole, resource] = [left(false), left(true)];
  return { ...(whole !== undefined && { whole }), ...(resource !== undefined && { resource }) };
};

const ofProvider = ({ kind, namespace }: CountedCall): string =>
  namespace === undefined ? kind : `${kind} of ${namespace}`;

const ofResource = (call: CountedCall): string =>
  call.resource === undefined ? ofProvider(call) : `${call.kind} of ${call.resource}`;

/** Buckets of a subscription and principal, as Azure documents them. Answers tell where they are others. */
const rules = {
  reads: { burst: 250, perSecond: 25 },
  writes: { burst: 200, perSecond: 10 },
  deletes: { burst: 200, perSecond: 10 },
} as const satisfies Readonly<Record<RateKind, RateRule>>;

/** The gate of one subscription and principal, as Azure counts. */
export const armGate = (clock: Clock): RateGate =>
  new RateGate({
    clock,
    rules,
    refusal: (counted, ms) => {
      const message = `the subscription's rate limit for ${counted} is reached; retrying in ${Math.ceil(ms / 1000)} s`;
      return azureError("rateLimited", message, { retry: { kind: "after", ms } });
    },
  });

/** The names that a call is counted under. */
export const countsOf = (call: CountedCall): readonly string[] => [
  ...new Set([call.kind, ofProvider(call), ofResource(call)]),
];

/** Returns the number of calls that an answer says are left, and the calls to hold back because few are. */
export const saidOf = (call: CountedCall, headers: ArmHeaders): Parameters<RatePass["answered"]>[0] => {
  const remaining = remainingOfSubscription(headers, call.kind);
  const { resource = Infinity, whole = Infinity } = remainingOfProvider(headers);
  return {
    left: { ...(remaining !== undefined && { [call.kind]: { remaining } }) },
    holdMs: {
      ...(whole <= reserve && { [ofProvider(call)]: providerRefillMs }),
      ...(resource <= reserve && { [ofResource(call)]: providerRefillMs }),
    },
  };
};

/**
 * Returns the counts that a refusal is about: all calls of the kind, the provider's alone if the answer names its policies, or the
 * resource's alone if only the policy of the resource is exhausted.
 */
export const refusedOf = (call: CountedCall, headers: ArmHeaders): readonly string[] => {
  const { resource, whole = Infinity } = remainingOfProvider(headers);
  if (headers[providerPolicies] === undefined) return [call.kind];
  return [resource === 0 && whole > 0 ? ofResource(call) : ofProvider(call)];
};
