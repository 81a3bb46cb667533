/** What a simulated service takes faults by, and says its requests with. */
export interface Faulty<Fault> {
  readonly faults: { clear(): void; add(fault: Fault): void; pending(): readonly unknown[] };
  readonly requests: { subscribe(listener: () => void): () => void };
}

/** Plans one fault after another for a service, until what it returns is called; `happened` is called for each that took place. */
export const faultAfterFault = <Fault>(
  { faults, requests }: Faulty<Fault>,
  next: () => Fault,
  happened: () => void,
): (() => void) => {
  const plan = (): void => {
    faults.clear();
    faults.add(next());
  };
  plan();
  const stop = requests.subscribe(() => {
    if (faults.pending().length > 0) return;
    happened();
    plan();
  });
  return () => {
    stop();
    faults.clear();
  };
};
