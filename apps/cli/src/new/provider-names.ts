import { CapstanError } from "@capstan/contract";
import { templateRoles, type TemplateRole } from "./templates.ts";

/** Names of a new provider in every place where they occur. */
export interface ProviderNames {
  readonly role: TemplateRole;
  /** `big-cloud` */
  readonly kebab: string;
  /** `bigCloud` */
  readonly camel: string;
  /** `bigcloud` */
  readonly compact: string;
  /** `BIG_CLOUD` */
  readonly upper: string;
  /** `BigCloud`, or as the user likes it. */
  readonly kind: string;
}

const invalid = (message: string): CapstanError =>
  new CapstanError({ code: "new.name_invalid", reason: "NameInvalid", message, retry: { kind: "never" } });

const upperFirst = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Reads the name on the command line, with or without its role. Throws `new.name_invalid`. */
export const providerNames = (
  given: string,
  { role = "infra", kind }: { readonly role?: TemplateRole | undefined; readonly kind?: string | undefined },
): ProviderNames => {
  const named = templateRoles.find((candidate) => given.startsWith(`${candidate}-`));
  if (named !== undefined && named !== role) {
    throw invalid(`${given}: the name has the role ${named}; add --role ${named}, or omit the role from the name`);
  }
  const kebab = named === undefined ? given : given.slice(named.length + 1);
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(kebab) || kebab.length > 28) {
    throw invalid(`${given}: a name is up to 28 lowercase letters, digits and single hyphens, such as big-cloud`);
  }
  if (kind !== undefined && !/^[A-Z][A-Za-z0-9]{0,30}$/.test(kind)) {
    throw invalid(`--kind ${kind}: kinds start with a capital and contain only letters and digits, such as BigCloud`);
  }
  const words = kebab.split("-");
  const pascal = words.map(upperFirst).join("");
  return {
    role,
    kebab,
    camel: pascal.slice(0, 1).toLowerCase() + pascal.slice(1),
    compact: words.join(""),
    upper: words.join("_").toUpperCase(),
    kind: kind ?? pascal,
  };
};

/** Writes the names in place of those of the templates, which are all about Acme. */
export const renamed = (text: string, names: ProviderNames, plain: "compact" | "kebab" = "compact"): string =>
  text
    .replaceAll("ACME", names.upper)
    .replaceAll("Acme", names.kind)
    // Plurals and finalizers follow from kinds.
    .replaceAll(/acme(?=(?:cluster|machine|config))/g, names.kind.toLowerCase())
    // Programs and manifests write one provider id.
    .replaceAll("acme://", `${names.compact}://`)
    .replaceAll(/(?<=-)acme|acme(?=-)/g, names.kebab)
    .replaceAll(/acme(?=[A-Z])/g, names.camel)
    .replaceAll("acme", names[plain]);
