import { bucketLimiter, type Budget, type RateLimiter } from "@capstan/simulation";

const kinds = {
  reads: { burst: 250, perSecond: 25 },
  writes: { burst: 200, perSecond: 10 },
  deletes: { burst: 200, perSecond: 10 },
};

type Kind = keyof typeof kinds;

const kindOf = (family: string): Kind =>
  /^(?:GET|HEAD) /.test(family) ? "reads" : family.startsWith("DELETE ") ? "deletes" : "writes";

/** What is left for a caller, with what the headers say. */
interface ArmBudget extends Budget {
  readonly kind: Kind;
  readonly compute: boolean;
}

/** Token buckets per caller, as ARM has them per subscription and principal; `scale` makes all of them so many times larger. */
export const armLimiter = (scale = 1): RateLimiter => {
  const limiter = bucketLimiter(
    Object.entries(kinds).map(([family, { burst, perSecond }]) => ({
      family,
      burst: burst * scale,
      perSecond: perSecond * scale,
    })),
  );
  return {
    take: ({ caller, family }, now): ArmBudget | undefined => {
      const kind = kindOf(family);
      const budget = limiter.take({ caller, family: kind }, now);
      return budget === undefined ? undefined : { ...budget, kind, compute: family.includes("Microsoft.Compute") };
    },
  };
};

/** The budget of a principal, and that of all of the subscription, which is 15 times larger. */
export const budgetHeaders = (budget: Budget): Readonly<Record<string, string>> => {
  const { kind, compute, remaining, limit } = budget as ArmBudget;
  return {
    [`x-ms-ratelimit-remaining-subscription-${kind}`]: String(Math.floor(remaining)),
    [`x-ms-ratelimit-remaining-subscription-global-${kind}`]: String(Math.floor(limit * 14 + remaining)),
    ...(compute
      ? { "x-ms-ratelimit-remaining-resource": `Microsoft.Compute/${policies[kind]};${Math.floor(remaining)}` }
      : {}),
  };
};

const policies = { reads: "GetResource", writes: "PutResource", deletes: "DeleteResource" } as const;
