/** What every call to a workload cluster is made with. */
export interface Call {
  readonly signal: AbortSignal;
}
