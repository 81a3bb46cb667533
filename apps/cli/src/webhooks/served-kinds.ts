import { kubeadmConverters } from "@capstan/bootstrap-kubeadm";
import { CapstanError, isCapstanError } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { chooseContract, crdNameFor, CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { coreConverters, defaultObject, fillReferences, validateObject, type FillOptions } from "@capstan/core";
import type { Cache } from "@capstan/kube";
import type { ConvertObject } from "@capstan/kit/conversion";
import {
  kindWebhooks,
  type AdmissionRequest,
  type KindWebhooks,
  type MutateOutcome,
  type Verdict,
} from "@capstan/runtime/webhook";
import type { Cause, Resource } from "@capstan/schema";

/** The API version of a kind that a reference without one means. */
export type VersionOf = (group: string, kind: string) => string;

const converters: Readonly<Record<string, ConvertObject>> = { ...coreConverters, ...kubeadmConverters };

const definitionName = ({ plural, group }: Resource): string => `${plural}.${group}`;

/** Whether a webhook converts between the versions of this definition. */
export const isConverted = (definition: string): boolean => Object.hasOwn(converters, definition);

/** Reads a ConfigMap of default templates. */
export type FindConfigMap = FillOptions["findConfigMap"];

/** Looks the contract's version up on the definitions in a cache that has been told of them. */
export const versionsIn =
  (cache: Cache): VersionOf =>
  (group, kind) => {
    const name = crdNameFor(group, kind);
    const definition = cache.get(CustomResourceDefinitionResource, { name });
    if (definition !== undefined) return `${group}/${chooseContract(name, definition.metadata.labels ?? {}).version}`;
    throw new CapstanError({
      code: "up.referenced_kind_missing",
      reason: "ReferencedKindMissing",
      message: `there is no CustomResourceDefinition of kind ${kind} in group ${group}; install it, the API version of a reference follows from it`,
    });
  };

const refusal = ({ kind, name = "" }: AdmissionRequest, causes: readonly Cause[]): Verdict => {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const said = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  const message = `${kind.kind}.${kind.group} "${name}" is invalid: ${said}`;
  return { allowed: false, code: 422, reason: "Invalid", message, causes };
};

/** What an object asks for and cannot have is the sender's to mend. */
const refusing = async (work: () => Promise<MutateOutcome>): Promise<MutateOutcome> => {
  try {
    return await work();
  } catch (error) {
    if (!isCapstanError(error) || !error.code.startsWith("core.")) throw error;
    return { allowed: false, code: 400, reason: "BadRequest", message: error.message };
  }
};

/** The checks and defaults that upstream's core has in webhooks, and references from default templates. */
const coreAdmission = (findConfigMap: FindConfigMap): Pick<KindWebhooks, "mutate" | "validate"> => ({
  mutate: ({ namespace, object, oldObject }) =>
    refusing(async () => {
      if (object === null) return { allowed: true };
      const old = oldObject ?? undefined;
      const placed = { ...object, metadata: { ...(namespace !== undefined && { namespace }), ...object.metadata } };
      const filled = await fillReferences(placed, { old, findConfigMap });
      const complete = defaultObject(filled.object, old);
      if (complete === placed) return { allowed: true };
      return { object: complete, ...(filled.message !== "" && { warnings: [filled.message] }) };
    }),
  validate: (request) => {
    const { operation, object, oldObject } = request;
    if (object === null || (operation !== "CREATE" && operation !== "UPDATE")) return { allowed: true };
    const causes = validateObject(object, oldObject ?? undefined);
    return causes.length === 0 ? { allowed: true } : refusal(request, causes);
  },
});

/** What a webhook server does for the kinds of these providers: conversion, and for core's kinds admission. */
export const servedKinds = (
  providers: readonly ProviderV1[],
  { findConfigMap, versionOf }: { readonly findConfigMap: FindConfigMap; readonly versionOf: VersionOf },
): readonly KindWebhooks[] =>
  providers.flatMap(({ kinds }) =>
    kinds.flatMap((kind) => {
      const name = definitionName(kind);
      const convert = Object.hasOwn(converters, name) ? converters[name] : undefined;
      if (convert === undefined) return [];
      const isCore = Object.hasOwn(coreConverters, name);
      return [
        kindWebhooks({
          kind,
          convert: (object, apiVersion) => convert(object, apiVersion, versionOf),
          ...(isCore && coreAdmission(findConfigMap)),
        }),
      ];
    }),
  );

/** The same for configurations, which name kinds and ask nothing of them. */
export const configuredKinds = (providers: readonly ProviderV1[]): readonly KindWebhooks[] =>
  servedKinds(providers, { findConfigMap: () => undefined, versionOf: (group) => `${group}/any` });
