import { bucketLimiter, type Budget, type RateLimiter } from "@capstan/simulation";
import { type ComputeBudget, computeLimiter } from "./compute-policies.ts";

const kinds = {
  reads: { burst: 250, perSecond: 25 },
  writes: { burst: 200, perSecond: 10 },
  deletes: { burst: 200, perSecond: 10 },
};

type Kind = keyof typeof kinds;

const kindOf = (family: string): Kind =>
  /^(?:GET|HEAD) /.test(family) ? "reads" : family.startsWith("DELETE ") ? "deletes" : "writes";

/** Remaining budget of a caller, with the values for the response headers. */
interface ArmBudget extends Budget {
  readonly kind: Kind;
  readonly compute: ComputeBudget["left"];
}

/**
 * Token buckets per caller, as ARM has them per subscription and principal, and those of Microsoft.Compute; `scale` makes all of them so
 * many times larger.
 */
export const armLimiter = (scale = 1): RateLimiter => {
  const limiter = bucketLimiter(
    Object.entries(kinds).map(([family, { burst, perSecond }]) => ({
      family,
      burst: burst * scale,
      perSecond: perSecond * scale,
    })),
  );
  const ofCompute = computeLimiter(scale);
  return {
    take: ({ caller, family, path }, now): ArmBudget | undefined => {
      const kind = kindOf(family);
      const budget = limiter.take({ caller, family: kind, path }, now);
      if (budget === undefined) return undefined;
      const [method = ""] = family.split(" ", 1);
      const compute = budget.allowed ? ofCompute.take(method, path, now) : undefined;
      const { retryAfterSeconds } = compute?.refused ?? {};
      return {
        ...budget,
        ...(retryAfterSeconds !== undefined && { allowed: false, retryAfterSeconds }),
        kind,
        compute: compute?.left ?? {},
      };
    },
  };
};

/** The budget of a principal, that of all of the subscription, which is 15 times larger, and those of Microsoft.Compute. */
export const budgetHeaders = (budget: Budget): Readonly<Record<string, string>> => {
  const { kind, compute, remaining, limit } = budget as ArmBudget;
  const policies = Object.entries(compute).map(([name, left]) => `Microsoft.Compute/${name};${left}`);
  return {
    [`x-ms-ratelimit-remaining-subscription-${kind}`]: String(Math.floor(remaining)),
    [`x-ms-ratelimit-remaining-subscription-global-${kind}`]: String(Math.floor(limit * 14 + remaining)),
    ...(policies.length > 0 && { "x-ms-ratelimit-remaining-resource": policies.join(",") }),
  };
};
