const minute = 60;
const hour = 3600;
const day = 24 * hour;
const year = 365 * day;

/** A duration for people, as precise as kubectl prints it: `37s`, `3m5s`, `45m`, `3h1m`, `2d3h`, `400d`, `2y10d`. */
export const humanDuration = (seconds: number): string => {
  if (seconds < -1) {
    return "<invalid>";
  }
  const total = Math.max(0, Math.floor(seconds));
  if (total < 2 * minute) {
    return `${total}s`;
  }
  if (total < 10 * minute) {
    return twoUnits(total, [minute, "m"], [1, "s"]);
  }
  if (total < 3 * hour) {
    return `${Math.floor(total / minute)}m`;
  }
  if (total < 8 * hour) {
    return twoUnits(total, [hour, "h"], [minute, "m"]);
  }
  if (total < 2 * day) {
    return `${Math.floor(total / hour)}h`;
  }
  if (total < 8 * day) {
    return twoUnits(total, [day, "d"], [hour, "h"]);
  }
  if (total < 2 * year) {
    return `${Math.floor(total / day)}d`;
  }
  return total < 8 * year ? twoUnits(total, [year, "y"], [day, "d"]) : `${Math.floor(total / year)}y`;
};

type Unit = readonly [seconds: number, name: string];

const twoUnits = (total: number, [big, bigName]: Unit, [small, smallName]: Unit): string => {
  const rest = Math.floor((total % big) / small);
  return `${Math.floor(total / big)}${bigName}${rest === 0 ? "" : `${rest}${smallName}`}`;
};

/** How long ago an RFC 3339 time was; `now` in milliseconds. `<unknown>` for no time, `<invalid>` for one that cannot be read. */
export const age = (time: unknown, now: number): string => {
  if (time === undefined || time === null || time === "") {
    return "<unknown>";
  }
  const start = typeof time === "string" ? Date.parse(time) : Number.NaN;
  return Number.isNaN(start) ? "<invalid>" : humanDuration((now - start) / 1000);
};
