import { list, object, optional, string, textField, time, type Field } from "@capstan/schema";

/** Conditions as board management has them; `more` are further fields of one. */
export const bmcConditions = <F extends Readonly<Record<string, Field>>>(more: F) =>
  optional(
    list(
      object(
        {
          type: string({ description: "What it is about." }),
          status: string({ description: "True, False or Unknown." }),
          message: textField("Why, for people."),
          ...more,
        },
        { description: "One observation." },
      ),
      { description: "Observations about the object." },
    ),
  );

/** The status of a Job or Task. */
export const progress = () =>
  object({
    conditions: bmcConditions({}),
    startTime: optional(time({ description: "When it began." })),
    completionTime: optional(time({ description: "When it succeeded." })),
  });
