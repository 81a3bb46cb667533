import { kubeadmConverters } from "@capstan/bootstrap-kubeadm";
import { CapstanError } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { chooseContract, crdNameFor, CustomResourceDefinitionResource } from "@capstan/contract/wire";
import { coreConverters, defaultObject, validateObject } from "@capstan/core";
import type { Cache } from "@capstan/kube";
import type { ConvertObject } from "@capstan/kit/conversion";
import { kindWebhooks, type AdmissionRequest, type KindWebhooks, type Verdict } from "@capstan/runtime/webhook";
import type { Cause, Resource } from "@capstan/schema";

/** The API version of a kind that a reference without one means. */
export type VersionOf = (group: string, kind: string) => string;

const converters: Readonly<Record<string, ConvertObject>> = { ...coreConverters, ...kubeadmConverters };

const definitionName = ({ plural, group }: Resource): string => `${plural}.${group}`;

/** Whether a webhook converts between the versions of this definition. */
export const isConverted = (definition: string): boolean => Object.hasOwn(converters, definition);

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

/** The checks and defaults that upstream's core has in webhooks. */
const coreAdmission: Pick<KindWebhooks, "mutate" | "validate"> = {
  mutate: ({ object, oldObject }) =>
    object === null ? { allowed: true } : { object: defaultObject(object, oldObject ?? undefined) },
  validate: (request) => {
    const { operation, object, oldObject } = request;
    if (object === null || (operation !== "CREATE" && operation !== "UPDATE")) return { allowed: true };
    const causes = validateObject(object, oldObject ?? undefined);
    return causes.length === 0 ? { allowed: true } : refusal(request, causes);
  },
};

/** What a webhook server does for the kinds of these providers: conversion, and for core's kinds admission. */
export const servedKinds = (providers: readonly ProviderV1[], versionOf: VersionOf): readonly KindWebhooks[] =>
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
          ...(isCore && coreAdmission),
        }),
      ];
    }),
  );
