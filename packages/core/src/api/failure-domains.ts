import { boolean, map, optional, string, text } from "@capstan/schema";
import type { Node } from "@capstan/schema";

export const failureDomain = (description: string): Node<string> => text(256, description);

/** Fields of a failure domain except its name. */
export const failureDomainFacts = {
  controlPlane: optional(boolean({ description: "Whether control plane machines may be placed in it." })),
  attributes: optional(
    map(string({ description: "Value of the attribute." }), {
      description: "Further facts the infrastructure provider gives.",
    }),
  ),
};
