import { compareVersions } from "@capstan/kube-values";
import { CapstanError } from "../error.ts";

/** Generations of the wire contract that are understood, newest first. */
export const contractVersions = ["v1beta2", "v1beta1"] as const;
export type ContractVersion = (typeof contractVersions)[number];

/** The label of a CRD that lists the API versions speaking a contract; the value is joined by `_`. */
export const contractLabel = (contract: ContractVersion): string => `cluster.x-k8s.io/${contract}`;

export interface ContractChoice {
  readonly contract: ContractVersion;
  /** The API version of the kind to read and write, for example `v1beta1`. */
  readonly version: string;
}

const versionsIn = (labels: Readonly<Record<string, string>>, contract: ContractVersion): readonly string[] =>
  (labels[contractLabel(contract)] ?? "").split("_").filter((version) => version !== "");

const unlabelled = (crdName: string, detail: string): CapstanError =>
  new CapstanError({
    code: "wire.contract_unknown",
    reason: "ContractUnknown",
    message: `CustomResourceDefinition ${crdName}: ${detail}; set a label ${contractVersions.map(contractLabel).join(" or ")} to the served versions joined by "_"`,
    details: { crd: crdName },
  });

/**
 * Which contract a kind speaks, and through which of its API versions: the newest contract with a label that is present and
 * not empty, and in it the highest version. Throws `wire.contract_unknown` without such a label.
 */
export const chooseContract = (crdName: string, labels: Readonly<Record<string, string>>): ContractChoice => {
  for (const contract of contractVersions) {
    const [version] = versionsIn(labels, contract).toSorted(compareVersions);
    if (version !== undefined) return { contract, version };
  }
  throw unlabelled(crdName, "no contract label");
};

/** The contract that a given API version of a kind speaks; throws `wire.contract_unknown` when no label lists it. */
export const contractOfVersion = (
  crdName: string,
  labels: Readonly<Record<string, string>>,
  version: string,
): ContractVersion => {
  const contract = contractVersions.find((candidate) => versionsIn(labels, candidate).includes(version));
  if (contract === undefined) throw unlabelled(crdName, `no contract label lists the version ${version}`);
  return contract;
};

/**
 * The name of the CRD of a kind as Cluster API computes it: the plural is made from the kind by the inflection rules of Go's
 * flect, as far as kind names need them.
 */
export const crdNameFor = (group: string, kind: string): string => `${pluralOf(kind)}.${group}`;

const pluralOf = (kind: string): string => {
  const word = kind.toLowerCase();
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return `${word}s`;
};
