import { boolean, object, optional } from "@capstan/schema";

/** `status.initialization` of the v1beta2 contract. */
export const initialization = () =>
  object(
    {
      provisioned: optional(
        boolean({ description: "The infrastructure exists and can be used. Never goes back to false." }),
      ),
    },
    { description: "Steps of the making that happened.", minProperties: 1 },
  );
