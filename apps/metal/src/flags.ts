/** Collects the values of a flag that may be repeated. */
export const append = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
