/** Options of every call to a workload cluster. */
export interface Call {
  readonly signal: AbortSignal;
}
