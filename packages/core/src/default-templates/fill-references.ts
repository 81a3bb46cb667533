import { CapstanError } from "@capstan/contract";
import { describeObject } from "@capstan/contract/wire";
import type { ContractReference } from "@capstan/contract/wire";
import { clonedKind } from "@capstan/kit/machines";
import { apiVersionOf, isJsonObject, type KubeObject } from "@capstan/schema";
import { Machine, MachineDeployment, MachineSet } from "../api.ts";
import { CoreErrorCode } from "../errors.ts";
import {
  defaultedFromAnnotation,
  defaultTemplatesKey,
  defaultTemplatesName,
  readDefaultTemplates,
  templateAnnotation,
  templateText,
} from "./default-templates.ts";
import type { DefaultTemplates } from "./default-templates.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The part of a spec in which a Machine's references stand. */
interface MachineFields extends Fields {
  readonly bootstrap?: { readonly configRef?: unknown; readonly dataSecretName?: unknown };
  readonly infrastructureRef?: unknown;
}

export interface FillOptions {
  /** The object before an update: what was filled in once stays as it is. */
  readonly old?: KubeObject | undefined;
  /** A ConfigMap of the object's namespace. */
  readonly findConfigMap: (key: {
    readonly namespace: string;
    readonly name: string;
  }) => KubeObject | undefined | Promise<KubeObject | undefined>;
}

const isUnset = (value: unknown): boolean => value === undefined || value === null;

const lacking = ({ bootstrap, infrastructureRef }: MachineFields): readonly (keyof DefaultTemplates)[] => [
  ...(isUnset(bootstrap?.configRef) && isUnset(bootstrap?.dataSecretName) ? (["bootstrap"] as const) : []),
  ...(isUnset(infrastructureRef) ? (["infrastructure"] as const) : []),
];

/** The template that holds for an object; an annotation that names none is refused, so that nothing else is taken instead. */
const templatesFor = async (
  object: KubeObject,
  { findConfigMap }: FillOptions,
): Promise<[string, DefaultTemplates] | undefined> => {
  const chosen = object.metadata.annotations?.[defaultTemplatesKey];
  const name = chosen ?? defaultTemplatesName;
  const configMap = await findConfigMap({ namespace: object.metadata.namespace ?? "", name });
  if (configMap?.metadata.labels?.[defaultTemplatesKey] !== undefined) return [name, readDefaultTemplates(configMap)];
  if (chosen === undefined) return undefined;
  throw new CapstanError({
    code: CoreErrorCode.defaultTemplatesMissing,
    reason: "DefaultTemplatesMissing",
    retry: { kind: "never" },
    message: `${describeObject(object)}: annotation ${defaultTemplatesKey} names ConfigMap ${chosen}, which does not exist or lacks the label ${defaultTemplatesKey}; create it, or take the annotation away`,
  });
};

const withReferences = (fields: MachineFields, references: DefaultTemplates): MachineFields => ({
  ...fields,
  ...(references.bootstrap === undefined
    ? {}
    : { bootstrap: { ...fields.bootstrap, configRef: references.bootstrap } }),
  ...(references.infrastructure === undefined ? {} : { infrastructureRef: references.infrastructure }),
});

const withAnnotations = (object: KubeObject, annotations: Readonly<Record<string, string>>): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } },
});

interface Filled {
  readonly object: KubeObject;
  /** Message for the user who sent the object; empty when nothing was filled in. */
  readonly message: string;
}

const mapped = (
  templates: DefaultTemplates,
  change: (reference: ContractReference) => ContractReference,
): DefaultTemplates => ({
  ...(templates.bootstrap === undefined ? {} : { bootstrap: change(templates.bootstrap) }),
  ...(templates.infrastructure === undefined ? {} : { infrastructure: change(templates.infrastructure) }),
});

