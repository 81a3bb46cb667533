import type { Clock } from "@capstan/contract";
import { azureError } from "./arm-error.ts";

/** What Azure counts apart. */
export type RateKind = "reads" | "writes" | "deletes";

/** A call as it is counted: by its kind, and within that by the provider that serves it. */
export interface CountedCall {
  readonly kind: RateKind;
  /** For example `microsoft.compute`. */
  readonly namespace: string | undefined;
  /** The resource that the provider counts it for, in small letters; parts of a resource are counted for the whole. */
  readonly resource: string | undefined;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Calls that are left to those who share the budget with us. */
const reserve = 2;
/** Azure refills every bucket of a subscription by at least ten calls in a second. */
const refillMs = 1000;
/** Those of a resource provider are windows of minutes. */
const providerRefillMs = 10_000;

const kindOf = (method: string): RateKind => {
  if (method === "GET" || method === "HEAD") return "reads";
  return method === "DELETE" ? "deletes" : "writes";
};

/** What is below `locations`, such as an operation, is a resource by itself, and so is a machine of a scale set. */
const resourcePath = /^.*\/providers\/([^/]+)(?:\/locations\/.+|\/[^/]+\/[^/]+(?:\/virtualmachines\/[^/]+)?)?/;

/** How Azure counts a call. */
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

const remainingOfSubscription = (headers: Headers, kind: RateKind): number | undefined =>
  numbersIn(
    ["subscription", "subscription-global"].map(
      (scope) => [headers[`x-ms-ratelimit-remaining-${scope}-${kind}`]].flat()[0],
    ),
  );

/** `Microsoft.Compute/PutVM3Min;237,Microsoft.Compute/PutVM30Min;1197`: of the policies that the call fell under. */
const providerPolicies = "x-ms-ratelimit-remaining-resource";

/** What is left of the policies of the resource provider as a whole, and of those of the one resource, whose names end so. */
const remainingOfProvider = (headers: Headers): { readonly whole?: number; readonly resource?: number } => {
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

/**
 * Holds calls back that Azure would refuse: one gate for each subscription and principal, as Azure counts. It learns from what answers
 * say is left, and from refusals. Nobody waits in it: who comes too early is told when to come back.
 */
export class RateGate {
  readonly #clock: Clock;
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws `azure.rate_limited` while calls of this kind are held. */
  check(call: CountedCall): void {
    const { kind } = call;
    const until = [kind, ofProvider(call), ofResource(call)].map((held) => this.#until.get(held) ?? 0);
    const ms = Math.max(...until) - this.#clock.now();
    if (ms <= 0) return;
    const message = `calls that Azure counts as ${kind} are held for ${Math.ceil(ms / 1000)} s, since the subscription has none left`;
    throw azureError("rateLimited", message, { retry: { kind: "after", ms } });
  }

  /** Takes down what an answer says is left. */
  note(call: CountedCall, headers: Headers): void {
    if ((remainingOfSubscription(headers, call.kind) ?? Infinity) <= reserve) this.#hold(call.kind, refillMs);
    const { resource = Infinity, whole = Infinity } = remainingOfProvider(headers);
    if (whole <= reserve) this.#hold(ofProvider(call), providerRefillMs);
    if (resource <= reserve) this.#hold(ofResource(call), providerRefillMs);
  }

  /**
   * Azure has refused a call: until then it would refuse others as well, of the provider alone where it names that one's policies, of the
   * resource alone where none but its own policy is at its end.
   */
  refused(call: CountedCall, headers: Headers, ms: number): void {
    const { resource, whole = Infinity } = remainingOfProvider(headers);
    if (headers[providerPolicies] === undefined) this.#hold(call.kind, ms);
    else if (resource === 0 && whole > 0) this.#hold(ofResource(call), ms);
    else this.#hold(ofProvider(call), ms);
  }

  #hold(held: string, ms: number): void {
    const now = this.#clock.now();
    for (const [other, until] of this.#until) if (until <= now) this.#until.delete(other);
    this.#until.set(held, Math.max(this.#until.get(held) ?? 0, now + ms));
  }
}
