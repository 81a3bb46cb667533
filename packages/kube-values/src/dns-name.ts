const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomain = `${label}(\\.${label})*`;
const namePart = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";

/** Patterns as schemas write them; they say nothing about the length. */
export const DnsPattern = {
  /** DNS-1123 label: names of Namespaces, Services, containers. */
  label: `^${label}$`,
  /** DNS-1035 label: one that starts with a letter. */
  label1035: "^[a-z]([-a-z0-9]*[a-z0-9])?$",
  /** DNS-1123 subdomain: names of most objects, and API groups. */
  subdomain: `^${subdomain}$`,
  /** Keys of labels, annotations and taints. */
  qualifiedName: `^(${subdomain}\\/)?${namePart}$`,
  /** Values of labels. */
  labelValue: `^(${namePart})?$`,
} as const;

/** Longest DNS label, label value, and name part of a label key. */
export const maxLabelLength = 63;
/** Longest DNS subdomain. */
export const maxSubdomainLength = 253;

const labelPattern = new RegExp(DnsPattern.label);
const label1035Pattern = new RegExp(DnsPattern.label1035);
const subdomainPattern = new RegExp(DnsPattern.subdomain);
const namePartPattern = new RegExp(`^${namePart}$`);

/** Returns whether a text is a DNS-1123 label. */
export const isDnsLabel = (text: string): boolean => text.length <= maxLabelLength && labelPattern.test(text);

/** Returns whether a text is a DNS-1035 label: one that starts with a letter. */
export const isDns1035Label = (text: string): boolean => text.length <= maxLabelLength && label1035Pattern.test(text);

/** Returns whether a text is a DNS-1123 subdomain. */
export const isDnsSubdomain = (text: string): boolean =>
  text.length <= maxSubdomainLength && subdomainPattern.test(text);

/** Returns whether a text is a name, or a subdomain and a name with a slash between them, as the keys of labels are. */
export const isQualifiedName = (text: string): boolean => {
  const [first = "", second, ...more] = text.split("/");
  const name = second ?? first;
  return (
    more.length === 0 &&
    name.length <= maxLabelLength &&
    namePartPattern.test(name) &&
    (second === undefined || isDnsSubdomain(first))
  );
};

/** Returns whether a text may be the value of a label; the empty one may. */
export const isLabelValue = (text: string): boolean =>
  text === "" || (text.length <= maxLabelLength && namePartPattern.test(text));
