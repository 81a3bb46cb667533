/**
 * Order of two resourceVersions of one kind: negative, zero or positive; `undefined` when they cannot be compared.
 * Kubernetes declares them to be decimal numbers that grow; other servers may use any string.
 */
export const compareVersions = (a: string | undefined, b: string | undefined): number | undefined => {
  if (a === undefined || b === undefined) return undefined;
  if (a === b) return 0;
  if (!/^[1-9]\d*$/.test(a) || !/^[1-9]\d*$/.test(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
};

/** True only when both can be compared and `a` is the newer one. */
export const isNewer = (a: string | undefined, b: string | undefined): boolean => (compareVersions(a, b) ?? 0) > 0;
