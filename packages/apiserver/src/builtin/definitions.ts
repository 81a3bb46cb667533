import type { ResourceDefinition, Verb } from "../registry/types.ts";
import type { BuiltinOptions, KindBehaviour } from "./kind-behaviour.ts";
import { behaviours } from "./kinds/behaviours.ts";
import { requiredCauses } from "./required.ts";
import { builtinGroups } from "./resource-facts.ts";
import type { GroupFacts, ResourceFacts } from "./resource-facts.ts";
import { kindSchema } from "./type-schema.ts";

const allVerbs: readonly Verb[] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** The definitions of all built-in kinds. Schemas are made on first use and shared by all servers of the process. */
export const builtinDefinitions = (options: BuiltinOptions = {}): readonly ResourceDefinition[] => {
  const known = behaviours(options);
  return builtinGroups.flatMap((group) =>
    group.resources.map((facts) => definition(group, facts, known[`${group.group}/${facts.plural}`] ?? {}, options)),
  );
};

const definition = (
  { group, version, table }: GroupFacts,
  facts: ResourceFacts,
  behaviour: KindBehaviour,
  { virtual }: BuiltinOptions,
): ResourceDefinition => {
  const { plural, kind } = facts;
  const { subresources = [], selectableFields = {}, strategy = {}, ...rest } = behaviour;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const answers = virtual?.[`${group}/${plural}`];
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames: facts.shortNames ?? [],
    categories: facts.categories ?? [],
    namespaced: facts.cluster !== true,
    verbs: facts.verbs ?? allVerbs,
    origin: "builtin",
    get schema() {
      return kindSchema(table, kind);
    },
    subresources,
    selectableFields,
    columns: [],
    storage: { store: `${group}/${plural}`, apiVersion },
    schemaName: `io.k8s.api.${table}.${version}.${kind}`,
    ...(answers === undefined ? {} : { virtual: answers }),
    ...rest,
    strategy: {
      ...strategy,
      validate: (object, context) => [
        ...requiredCauses(object, kindSchema(table, kind)),
        ...(strategy.validate?.(object, context) ?? []),
      ],
    },
  };
};
