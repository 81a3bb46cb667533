import type { LocalConverter } from "@capstan/apiserver";
import { kubeadmConverters } from "@capstan/bootstrap-kubeadm";
import { CapstanError } from "@capstan/contract";
import { chooseContract } from "@capstan/contract/wire";
import { coreConverters } from "@capstan/core";
import type { ConvertObject } from "@capstan/kit/conversion";

type Definitions = ReturnType<Parameters<LocalConverter>[2]>;

/** The version of a kind that the contract names on its definition. */
const versionOf = (definitions: Definitions, group: string, kind: string): string => {
  const definition = definitions.find(({ spec }) => spec.group === group && spec.names.kind === kind);
  if (definition !== undefined) {
    const { metadata } = definition;
    return `${group}/${chooseContract(metadata.name ?? "", metadata.labels ?? {}).version}`;
  }
  throw new CapstanError({
    code: "up.referenced_kind_missing",
    reason: "ReferencedKindMissing",
    message: `there is no CustomResourceDefinition of kind ${kind} in group ${group}; install it, the API version of a reference follows from it`,
  });
};

const local =
  (convert: ConvertObject): LocalConverter =>
  async (objects, apiVersion, definitions) =>
    objects.map((object) => convert(object, apiVersion, (group, kind) => versionOf(definitions(), group, kind)));

/** Conversions that run in the embedded server, by the names of definitions. */
export const converters: Readonly<Record<string, LocalConverter>> = Object.fromEntries(
  Object.entries({ ...coreConverters, ...kubeadmConverters }).map(([name, convert]) => [name, local(convert)]),
);
