import { isKind, type Resource } from "@capstan/schema";

/** Fields of an object that say what it is, or that its controllers write. */
const notWritten = new Set(["apiVersion", "kind", "metadata", "status"]);

/** As much of a schema as is looked at. */
interface Node {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node | boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
}

/** A field by which an object can name something outside of itself. */
export interface NamingField {
  /** With its group where two kinds have the same name. */
  readonly kind: string;
  /** `[]` behind lists, `{}` behind maps, and for references the members by which they name, in braces. */
  readonly path: string;
}

const naming = new RegExp(
  "(ref|refs|name|names|namespace|namespaces|prefix|[ug]?id|ids|owner|group|pool|class|" +
    "path|file|files|dir|folder|device|devices|source|label|identifier|override|" +
    "ur[li]s?|endpoints?|hosts?|hostname|domain|registry|repository|image|bundle|initrd|kernel|iso|" +
    "address|addresses|ips?|ipv[46]|cidrs?|cidrblocks|ranges?|gateway|router|subnets?|vpc|vnet|servers?|sans|mac|proxy|" +
    "selector|labels|annotations|tags|matchlabels|keys?|secret|token|cert|template|data|contents?|config|script|args|params)$",
  "i",
);

const identifying = new Set(
  "name namespace kind apiVersion apiGroup group version resource uid resourceVersion fieldPath key".split(" "),
);

const isFreeText = ({ type, format, enum: values }: Node): boolean =>
  type === "string" && values === undefined && format !== "date-time";

const isOpen = (node: Node): boolean =>
  node.properties === undefined &&
  (node["x-kubernetes-preserve-unknown-fields"] === true ||
    (node.type === "object" && typeof node.additionalProperties !== "object"));

const isReference = ({ properties = {} }: Node): boolean => {
  const members = Object.keys(properties);
  return members.includes("name") && members.every((member) => identifying.has(member));
};

const found = (node: Node, path: string, name: string): readonly string[] => {
  const { properties, items, additionalProperties } = node;
  const members = Object.keys(properties ?? {}).toSorted();
  if (isReference(node)) return [`${path}{${members.join(",")}}`];
  if (properties?.["matchLabels"] !== undefined) return [`${path}{matchLabels}`];
  if (properties !== undefined) {
    return Object.entries(properties).flatMap(([member, inner]) => found(inner, `${path}.${member}`, member));
  }
  if (items !== undefined) return found(items, `${path}[]`, name);
  if (typeof additionalProperties === "object") return found(additionalProperties, `${path}{}`, name);
  const isNumberOfThing = node.type === "integer" && /(^|[a-z])I[dD]s?$/.test(name);
  return isOpen(node) || isNumberOfThing || (isFreeText(node) && naming.test(name)) ? [path] : [];
};

/** Where a template or a larger object has the fields of another kind. The first that fits holds. */
const sameFields: readonly (readonly [kind: RegExp, path: string, as: string, asPath: string])[] = [
  [/^KubeadmControlPlane$/, ".spec.kubeadmConfigSpec", "KubeadmConfig", ".spec"],
  [/^KThreesControlPlane$/, ".spec.kthreesConfigSpec", "KThreesConfig", ".spec"],
  [/^AzureMachinePool$/, ".spec.template", "AzureMachine", ".spec"],
  [/^(MachineSet|MachineDeployment|MachinePool)$/, ".spec.template", "Machine", ""],
  [/^Task\.bmc$/, ".spec.connection", "Machine.bmc", ".spec.connection"],
];

/** The name of a kind, with its group where two have the same. */
export const nameOf = ({ kind, group }: Resource): string => (group === "bmc.tinkerbell.org" ? `${kind}.bmc` : kind);

/** A field of a template, or of a larger object that holds it, as the field of what is made from it. */
const ofWhatIsMade = ({ kind, path }: NamingField): NamingField => {
  const made = kind.replace(/(?<=.)Template$/, "");
  const template = ".spec.template.spec.";
  const whole =
    made !== kind && path.startsWith(template)
      ? { kind: made, path: `.spec.${path.slice(template.length)}` }
      : { kind, path };
  const [, prefix, as, asPath] =
    sameFields.find(([of, at]) => of.test(whole.kind) && whole.path.startsWith(`${at}.`)) ?? [];
  return prefix === undefined ? whole : { kind: as ?? "", path: `${asPath}${whole.path.slice(prefix.length)}` };
};

/** Every field of these kinds' specs by which something can be named; those of templates as of what is made from them. */
export const namingFields = (kinds: readonly Resource[]): readonly NamingField[] => {
  const all = kinds.flatMap((resource) => {
    const { properties = {} } = (isKind(resource) ? resource.schema : {}) as Node;
    const own = Object.entries(properties).filter(([name]) => !notWritten.has(name));
    return own.flatMap(([name, node]) =>
      found(node, `.${name}`, name).map((path) => ({ kind: nameOf(resource), path })),
    );
  });
  const made = all.map(ofWhatIsMade).map(({ kind, path }) => ({ kind, path: path.slice(1) }));
  return [...new Map(made.map((field) => [`${field.kind} ${field.path}`, field])).values()];
};

/** The field of a declared reference in the same words, but that maps look like lists. */
export const referenceField = (resource: Resource, declared: string): string => {
  const { kind, path } = ofWhatIsMade({ kind: nameOf(resource), path: `.${declared.replaceAll("[*]", "[]")}` });
  return `${kind} ${path.slice(1)}`;
};
