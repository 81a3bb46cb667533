const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Reads a duration such as `90s`, `5m` or `1h30m` as milliseconds; `undefined` when it is none. */
export const parseDuration = (text: string): number | undefined => {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount = "0", , unit = "s"] of text.matchAll(/(\d+(\.\d+)?)(ms|s|m|h)/g)) {
    total += Number(amount) * (units[unit] ?? 0);
  }
  return total > 0 ? total : undefined;
};
