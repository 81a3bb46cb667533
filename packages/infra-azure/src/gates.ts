/** Features that are off by default, as in upstream, whose flags have the same names with capital letters. */
export interface Gates {
  /** A load balancer with a private address beside the public one of the API server. */
  readonly apiServerILB?: boolean;
  /** Clusters in edge zones: `spec.extendedLocation`. */
  readonly edgeZone?: boolean;
}
