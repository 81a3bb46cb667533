import type { Cause, StructuralSchema } from "@capstan/schema/structural";
import type { ResourceDefinition, Strategy, Verb } from "../model/types.ts";
import type { BuiltinOptions, KindBehaviour } from "./kinds/kind-behaviour.ts";
import { behaviours } from "./kinds/behaviours.ts";
import { requiredCauses } from "./validation/required.ts";
import { builtinGroups } from "./types/resource-facts.ts";
import type { GroupFacts, ResourceFacts } from "./types/resource-facts.ts";
import { builtinColumns } from "./columns/builtin-columns.ts";
import { kindSchema } from "./types/type-schema.ts";

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
    columns: builtinColumns(`${group}/${plural}`),
    storage: { store: `${group}/${plural}`, apiVersion },
    ...(answers === undefined ? {} : { virtual: answers }),
    ...rest,
    strategy: checked(strategy, () => kindSchema(table, kind), rest.applyDefaults),
  };
};

/**
 * The strategy with the check for required fields before its own. What is compared with a change is the stored object with the
 * defaults of today: fields that an earlier release did not fill in have not been changed by whoever writes now. Nor is he told of
 * what was wrong already, with the same value in the same place: a rule that is younger than the object, or that a restore did not ask.
 */
const checked = (
  strategy: Strategy,
  schema: () => StructuralSchema,
  applyDefaults: ResourceDefinition["applyDefaults"],
): Strategy => {
  const validate: NonNullable<Strategy["validate"]> = (object, context) =>
    distinct([...requiredCauses(object, schema()), ...(strategy.validate?.(object, context) ?? [])]);
  return {
    ...strategy,
    validate,
    validateUpdate: (object, old, context, subresource) => {
      const before = applyDefaults?.(old) ?? old;
      const own =
        strategy.validateUpdate?.(object, before, context, subresource) ?? strategy.validate?.(object, context) ?? [];
      const causes = distinct([...requiredCauses(object, schema()), ...own]);
      const known = causes.length === 0 ? [] : validate(before, context).map(causeText);
      return causes.filter((cause) => !known.includes(causeText(cause)));
    },
  };
};

const causeText = ({ reason, field, message }: Cause): string => `${reason} ${field} ${message}`;

/** The first cause of each field and reason. */
const distinct = (causes: readonly Cause[]): readonly Cause[] =>
  [...new Map(causes.toReversed().map((cause) => [`${cause.reason} ${cause.field}`, cause])).values()].toReversed();
