import assert from "node:assert/strict";
import { conditionPaths, valueAt } from "@capstan/contract/wire";
import { contractOfKind } from "@capstan/kit/engine";
import { mayHaveField, type Kind, type KubeObject, type StructuralSchema } from "@capstan/schema";

/** The schema of one entry of a list of conditions. */
const entryOf = ({ schema }: Kind, path: string): StructuralSchema | undefined =>
  path.split(".").reduce<StructuralSchema | undefined>((part, name) => part?.properties?.[name], schema)?.items;

/** Everything of a status that names the generation which it describes names the one that is stored. */
export const assertObserved = (kinds: readonly Kind[], object: KubeObject): void => {
  const kind = kinds.find((candidate) => candidate.kind === object.kind);
  assert.ok(kind, `the kind ${object.kind}`);
  const { generation } = object.metadata;
  const path = "status.observedGeneration";
  if (mayHaveField(kind, path)) assert.equal(valueAt(object, path), generation, `${object.kind} ${path}`);
  const { current } = conditionPaths(contractOfKind(kind));
  if (entryOf(kind, current)?.properties?.["observedGeneration"] === undefined) return;
  const conditions = (valueAt(object, current) ?? []) as readonly { readonly [field: string]: unknown }[];
  assert.ok(conditions.length > 0, `${object.kind} has conditions`);
  for (const { observedGeneration, type } of conditions) {
    assert.equal(observedGeneration, generation, `${object.kind} condition ${String(type)} observedGeneration`);
  }
};
