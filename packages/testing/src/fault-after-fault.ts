/** Interface through which a simulated service takes faults and reports its requests. */
export interface Faulty<Fault> {
  readonly faults: { clear(): void; add(fault: Fault): void; pending(): readonly unknown[] };
  readonly requests: { subscribe(listener: () => void): () => void };
}

/** A fault that none of so many requests met is planned in vain: of an operation, perhaps, that nothing begins any more. */
const patience = 30;

/** Plans one fault after another for a service, until what it returns is called; `happened` is called for each that took place. */
export const faultAfterFault = <Fault>(
  { faults, requests }: Faulty<Fault>,
  next: () => Fault,
  happened: () => void,
): (() => void) => {
  let met = 0;
  const plan = (): void => {
    met = 0;
    faults.clear();
    faults.add(next());
  };
  plan();
  const stop = requests.subscribe(() => {
    met += 1;
    const isPending = faults.pending().length > 0;
    if (!isPending) happened();
    if (!isPending || met >= patience) plan();
  });
  return () => {
    stop();
    faults.clear();
  };
};
