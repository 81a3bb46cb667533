/** A whole number, or a percentage of `total` such as `"25%"`. What cannot be read counts as 0. */
export const resolveIntOrPercent = (
  value: number | string | undefined,
  total: number,
  rounding: "up" | "down",
): number => {
  if (value === undefined) return 0;
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  if (percent === undefined) return 0;
  const exact = (Number(percent) * total) / 100;
  return rounding === "up" ? Math.ceil(exact) : Math.floor(exact);
};

interface RollingUpdate {
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
}

/**
 * Returns the maximum numbers of surplus and of missing replicas. Both 0 would allow no step, so one may then be
 * missing.
 */
export const rolloutBounds = (
  rollingUpdate: RollingUpdate | undefined,
  replicas: number,
): { readonly maxSurge: number; readonly maxUnavailable: number } => {
  const maxSurge = resolveIntOrPercent(rollingUpdate?.maxSurge, replicas, "up");
  const maxUnavailable = resolveIntOrPercent(rollingUpdate?.maxUnavailable, replicas, "down");
  return { maxSurge, maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : Math.min(maxUnavailable, replicas) };
};
