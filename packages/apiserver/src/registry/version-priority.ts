const pattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

const rank = (version: string): readonly [number, number, number] | undefined => {
  const match = pattern.exec(version);
  if (match === null) {
    return undefined;
  }
  const stability = match[2] === undefined ? 2 : match[2] === "beta" ? 1 : 0;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
};

/** Orders API versions as Kubernetes does: v2, v1, v2beta1, v1beta2, v1alpha1, then others by name. */
export const compareVersions = (left: string, right: string): number => {
  const [a, b] = [rank(left), rank(right)];
  if (a === undefined || b === undefined) {
    return a === b ? (left < right ? -1 : Number(left > right)) : a === undefined ? 1 : -1;
  }
  return b[0] - a[0] || b[1] - a[1] || b[2] - a[2];
};
