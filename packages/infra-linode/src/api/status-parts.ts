import { boolean, conditions, defaulted, list, object, optional, string } from "@capstan/schema";

/** Why the provider gave up. */
export const failure = {
  failureReason: optional(string({ description: "Terminal failure in one word, for programs." })),
  failureMessage: optional(string({ description: "Terminal failure, for people." })),
};

/** `status.initialization` of the v1beta2 contract. Upstream has no such field. */
export const initialization = () =>
  object(
    {
      provisioned: optional(
        boolean({ description: "The infrastructure exists and can be used. Never goes back to false." }),
      ),
    },
    { description: "Steps of the making that happened.", minProperties: 1 },
  );

/** The status of what stands for one thing at Linode, beside what only that kind has. */
export const thingStatus = (ready: string) => ({
  ready: defaulted(boolean({ description: ready }), false),
  initialization: optional(initialization()),
  ...failure,
  conditions: optional(conditions()),
});

export const tagSet = (description: string) => list(string({ description: "One tag." }), { description, type: "set" });
