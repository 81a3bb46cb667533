/** Limits on the number of things in an account. */
export type Quotas = Readonly<
  Partial<
    Record<
      | "instances"
      | "nodeBalancers"
      | "vpcs"
      | "firewalls"
      | "volumes"
      | "placementGroups"
      | "buckets"
      | "keys"
      | "images",
      number
    >
  >
>;
