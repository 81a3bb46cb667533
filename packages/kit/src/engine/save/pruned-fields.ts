import type { Logger } from "@capstan/contract";
import type { ContractVersion, MergePatch } from "@capstan/contract/wire";
import { bootstrapConfig, conditionPaths, infraMachine, valueAt } from "@capstan/contract/wire";
import { isJsonObject, type KubeObject, mayHaveField, type Resource } from "@capstan/schema";

type Path = readonly string[];

const leaves = (patch: MergePatch, prefix: Path = []): readonly Path[] =>
  Object.entries(patch).flatMap(([key, value]) => {
    if (value === null || value === undefined) return [];
    return isJsonObject(value) ? leaves(value, [...prefix, key]) : [[...prefix, key]];
  });

/** Fields for readers of the other contract than the kind's, which the kind need not have. */
const otherContractFields: Readonly<Record<ContractVersion, readonly string[]>> = {
  v1beta2: [infraMachine.for("v1beta1").provisioned.path, conditionPaths("v1beta2").deprecated],
  v1beta1: [
    infraMachine.for("v1beta2").provisioned.path,
    bootstrapConfig.for("v1beta2").dataSecretCreated.path,
    conditionPaths("v1beta1").current,
  ],
};

/**
 * Fields that the API server drops because the kind's schema does not have them. Without this memory a kind that lacks, say, the older
 * contract's `status.ready` would be patched forever. What is only for readers of the other contract than the kind's is known from the
 * schema and never asked for; a lack of anything else is warned about.
 */
export class PrunedFields {
  readonly #kind: Resource;
  readonly #paths: Set<string>;

  constructor(kind: Resource, contract: ContractVersion) {
    this.#kind = kind;
    this.#paths = new Set(otherContractFields[contract].filter((path) => !mayHaveField(kind, path)));
  }

  /** Compares what was asked for with what was stored. */
  learn(stored: KubeObject, asked: MergePatch, log: Logger): void {
    for (const path of leaves(asked)) {
      const name = path.join(".");
      if (path.some((part) => part.includes(".")) || this.#paths.has(name) || valueAt(stored, name) !== undefined) {
        continue;
      }
      this.#paths.add(name);
      log.warn("the CRD lacks a field of the contract; it is no longer written", {
        kind: this.#kind.kind,
        field: name,
      });
    }
  }

  /** The patch without fields that are known to be dropped, and without the parents that this leaves empty. */
  without(patch: MergePatch, prefix: Path = []): MergePatch {
    if (this.#paths.size === 0) return patch;
    const kept = Object.entries(patch).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
      if (this.#paths.has([...prefix, key].join("."))) return [];
      if (!isJsonObject(value)) return [[key, value]];
      const inner = this.without(value, [...prefix, key]);
      return Object.keys(inner).length === 0 && Object.keys(value).length > 0 ? [] : [[key, inner]];
    });
    return Object.fromEntries(kept);
  }
}
