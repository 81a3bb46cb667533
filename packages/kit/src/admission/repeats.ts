/** For each of several values, whether an earlier one is the same. */
export const repeats = (values: readonly unknown[]): readonly boolean[] => {
  const known = new Set<unknown>();
  return values.map((value) => {
    const isKnown = known.has(value);
    known.add(value);
    return isKnown;
  });
};
