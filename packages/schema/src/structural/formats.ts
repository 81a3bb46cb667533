const date = (value: string): boolean => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
};

const dateTime = (value: string): boolean => {
  const [day = "", clock] = value.toLowerCase().split("t");
  const parts = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/.exec(clock ?? "");
  return date(day) && parts !== null && parts[1]! <= "23" && parts[2]! <= "59" && parts[3]! <= "59";
};

/** Go's own notation, and one with words such as `2 days`. */
const goDuration = /^[-+]?(0|(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))*)$/;
const wordyDuration =
  /^(\d+(\.\d+)?\s*(ns|nano|us|µs|μs|micro|ms|milli|s|sec|m|min|h|hr|hour|d|day|w|wk|week)(s|second|seconds|utes|ute)?\s*)+$/;

/** Not empty, although that is base64 of no bytes. */
const byte = /^(?!$)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})?$/;

const ipv4 = (value: string): boolean => {
  const parts = value.split(".");
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
};

const ipv6 = (value: string): boolean => {
  if (!/^[0-9a-f:.]+$/i.test(value) || !value.includes(":")) return false;
  const cut = value.lastIndexOf(":") + 1;
  const tail = value.slice(cut);
  if (tail.includes(".") && !ipv4(tail)) return false;
  const groups = tail.includes(".") ? `${value.slice(0, cut)}0:0` : value;
  const halves = groups.split("::");
  if (halves.length > 2) return false;
  const words = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  if (!words.every((word) => /^[0-9a-f]{1,4}$/i.test(word))) return false;
  return halves.length === 2 ? words.length < 8 : words.length === 8;
};

const cidr = (value: string): boolean => {
  const [address = "", prefix = "", ...rest] = value.split("/");
  if (rest.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(prefix)) return false;
  return ipv4(address) ? Number(prefix) <= 32 : ipv6(address) && Number(prefix) <= 128;
};

const uri = (value: string): boolean => value.startsWith("/") || (URL.canParse(value) && !/\s/.test(value));

const hostname = (value: string): boolean =>
  value.length <= 255 && /^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)*[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.?$/i.test(value);

const uuid = (version: string) => {
  const variant = version === "" || version === "3" ? "[0-9a-f]{4}" : "[89ab][0-9a-f]{3}";
  const third = version === "" ? "[0-9a-f]{4}" : `${version}[0-9a-f]{3}`;
  const pattern = new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${variant}-?[0-9a-f]{12}$`, "i");
  return (value: string): boolean => pattern.test(value);
};

const matches = (pattern: RegExp) => (value: string) => pattern.test(value);

/** Formats of strings that the API server enforces. Others say something to readers only. */
const formats: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ["date", date],
  ["date-time", dateTime],
  ["duration", (value) => goDuration.test(value) || wordyDuration.test(value)],
  ["byte", matches(byte)],
  ["email", matches(/^[^\s@<>]+@[^\s@<>]+$/)],
  ["hostname", hostname],
  ["ipv4", ipv4],
  ["ipv6", ipv6],
  ["cidr", cidr],
  ["mac", matches(/^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i)],
  ["uri", uri],
  ["uuid", uuid("")],
  ["uuid3", uuid("3")],
  ["uuid4", uuid("4")],
  ["uuid5", uuid("5")],
  ["bsonobjectid", matches(/^[0-9a-f]{24}$/i)],
  ["hexcolor", matches(/^#?([0-9a-f]{3}|[0-9a-f]{6})$/i)],
]);

export const hasFormat = (format: string, value: string): boolean => formats.get(format)?.(value) ?? true;

/** Returns whether an integer fits `int32` or `int64`; one that is too large for a number must be a bigint, or it has lost digits. */
export const fitsFormat = (format: string, value: number | bigint): boolean =>
  format === "int32"
    ? value >= -(2 ** 31) && value < 2 ** 31
    : format !== "int64" || typeof value === "bigint" || Number.isSafeInteger(value);
