import { DnsPattern, maxLabelLength, maxSubdomainLength } from "@capstan/kube-values";
import { list, opaque, optional, string } from "../types/cel-type.ts";
import { parseDate, parseTimestamp } from "../values/time.ts";
import { Opaque, Optional, ValueList } from "../values/value.ts";
import { fn, method, traversal } from "./overload.ts";
import type { Overload } from "./overload.ts";

/** A named text format; `check` returns what is wrong with a text. */
class NamedFormat extends Opaque {
  readonly typeName = "kubernetes.NamedFormat";
  readonly name: string;
  readonly check: (text: string) => readonly string[];

  constructor(name: string, check: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.check = check;
  }

  equals(other: Opaque): boolean {
    return other instanceof NamedFormat && other.name === this.name;
  }
}

const formatType = opaque<NamedFormat>("kubernetes.NamedFormat");

const shaped =
  (pattern: string, maxLength: number, rule: string) =>
  (text: string): readonly string[] => [
    ...(text.length > maxLength ? [`must be no more than ${maxLength} characters`] : []),
    ...(new RegExp(pattern).test(text) ? [] : [rule]),
  ];

const nameRule =
  "must consist of lower case alphanumeric characters or '-', and start and end with an alphanumeric one";
const subdomainRule = `${nameRule}; parts are separated by '.'`;
const labelRule = "must consist of lower case alphanumeric characters or '-' and start with a letter";

const qualifiedName = (text: string): readonly string[] => {
  const parts = text.split("/");
  if (parts.length > 2) return ["must be a name with an optional DNS subdomain prefix and '/'"];
  const name = shaped(
    DnsPattern.qualifiedName,
    maxLabelLength,
    "name part must consist of alphanumeric characters, '-', '_' or '.'",
  )(parts.at(-1)!);
  return parts.length === 1
    ? name
    : [...shaped(DnsPattern.subdomain, maxSubdomainLength, `prefix part ${subdomainRule}`)(parts[0]!), ...name];
};

/** Generated names may end in a dash, as the server appends to them. */
const prefix = (check: (text: string) => readonly string[]) => (text: string) =>
  check(text.endsWith("-") && text.length > 1 ? `${text.slice(0, -1)}a` : text);

const when = (test: (text: string) => boolean, message: string) => (text: string) => (test(text) ? [] : [message]);

const isUri = (text: string): boolean => text.startsWith("/") || URL.canParse(text);
const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const dns1123Label = shaped(DnsPattern.label, maxLabelLength, nameRule);
const dns1123Subdomain = shaped(DnsPattern.subdomain, maxSubdomainLength, subdomainRule);
const dns1035Label = shaped(DnsPattern.label1035, maxLabelLength, labelRule);

const checks: Readonly<Record<string, (text: string) => readonly string[]>> = {
  dns1123Label,
  dns1123Subdomain,
  dns1035Label,
  qualifiedName,
  dns1123LabelPrefix: prefix(dns1123Label),
  dns1123SubdomainPrefix: prefix(dns1123Subdomain),
  dns1035LabelPrefix: prefix(dns1035Label),
  labelValue: shaped(DnsPattern.labelValue, maxLabelLength, "must be a valid label value"),
  uri: when(isUri, "invalid URI"),
  uuid: when((text) => uuid.test(text), "does not match the UUID format"),
  byte: when(isBase64, "invalid base64"),
  date: when((text) => parseDate(text) !== undefined, "invalid date"),
  datetime: when((text) => parseTimestamp(text) !== undefined, "invalid datetime"),
};

const formats = new Map(Object.entries(checks).map(([name, check]) => [name, new NamedFormat(name, check)]));

const validate = (format: NamedFormat, text: string): Optional => {
  const problems = format.check(text);
  return problems.length === 0 ? Optional.none : new Optional(new ValueList(problems));
};

const named = (name: string): Optional => {
  const format = formats.get(name);
  return format === undefined ? Optional.none : new Optional(format);
};

/** The Kubernetes library of named formats; `validate` gives none for a good text and the list of problems otherwise. */
export const namedFormatFunctions: readonly Overload[] = [
  fn("format.named", [string], optional(formatType), named),
  ...[...formats].map(([name, format]) => fn(`format.${name}`, [], formatType, () => format)),
  method(formatType, "validate", [string], optional(list(string)), validate, {
    cost: traversal(1, 3),
    // As for a regular expression of 128 characters.
    estimate: (sizes) => Math.ceil((sizes[1]! + 1) * 0.1) * 32,
  }),
];
