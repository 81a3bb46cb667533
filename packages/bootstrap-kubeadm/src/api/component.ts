import { boolean, list, map, object, optional, string, text } from "@capstan/schema";
import type { Fields, Node } from "@capstan/schema";
import { extraEnvs } from "./environment-variables.ts";
import type { Generation } from "./generation.ts";

/** Arguments by name, as v1beta1 has them. */
export const argumentMap = (description: string): Node<Readonly<Record<string, string>>> =>
  map(string({ description: "Value of the argument." }), { description });

/** One argument of a program; the value may be empty. */
export interface Argument {
  readonly name: string;
  readonly value: string;
}

/** Arguments as v1beta2 has them; `field` is the name the rule's message uses. */
export const argumentList = (field: string, description: string): Node<readonly Argument[]> =>
  list(
    object(
      {
        name: text(256, "Name of the argument, without dashes."),
        value: string({ description: "Value of the argument; may be empty.", minLength: 0, maxLength: 1024 }),
      },
      { description: "One argument." },
    ),
    {
      description,
      minItems: 1,
      maxItems: 100,
      keys: ["name", "value"],
      rules: [{ rule: "self.all(x, self.exists_one(y, x.name == y.name))", message: `${field} name must be unique` }],
    },
  );

const extraVolumes = (generation: Generation) =>
  list(
    object(
      {
        name: text(512, "Name of the volume."),
        hostPath: text(512, "Path on the machine."),
        mountPath: text(512, "Path in the container."),
        readOnly: optional(boolean({ description: "Whether the container may not write to it." })),
        pathType: optional(string({ description: "What must be at hostPath, for example File or DirectoryOrCreate." })),
      },
      { description: "One path." },
    ),
    { description: "Paths of the machine that the component sees.", maxItems: 100, ...generation.list },
  );

/** A component of the control plane: arguments, variables, mounted paths, and what it has of its own. */
export const component = <A, const F extends Fields>(
  generation: Generation,
  description: string,
  extraArgs: Node<A>,
  fields: F,
) =>
  object(
    {
      extraArgs: optional(extraArgs),
      extraVolumes: optional(extraVolumes(generation)),
      extraEnvs: optional(extraEnvs(generation)),
      ...fields,
    },
    { description, ...generation.object },
  );
