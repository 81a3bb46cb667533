import { isJsonObject, type MutableJson, own, setMember } from "@capstan/schema";
import type { StructuralSchema } from "@capstan/schema/structural";
import { deleteFromList, identityOf, reorderList } from "./element-order.ts";
import { PatchError } from "@capstan/contract/patch";

const directive = "$patch";
const retainKeys = "$retainKeys";
const orderPrefix = "$setElementOrder/";
const deletePrefix = "$deleteFromPrimitiveList/";

/**
 * Applies a strategic merge patch. Lists whose schema carries `x-kubernetes-patch-strategy: merge` are merged, by
 * `x-kubernetes-patch-merge-key` or as sets of scalars; all other lists are replaced. Understands `$patch`, `$retainKeys`,
 * `$setElementOrder/<field>` and `$deleteFromPrimitiveList/<field>`. The input is not changed.
 * Throws `PatchError`: 400 malformed directive, 422 unknown directive, 500 missing merge key (as Kubernetes does).
 */
export const strategicPatch = (
  document: unknown,
  patch: unknown,
  schema: StructuralSchema | undefined,
): MutableJson => {
  if (!isJsonObject(patch)) {
    throw new PatchError(400, "a strategic merge patch must be a JSON object");
  }
  return mergeObject(isJsonObject(document) ? document : {}, patch, schema);
};

/** How the schema wants one member to be patched. */
interface Strategy {
  readonly merge: boolean;
  readonly replace: boolean;
  readonly mergeKey: string | undefined;
}

const strategyOf = (schema: StructuralSchema | undefined): Strategy => {
  const names = schema?.["x-kubernetes-patch-strategy"]?.split(",") ?? [];
  return {
    merge: names.includes("merge"),
    replace: names.includes("replace"),
    mergeKey: schema?.["x-kubernetes-patch-merge-key"],
  };
};

const memberSchema = (schema: StructuralSchema | undefined, name: string): StructuralSchema | undefined => {
  if (schema?.properties !== undefined && Object.hasOwn(schema.properties, name)) {
    return schema.properties[name];
  }
  return typeof schema?.additionalProperties === "object" ? schema.additionalProperties : undefined;
};

const mergeObject = (original: MutableJson, patch: MutableJson, schema: StructuralSchema | undefined): MutableJson => {
  const action = own(patch, directive);
  if (action !== undefined && action !== "merge") {
    return replacement(patch, action);
  }
  const result = retained(original, patch);
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (key.startsWith(deletePrefix)) {
      deleteMember(result, key.slice(deletePrefix.length), value);
    } else if (value === null) {
      delete result[key];
    } else if (!isDirective(key)) {
      setMember(result, key, mergeMember(own(result, key), value, memberSchema(schema, key)));
    }
  }
  for (const key of Object.keys(patch)) {
    if (key.startsWith(orderPrefix)) {
      orderMember(result, original, patch, key.slice(orderPrefix.length), schema);
    }
  }
  return result;
};

const isDirective = (key: string): boolean =>
  key === directive || key === retainKeys || key.startsWith(orderPrefix) || key.startsWith(deletePrefix);

const replacement = (patch: MutableJson, action: unknown): MutableJson => {
  if (action === "delete") {
    return {};
  }
  if (action !== "replace") {
    throw new PatchError(422, `unknown ${directive} directive ${JSON.stringify(action)}: use replace, delete or merge`);
  }
  const { [directive]: _, ...rest } = patch;
  return rest;
};

/** A copy of the original without the members that `$retainKeys` does not list. */
const retained = (original: MutableJson, patch: MutableJson): MutableJson => {
  const keys = own(patch, retainKeys);
  if (keys === undefined) {
    return { ...original };
  }
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === "string")) {
    throw new PatchError(400, `${retainKeys} must be a list of strings`);
  }
  const kept = new Set<string>(keys);
  const stray = Object.keys(patch).find((key) => !isDirective(key) && patch[key] !== null && !kept.has(key));
  if (stray !== undefined) {
    throw new PatchError(400, `${retainKeys} must list the field ${stray} that the patch sets`);
  }
  return Object.fromEntries(Object.entries(original).filter(([key]) => kept.has(key)));
};

const mergeMember = (current: unknown, value: unknown, schema: StructuralSchema | undefined): unknown => {
  const strategy = strategyOf(schema);
  if (isJsonObject(value)) {
    if (!isJsonObject(current)) {
      return withoutDirectives(value);
    }
    return strategy.replace ? value : mergeObject(current, value, schema);
  }
  if (!Array.isArray(value)) {
    return value;
  }
  if (!Array.isArray(current)) {
    return withoutDirectives(value);
  }
  return strategy.merge ? mergeList(current, value, strategy.mergeKey, schema?.items) : value;
};

