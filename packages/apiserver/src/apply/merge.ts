import { isJsonObject, type MutableJson, own, setMember } from "@capstan/schema";
import type { StructuralSchema } from "@capstan/schema/structural";
import { emptySet } from "./field-set.ts";
import type { FieldSet } from "./field-set.ts";
import { fieldElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";
import { elementOf, isDeclared, memberSchema, shapeOf } from "./shape.ts";

type Schema = StructuralSchema | undefined;

/**
 * Merges a configuration into a live value as the schema types it: maps by member, lists with keys and sets by element (live
 * order first, new elements after), everything else is replaced. Null is a value like others.
 */
export const mergeTyped = (live: unknown, config: unknown, schema: Schema): unknown => {
  const shape = shapeOf(live, schema);
  if (shape !== shapeOf(config, schema) || shape === "leaf") {
    return config;
  }
  return shape === "map"
    ? mergeMaps(live as MutableJson, config as MutableJson, schema)
    : mergeLists(live as readonly unknown[], config as readonly unknown[], schema);
};

const mergeMaps = (live: MutableJson, config: MutableJson, schema: Schema): MutableJson => {
  const merged = { ...live };
  for (const name of Object.keys(config)) {
    const value = Object.hasOwn(live, name)
      ? mergeTyped(live[name], config[name], memberSchema(schema, name))
      : config[name];
    setMember(merged, name, value);
  }
  return merged;
};

const mergeLists = (live: readonly unknown[], config: readonly unknown[], schema: Schema): readonly unknown[] => {
  const wanted = new Map<PathElement, unknown>(config.map((item) => [elementOf(item, schema), item]));
  const merged = live.map((item) => {
    const element = elementOf(item, schema);
    const change = wanted.get(element);
    wanted.delete(element);
    return change === undefined ? item : mergeTyped(item, change, schema?.items);
  });
  return [...merged, ...wanted.values()];
};

/**
 * Removes what an applier claimed before (`last`) and neither it applies nor others own now (`owned`). An object that the schema
 * names counts as claimed and as owned when something below it is.
 */
export const pruneAbandoned = (value: unknown, last: FieldSet, owned: FieldSet, schema: Schema): unknown => {
  if (last.children.size === 0) {
    return value;
  }
  const fate = (element: PathElement, declared: boolean): "keep" | "remove" | "descend" => {
    const [before, now] = [last.children.get(element), owned.children.get(element)];
    if (before === undefined) {
      return "keep";
    }
    const claimed = before.member || declared;
    const stillOwned = now !== undefined && (now.member || declared);
    return claimed && !stillOwned ? "remove" : "descend";
  };
  const below = (element: PathElement, child: unknown, childSchema: Schema): unknown => {
    const before = last.children.get(element);
    const now = owned.children.get(element) ?? emptySet;
    return before === undefined ? child : pruneAbandoned(child, before, now, childSchema);
  };
  if (Array.isArray(value) && shapeOf(value, schema) === "list") {
    return value.flatMap((item) => {
      const element = elementOf(item, schema);
      return fate(element, false) === "remove" ? [] : [below(element, item, schema?.items)];
    });
  }
  if (!isJsonObject(value) || shapeOf(value, schema) !== "map") {
    return value;
  }
  const pruned: MutableJson = {};
  for (const name of Object.keys(value)) {
    const element = fieldElement(name);
    if (fate(element, isDeclared(schema, name)) !== "remove") {
      setMember(pruned, name, below(element, own(value, name), memberSchema(schema, name)));
    }
  }
  return pruned;
};
