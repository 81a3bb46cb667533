import { CapstanError } from "@capstan/contract";
import { chooseContract } from "@capstan/contract/wire";
import type { ObjectMeta } from "@capstan/schema";

/** The API version of a kind that the contract names on its definition: what a reference without one means. */
export const contractVersion = (
  { group, kind }: { readonly group: string; readonly kind: string },
  definition: { readonly metadata: ObjectMeta } | undefined,
): string => {
  if (definition !== undefined) {
    const { name = "", labels = {} } = definition.metadata;
    return `${group}/${chooseContract(name, labels).version}`;
  }
  throw new CapstanError({
    code: "up.referenced_kind_missing",
    reason: "ReferencedKindMissing",
    message: `CustomResourceDefinition for kind ${kind} in group ${group} not found; install it, references need its API version`,
  });
};
