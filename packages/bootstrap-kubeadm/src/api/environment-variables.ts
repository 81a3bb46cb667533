import { boolean, defaulted, list, object, optional, quantity, string } from "@capstan/schema";
import type { Generation } from "./generation.ts";

const keyOf = (what: string) =>
  object(
    {
      name: defaulted(string({ description: `Name of the ${what}.` }), ""),
      key: string({ description: "Key in its data." }),
      optional: optional(boolean({ description: `Whether the ${what} or the key may be missing.` })),
    },
    { description: `A key of a ${what}.`, atomic: true },
  );

const valueFrom = () =>
  object(
    {
      configMapKeyRef: optional(keyOf("ConfigMap")),
      secretKeyRef: optional(keyOf("Secret")),
      fieldRef: optional(
        object(
          {
            apiVersion: optional(string({ description: "Version the path is written for; v1 when unset." })),
            fieldPath: string({ description: "Path of the field." }),
          },
          { description: "A field of the Pod.", atomic: true },
        ),
      ),
      resourceFieldRef: optional(
        object(
          {
            containerName: optional(string({ description: "Container that is meant." })),
            resource: string({ description: "Resource, for example limits.cpu." }),
            divisor: optional(quantity({ description: "Unit of the value; 1 when unset." })),
          },
          { description: "A resource limit or request of a container.", atomic: true },
        ),
      ),
      fileKeyRef: optional(
        object(
          {
            volumeName: string({ description: "Volume that holds the file." }),
            path: string({ description: "Path of the file in the volume." }),
            key: string({ description: "Key in the file." }),
            optional: defaulted(boolean({ description: "Whether the file or the key may be missing." }), false),
          },
          { description: "A key of a file of variables.", atomic: true },
        ),
      ),
    },
    { description: "Where the value comes from." },
  );

/** Environment variables of a control plane component (core/v1 EnvVar). */
export const extraEnvs = (generation: Generation) =>
  list(
    object(
      {
        name: string({ description: "Name of the variable." }),
        value: optional(string({ description: "Its value." })),
        valueFrom: optional(valueFrom()),
      },
      { description: "One variable." },
    ),
    { description: "Further environment variables.", maxItems: 100, ...generation.list },
  );
