import { int32, labelSelector, list, object, optional } from "@capstan/schema";

/** The limit for the terms of an affinity: each is matched against every Hardware that a machine may take. */
export const mostAffinityTerms = 100;

const term = () =>
  object(
    { labelSelector: labelSelector({ description: "Labels of the Hardware." }) },
    { description: "Some of the Hardware." },
  );

/** Which Hardware a machine may take, and which it would rather have. */
export const hardwareAffinity = () =>
  object(
    {
      required: optional(
        list(term(), { description: "The Hardware must be in one of these; any may be taken when empty." }),
      ),
      preferred: optional(
        list(
          object(
            {
              weight: int32({ description: "What it is worth.", minimum: 1, maximum: 100 }),
              hardwareAffinityTerm: term(),
            },
            { description: "Some of the Hardware, and what it is worth." },
          ),
          { description: "The Hardware with the greatest sum of weights is taken first." },
        ),
      ),
    },
    { description: "Which Hardware the machine may take." },
  );
