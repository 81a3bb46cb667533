import { isIP } from "node:net";
import { isLabelValue } from "@capstan/kube-values";
import { qualifiedNameFault, subdomainFault } from "../../registry/metadata.ts";
import { between, type Causes, dnsLabel, invalid, oneOf } from "./causes.ts";
import { partOf } from "../../values/object-parts.ts";

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === "";

/** A cause when a name that is present is not a DNS subdomain. */
export const dnsSubdomain = (field: string, value: unknown): Causes => {
  const fault = isAbsent(value) ? undefined : subdomainFault(String(value));
  return fault === undefined ? [] : [invalid(field, value, fault)];
};

/** A cause when a name that is present is not what Services are called. */
export const serviceName = dnsLabel;

/** A cause when a name that is present is not what ports are called (RFC 6335). */
export const portName = (field: string, value: unknown): Causes => {
  const name = String(value);
  const isFine = /^[a-z0-9](-?[a-z0-9]){0,14}$/.test(name) && name.length <= 15 && /[a-z]/.test(name);
  return isAbsent(value) || isFine
    ? []
    : [
        invalid(
          field,
          value,
          "must be no more than 15 lower case letters, digits and single '-', at least one of them a letter",
        ),
      ];
};

/** A cause when a port, by number or by name, is neither. */
export const portNumberOrName = (field: string, value: unknown): Causes =>
  typeof value === "number"
    ? between(field, value, 1, 65_535)
    : value === ""
      ? [invalid(field, value, "must be a number or a name")]
      : portName(field, value);

/** A cause when a name that is present is not a key of a ConfigMap or Secret. */
export const configKey = (field: string, value: unknown): Causes => {
  const key = String(value);
  const isFine = /^[-._a-zA-Z0-9]{1,253}$/.test(key) && key !== "." && !key.startsWith("..");
  return isAbsent(value) || isFine
    ? []
    : [invalid(field, value, "a valid config key must consist of alphanumeric characters, '-', '_' or '.'")];
};

export const protocol = (field: string, value: unknown): Causes => oneOf(field, value, ["TCP", "UDP", "SCTP"]);

/** A cause when the text is not a label key. */
export const labelKey = (field: string, value: unknown): Causes => {
  const fault = qualifiedNameFault(String(value ?? ""));
  return fault === undefined ? [] : [invalid(field, value, fault)];
};

/** A cause when a text that is present is not a label value. */
export const labelValue = (field: string, value: unknown): Causes =>
  isAbsent(value) || isLabelValue(String(value))
    ? []
    : [invalid(field, value, "a valid label value has at most 63 alphanumeric characters, '-', '_' or '.'")];

/** Causes, all at the same field, for keys and values that are not labels. */
export const labels = (field: string, value: unknown): Causes =>
  Object.entries(partOf(value)).flatMap(([key, text]) => [...labelKey(field, key), ...labelValue(field, text)]);

/** Causes, all at the same field, for keys that are none of annotations. */
export const annotations = (field: string, value: unknown): Causes =>
  Object.keys(partOf(value)).flatMap((key) => labelKey(field, key.toLowerCase()));

/** A cause when a text that is present is not an IP address. */
export const ipAddress = (field: string, value: unknown): Causes =>
  isAbsent(value) || isIP(String(value)) !== 0 ? [] : [invalid(field, value, "must be a valid IP address")];

/** Length of the prefix of a network in CIDR notation; `undefined` when it is none. */
export const prefixLength = (value: unknown): number | undefined => {
  const [address = "", bits = "", ...more] = String(value).split("/");
  const family = isIP(address);
  const length = /^(0|[1-9]\d{0,2})$/.test(bits) ? Number(bits) : Infinity;
  return family !== 0 && more.length === 0 && length <= (family === 4 ? 32 : 128) ? length : undefined;
};

/** The bits of an IPv6 address; `undefined` for one with a zone, or one that stands for an IPv4 address. */
const bitsOfIpv6 = (address: string): string | undefined => {
  if (address.includes("%")) {
    return undefined;
  }
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail = ""] = canonical.split("::").map((part) =>
    part
      .split(":")
      .filter((group) => group !== "")
      .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, "0"))
      .join(""),
  );
  return /^::ffff:[^:]+:[^:]+$/.test(canonical) ? undefined : head + tail.padStart(128 - head.length, "0");
};

const bitsOf = (address: string): string | undefined =>
  isIP(address) === 6
    ? bitsOfIpv6(address)
    : address
        .split(".")
        .map((octet) => Number(octet).toString(2).padStart(8, "0"))
        .join("");

/** A cause when a text that is present is not a network in CIDR notation, or one with bits behind its prefix. */
export const network = (field: string, value: unknown): Causes => {
  if (isAbsent(value)) {
    return [];
  }
  const length = prefixLength(value);
  const bits = length === undefined ? undefined : bitsOf(String(value).split("/")[0] ?? "");
  return bits === undefined || bits.slice(length).includes("1")
    ? [invalid(field, value, "must be a valid CIDR value, without bits behind its prefix")]
    : [];
};
