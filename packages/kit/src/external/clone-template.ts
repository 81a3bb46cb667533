import { Annotation, CapstanError, Label } from "@capstan/contract";
import type { KubeObject, OwnerReference } from "@capstan/schema";
import { ExternalErrorCode } from "./error-codes.ts";

/** The content of `spec.template`. */
export interface TemplateBody {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

const suffix = "Template";

/** The kind a template kind makes: its name without `Template`. Throws `external.template_kind_invalid`. */
export const clonedKind = (templateKind: string): string => {
  if (templateKind.endsWith(suffix) && templateKind.length > suffix.length) {
    return templateKind.slice(0, -suffix.length);
  }
  throw new CapstanError({
    code: ExternalErrorCode.templateKindInvalid,
    reason: "InvalidTemplateKind",
    retry: { kind: "never" },
    message: `the kind of a template reference must end in ${suffix}, not ${templateKind}`,
  });
};

/** Returns `spec.template` of a template; empty if it is unset. */
export const templateBody = (template: KubeObject): TemplateBody =>
  (template["spec"] as { readonly template?: TemplateBody } | undefined)?.template ?? {};

/** The type of the objects a template makes. Throws `external.template_kind_invalid`. */
export const clonedType = (template: KubeObject): { readonly apiVersion: string; readonly kind: string } => {
  const { apiVersion, kind } = templateBody(template);
  return { apiVersion: apiVersion ?? template.apiVersion, kind: kind ?? clonedKind(template.kind) };
};

/**
 * The object a template makes for one Machine: the body of `spec.template` with the Machine's name, labels and
 * annotations, marked with its origin and owned by its maker. Status is never copied.
 */
export const cloneTemplate = (input: {
  readonly template: KubeObject;
  readonly namespace: string;
  readonly name: string;
  readonly clusterName: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly owner: OwnerReference;
}): KubeObject => {
  const { template } = input;
  const { apiVersion: _version, kind: _kind, metadata, status: _status, ...content } = templateBody(template);
  const group = template.apiVersion.split("/").slice(0, -1).join("/");
  return {
    ...content,
    ...clonedType(template),
    metadata: {
      name: input.name,
      namespace: input.namespace,
      labels: { ...metadata?.labels, ...input.labels, [Label.clusterName]: input.clusterName },
      annotations: {
        ...metadata?.annotations,
        ...input.annotations,
        [Annotation.clonedFromName]: template.metadata.name ?? "",
        [Annotation.clonedFromGroupKind]: `${template.kind}.${group}`,
      },
      ownerReferences: [input.owner],
    },
  };
};
