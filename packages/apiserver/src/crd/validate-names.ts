import { isDns1035Label, isDnsSubdomain } from "@capstan/kube-values";
import type { Cause } from "@capstan/schema";
import { invalid, oneOf, required } from "../builtin/validation/causes.ts";
import type { CustomResourceDefinition } from "./crd-types.ts";

const labelRule =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";

/** A cause unless the name is a DNS-1035 label. */
export const dns1035 = (field: string, name: string): readonly Cause[] =>
  isDns1035Label(name) ? [] : [invalid(field, name, labelRule)];

const groupCauses = (group: string): readonly Cause[] => {
  if (group === "") return [required("spec.group")];
  if (!isDnsSubdomain(group)) {
    return [invalid("spec.group", group, "must be a DNS-1123 subdomain")];
  }
  return group.includes(".") ? [] : [invalid("spec.group", group, "should be a domain with at least one dot")];
};

const approval = "api-approved.kubernetes.io";

/** Groups of the Kubernetes project need a link to the review that approved them, or `unapproved` and a reason. */
const approvalCauses = ({ metadata, spec }: CustomResourceDefinition): readonly Cause[] => {
  if (!/(^|\.)(k8s\.io|kubernetes\.io)$/.test(spec.group)) return [];
  const field = `metadata.annotations[${approval}]`;
  const value = metadata.annotations?.[approval] ?? "";
  if (value === "") return [required(field, "protected groups must have approval annotation")];
  if (value.startsWith("unapproved") || URL.canParse(value)) return [];
  return [
    invalid(
      field,
      value,
      'protected groups must have approval annotation with either a URL or a reason starting with "unapproved"',
    ),
  ];
};

const nameCauses = ({ spec: { names } }: CustomResourceDefinition): readonly Cause[] => {
  const at = "spec.names";
  const listKind = names.listKind ?? "";
  return [
    ...dns1035(`${at}.plural`, names.plural ?? ""),
    ...dns1035(`${at}.singular`, names.singular ?? ""),
    ...(names.shortNames ?? []).flatMap((name, index) => dns1035(`${at}.shortNames[${index}]`, name)),
    ...(names.categories ?? []).flatMap((name, index) => dns1035(`${at}.categories[${index}]`, name)),
    ...kindCauses(`${at}.kind`, names.kind ?? ""),
    ...kindCauses(`${at}.listKind`, listKind),
    ...(listKind !== "" && listKind === names.kind
      ? [invalid(`${at}.listKind`, listKind, "kind and listKind may not be the same")]
      : []),
  ];
};

const kindCauses = (field: string, kind: string): readonly Cause[] => {
  if (kind === "") return [required(field)];
  return isDns1035Label(kind.toLowerCase())
    ? []
    : [invalid(field, kind, `may have mixed case, but should otherwise match: ${labelRule}`)];
};

/** Validates name, group, names and scope. */
export const crdNameCauses = (crd: CustomResourceDefinition): readonly Cause[] => {
  const { names, scope } = crd.spec;
  const group = (crd.spec.group as string | undefined) ?? "";
  const wanted = `${names.plural}.${group}`;
  const name = crd.metadata.name ?? "";
  return [
    ...(name === wanted ? [] : [invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')]),
    ...groupCauses(group),
    ...approvalCauses(crd),
    ...nameCauses(crd),
    ...(scope === undefined || scope === ""
      ? [required("spec.scope")]
      : oneOf("spec.scope", scope, ["Cluster", "Namespaced"])),
  ];
};