/** A Machine refers to objects of its own: they take its name, and the Machine's annotations say what they are made from. */
const filledMachine = (machine: KubeObject, fields: MachineFields, templates: DefaultTemplates): KubeObject => {
  const name = machine.metadata.name ?? "";
  const own = mapped(templates, ({ apiGroup, kind }) => ({ apiGroup, kind: clonedKind(kind), name }));
  const origins = Object.entries(templates).map(([part, reference]) => [
    templateAnnotation[part as keyof DefaultTemplates],
    templateText(reference as ContractReference),
  ]);
  const filled = { ...machine, spec: withReferences(fields, own) };
  return withAnnotations(filled, Object.fromEntries(origins) as Readonly<Record<string, string>>);
};

/** Where the references of an object stand; `undefined` for objects without Machines of their own. */
const fieldsOf = ({ apiVersion, kind, ...object }: KubeObject): MachineFields | undefined => {
  const spec = object["spec"];
  if (apiVersion !== apiVersionOf(Machine) || !isJsonObject(spec)) return undefined;
  if (kind === Machine.kind) return spec;
  if (kind !== MachineSet.kind && kind !== MachineDeployment.kind) return undefined;
  const template = spec["template"];
  return isJsonObject(template) && isJsonObject(template["spec"]) ? template["spec"] : undefined;
};

const withFields = (object: KubeObject, fields: MachineFields): KubeObject => {
  if (object.kind === Machine.kind) return { ...object, spec: fields };
  const spec = object["spec"] as Fields;
  return { ...object, spec: { ...spec, template: { ...(spec["template"] as Fields), spec: fields } } };
};

const ownAnnotations: readonly string[] = [defaultedFromAnnotation, ...Object.values(templateAnnotation)];

/** Keeps fields that were filled in before, also when an object without them replaces the old one. */
const kept = (object: KubeObject, fields: MachineFields, old: KubeObject): KubeObject => {
  const before = fieldsOf(old);
  const annotations = Object.entries(old.metadata.annotations ?? {}).filter(([key]) => ownAnnotations.includes(key));
  if (before === undefined || annotations.length === 0) return object;
  const missing = lacking(fields);
  const references = {
    ...(missing.includes("bootstrap") && { bootstrap: before.bootstrap }),
    ...(missing.includes("infrastructure") && { infrastructureRef: before.infrastructureRef }),
  };
  return withAnnotations(withFields(object, { ...fields, ...references }), Object.fromEntries(annotations));
};

const paths = { bootstrap: "bootstrap.configRef", infrastructure: "infrastructureRef" } as const;

/**
 * Fills in unset references of a Machine, MachineSet or MachineDeployment from the default templates of its namespace: a
 * ConfigMap with the label `capstan.dev/default-templates`, named `default-templates` or as the object's annotation of that
 * key says. Without such a ConfigMap nothing happens. Throws `core.default_templates_invalid`, `core.default_templates_missing`.
 */
export const fillReferences = async (object: KubeObject, options: FillOptions): Promise<Filled> => {
  const unchanged = { object, message: "" };
  const fields = fieldsOf(object);
  if (fields === undefined) return unchanged;
  const missing = lacking(fields);
  if (missing.length === 0) return unchanged;
  if (options.old !== undefined) return { object: kept(object, fields, options.old), message: "" };
  const isMachine = object.kind === Machine.kind;
  // A generated name is not known yet, and the objects of a Machine are named after it.
  if (isMachine && (object.metadata.name ?? "") === "") return unchanged;
  const [source, all] = (await templatesFor(object, options)) ?? ["", {}];
  const templates = Object.fromEntries(Object.entries(all).filter(([part]) => missing.includes(part as never)));
  const parts = Object.keys(templates) as (keyof DefaultTemplates)[];
  if (parts.length === 0) return unchanged;
  const filled = isMachine
    ? filledMachine(object, fields, templates)
    : withFields(object, withReferences(fields, templates));
  const where = parts.map((part) => `${isMachine ? "spec" : "spec.template.spec"}.${paths[part]}`).join(", ");
  const message = `${where} filled in from ConfigMap ${source}`;
  return { object: withAnnotations(filled, { [defaultedFromAnnotation]: message }), message };
};
