import type { ContractVersion } from "@capstan/contract/wire";
import { contractOfVersion, contractVersions, contractLabel } from "@capstan/contract/wire";
import type { Resource } from "@capstan/schema";

/** The contract a kind speaks, by the labels it declares for its CRD; without any, today's. */
export const contractOfKind = (kind: Pick<Resource, "group" | "plural" | "version">): ContractVersion => {
  const labels = (kind as { readonly labels?: Readonly<Record<string, string>> }).labels ?? {};
  const labelled = contractVersions.some((contract) => labels[contractLabel(contract)] !== undefined);
  return labelled ? contractOfVersion(`${kind.plural}.${kind.group}`, labels, kind.version) : "v1beta2";
};
