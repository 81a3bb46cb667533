import { type Strictness, v1beta1 } from "@capstan/kit/machines";
import { list, object, optional, preserveUnknown, string, text } from "@capstan/schema";
import { failureDomain } from "./failure-domains.ts";

/** Values of ClusterClass variables. v1beta1 also names where the definition comes from. */
export const variables = (strictness: Strictness, description: string) =>
  list(
    object(
      {
        name: text(256, "Name of the variable."),
        value: preserveUnknown({ description: "Value, checked against the ClusterClass." }),
        ...(strictness === v1beta1 && {
          definitionFrom: optional(string({ description: "Not used any more.", maxLength: 256 })),
        }),
      },
      { description: "One variable." },
    ),
    { description, maxItems: 1000, ...strictness.keyed, keys: ["name"] },
  );

export const overrides = (strictness: Strictness) =>
  object(
    { overrides: optional(variables(strictness, "Variables with another value here.")) },
    { description: "Variables of this part.", ...strictness.object },
  );

export const className = () => text(256, "Class of the ClusterClass that is used.");

export const placement = (strictness: Strictness) =>
  list(failureDomain("One failure domain."), {
    description: "Failure domains for the machines.",
    maxItems: 100,
    ...strictness.list,
  });

/** Options of a list of worker groups, which are identified by name. */
export const workerGroups = (strictness: Strictness, description: string) =>
  ({ description, maxItems: 2000, ...strictness.keyed, keys: ["name"] }) as const;
