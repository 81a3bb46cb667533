/** What an account may have so many of. */
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