/** What a patch value looks like where there is nothing to merge with: no directives, no nulls. */
const withoutDirectives = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.filter((item) => !isJsonObject(item) || !Object.hasOwn(item, directive)).map(withoutDirectives);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => member !== null && !isDirective(key))
      .map(([key, member]) => [key, withoutDirectives(member)]),
  );
};

const deleteMember = (result: MutableJson, field: string, values: unknown): void => {
  if (!Array.isArray(values)) {
    throw new PatchError(400, `${deletePrefix}${field} must be a list`);
  }
  const current = own(result, field);
  if (Array.isArray(current)) {
    setMember(result, field, deleteFromList(current, values));
  }
};

/** What a patch changes of a list has to stand in the order that it asks for. */
const checkOrder = (field: string, changes: unknown, order: readonly unknown[], mergeKey: string | undefined): void => {
  const ordered = order.map((item) => identityOf(item, mergeKey));
  let next = 0;
  for (const change of Array.isArray(changes) ? changes : []) {
    if (isJsonObject(change) && Object.hasOwn(change, directive)) continue;
    const at = ordered.indexOf(identityOf(change, mergeKey), next);
    if (at < 0) {
      throw new PatchError(500, `the order of ${field} in the patch does not match ${orderPrefix}${field}`);
    }
    next = at + 1;
  }
};

const orderMember = (
  result: MutableJson,
  original: MutableJson,
  patch: MutableJson,
  field: string,
  schema: StructuralSchema | undefined,
): void => {
  const order = patch[`${orderPrefix}${field}`];
  if (!Array.isArray(order)) {
    throw new PatchError(400, `${orderPrefix}${field} must be a list`);
  }
  const { merge, mergeKey } = strategyOf(memberSchema(schema, field));
  checkOrder(field, own(patch, field), order, mergeKey);
  const merged = own(result, field);
  if (!merge || !Array.isArray(merged)) {
    return;
  }
  const live = own(original, field);
  setMember(result, field, reorderList(merged, order, Array.isArray(live) ? live : [], mergeKey));
};

/**
 * Merges a patch list into the list of a document: objects by their merge key, scalars as a set. The order follows the
 * patch; elements the patch does not name keep their place relative to their old neighbours.
 */
const mergeList = (
  original: readonly unknown[],
  patch: readonly unknown[],
  mergeKey: string | undefined,
  itemSchema: StructuralSchema | undefined,
): readonly unknown[] => {
  if (![...original, ...patch].some(isJsonObject)) {
    return reorderList([...new Set([...original, ...patch])], patch, original, undefined);
  }
  if (mergeKey === undefined) {
    throw new PatchError(500, "cannot merge lists of objects without a merge key");
  }
  const elements = patch.map(objectElement);
  if (elements.some((element) => directiveOf(element) === "replace")) {
    return elements.filter((element) => directiveOf(element) === undefined);
  }
  const deleted = new Set(
    elements
      .filter((element) => directiveOf(element) === "delete")
      .map((element) => identityOf(withKey(element, mergeKey), mergeKey)),
  );
  const merged = original.map(objectElement).filter((item) => !deleted.has(identityOf(item, mergeKey)));
  const positions = new Map(merged.map((item, index) => [identityOf(item, mergeKey), index]));
  const changes = elements.filter((element) => directiveOf(element) !== "delete");
  for (const change of changes) {
    const index = positions.get(identityOf(withKey(change, mergeKey), mergeKey));
    const current = index === undefined ? undefined : merged[index];
    if (index === undefined || current === undefined) {
      positions.set(identityOf(change, mergeKey), merged.length);
      merged.push(mergeObject({}, change, itemSchema));
    } else {
      merged[index] = mergeObject(current, change, itemSchema);
    }
  }
  return reorderList(merged, changes, original, mergeKey);
};

const objectElement = (item: unknown): MutableJson => {
  if (!isJsonObject(item)) {
    throw new PatchError(500, "a list to be merged by key may hold objects only");
  }
  return item;
};

const directiveOf = (element: MutableJson): unknown => {
  const action = own(element, "$patch");
  if (action !== undefined && action !== "delete" && action !== "replace" && action !== "merge") {
    throw new PatchError(422, `unknown $patch directive ${JSON.stringify(action)}: use replace, delete or merge`);
  }
  return action === "merge" ? undefined : action;
};

/** The element, checked to have its merge key. */
const withKey = (element: MutableJson, mergeKey: string): MutableJson => {
  if (own(element, mergeKey) === undefined) {
    throw new PatchError(
      500,
      `element ${JSON.stringify(Object.keys(element))} of a merged list lacks its merge key ${mergeKey}`,
    );
  }
  return element;
};
