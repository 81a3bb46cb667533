import { CapstanError, Group } from "@capstan/contract";
import type { ContractReference } from "@capstan/contract/wire";
import { clonedKind } from "@capstan/kit/machines";
import { isDnsSubdomain } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import { CoreErrorCode } from "../errors.ts";

/** The ConfigMap of a namespace that holds default templates, unless an object's annotation names another. */
export const defaultTemplatesName = "default-templates";
/** Label that makes a ConfigMap one of default templates; annotation of an object that names the one it wants. */
export const defaultTemplatesKey = "capstan.dev/default-templates";
/** Annotation of an object whose references were filled in: the fields and the ConfigMap. */
export const defaultedFromAnnotation = "capstan.dev/defaulted-from";

/** Annotations of a Machine whose objects are to be made from templates, as `Kind.group/name`. */
export const templateAnnotation = {
  bootstrap: "capstan.dev/bootstrap-template",
  infrastructure: "capstan.dev/infrastructure-template",
} as const;

export interface DefaultTemplates {
  readonly bootstrap?: ContractReference;
  readonly infrastructure?: ContractReference;
}

const form = /^([A-Za-z][A-Za-z0-9]*)\.([^/]+)\/([^/]+)$/;

/** A template as one text: `Kind.group/name`. */
export const templateText = ({ kind, apiGroup, name }: ContractReference): string => `${kind}.${apiGroup}/${name}`;

/** The reverse. Throws `core.default_templates_invalid`; `where` names the object and the field. */
export const parseTemplate = (text: string, where: string): ContractReference => {
  const [, kind = "", apiGroup = "", name = ""] = form.exec(text.trim()) ?? [];
  const isTemplate = kind.endsWith("Template") && clonedKind(kind) !== "";
  if (isTemplate && apiGroup.includes(".") && isDnsSubdomain(apiGroup) && isDnsSubdomain(name)) {
    return { apiGroup, kind, name };
  }
  throw new CapstanError({
    code: CoreErrorCode.defaultTemplatesInvalid,
    reason: "DefaultTemplatesInvalid",
    retry: { kind: "never" },
    message: `${where} is ${JSON.stringify(text)}; write a template as Kind.group/name, for example KubeadmConfigTemplate.${Group.bootstrap}/workers`,
  });
};

/**
 * Parses a ConfigMap of default templates: keys `bootstrap` and `infrastructure`. Throws
 * `core.default_templates_invalid`.
 */
export const readDefaultTemplates = (configMap: KubeObject): DefaultTemplates => {
  const data = (configMap["data"] ?? {}) as Readonly<Record<string, string>>;
  const { namespace, name } = configMap.metadata;
  const template = (key: keyof DefaultTemplates): DefaultTemplates =>
    data[key] === undefined ? {} : { [key]: parseTemplate(data[key], `data.${key} of ConfigMap ${namespace}/${name}`) };
  return { ...template("bootstrap"), ...template("infrastructure") };
};
