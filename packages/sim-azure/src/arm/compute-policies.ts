import { bucketLimiter, type Budget, type RateLimiter } from "@capstan/simulation";

/** Requests a minute, and how many may come at once, which is three times as many. */
interface Policy {
  readonly name: string;
  readonly ofSubscription: number;
  /** Calls per minute for each resource; `undefined`: they are not counted. */
  readonly ofResource?: number;
}

const policy = (name: string, ofSubscription: number, ofResource?: number): Policy => ({
  name,
  ofSubscription,
  ...(ofResource !== undefined && { ofResource }),
});

const machine = {
  put: policy("PutVM", 500, 4),
  update: policy("UpdateVM", 500, 4),
  delete: policy("DeleteVM", 500, 4),
  get: policy("LowCostGet", 8000, 12),
  list: policy("HighCostGet", 300),
};
const scaleSet = {
  put: policy("PutVMScaleSet", 125, 4),
  update: policy("UpdateVMScaleSet", 500, 4),
  delete: policy("DeleteVMScaleSet", 175, 4),
  get: policy("LowCostGetVMScaleSet", 800, 12),
  list: policy("HighCostGetVMScaleSet", 360),
};
const instance = {
  update: policy("UpdateVMScaleSetVM", 500, 4),
  delete: policy("DeleteVMScaleSetVM", 500, 4),
  get: policy("GetVMScaleSetVM", 2000, 12),
};
const operation = policy("GetOperation", 5000, 15);

const all = [machine, scaleSet, instance, { operation }].flatMap((group) => Object.values<Policy>(group));

/** Policy under which a call is counted, and its resource. */
interface Counted {
  readonly policy: Policy;
  readonly resource: string;
}

const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/** Calls of a resource that is there: a part of it, or something done with it. */
const within = (
  method: string,
  action: string | undefined,
  { delete: removal, get, update }: Pick<typeof machine, "delete" | "get" | "update">,
): Policy => {
  if (isRead(method) || action === "retrievebootdiagnosticsdata") return get;
  return action === "deallocate" || (method === "DELETE" && action === undefined) ? removal : update;
};

const countedOf = (method: string, path: string): Counted | undefined => {
  const [scope, rest] = path.toLowerCase().split("/providers/microsoft.compute/");
  if (rest === undefined || rest.includes("/providers/")) return undefined;
  const [type, name, part, id, action] = rest.split("/");
  const resource = `${scope}/${type}/${name}`;
  if (type === "locations") return part === "operations" ? { policy: operation, resource: path } : undefined;
  const known = type === "virtualmachines" ? machine : type === "virtualmachinescalesets" ? scaleSet : undefined;
  if (known === undefined) return undefined;
  if (name === undefined) return { policy: known.list, resource };
  if (method === "PUT" && part === undefined) return { policy: known.put, resource };
  if (known === scaleSet && part === "virtualmachines") {
    if (id === undefined) return { policy: instance.get, resource };
    return { policy: within(method, action, instance), resource: `${resource}/${id}` };
  }
  return { policy: within(method, part, known), resource };
};

/** Remaining budgets of the policies that apply to a call. */
export interface ComputeBudget {
  /** By the policies' names as the header has them. */
  readonly left: Readonly<Record<string, number>>;
  /** That of the policy that refuses, if one does. */
  readonly refused: Budget | undefined;
}

const bucketsOf = (scale: number, rate: (policy: Policy) => number | undefined): RateLimiter =>
  bucketLimiter(
    all.flatMap((each) => {
      const perMinute = rate(each);
      if (perMinute === undefined) return [];
      return [{ family: each.name, burst: 3 * perMinute * scale, perSecond: (perMinute * scale) / 60 }];
    }),
  );

/**
 * The limits that Microsoft.Compute has of its own, beside those of Resource Manager: of each virtual machine and scale set, and of all of
 * a subscription together. `scale` makes all of them so many times larger.
 */
export const computeLimiter = (scale: number) => {
  const ofSubscription = bucketsOf(scale, (each) => each.ofSubscription);
  const ofResource = bucketsOf(scale, (each) => each.ofResource);
  return {
    take: (method: string, path: string, now: number): ComputeBudget | undefined => {
      const counted = countedOf(method, path);
      if (counted === undefined) return undefined;
      const { name: family } = counted.policy;
      const own = ofResource.take({ caller: counted.resource, family, path }, now);
      const shared = own?.allowed === false ? undefined : ofSubscription.take({ caller: "", family, path }, now);
      return {
        left: {
          ...(shared !== undefined && { [`${family}SubscriptionMaximum`]: shared.remaining }),
          ...(own !== undefined && { [`${family}Resource`]: own.remaining }),
        },
        refused: [own, shared].find((budget) => budget?.allowed === false),
      };
    },
  };
};
