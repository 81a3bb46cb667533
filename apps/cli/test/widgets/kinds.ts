import { kind, object, optional, string } from "@capstan/schema";

const names = { group: "widgets.example", kind: "Widget", plural: "widgets", description: "A widget." } as const;
const spec = object({ colour: optional(string({ description: "Its colour.", maxLength: 32 })) });
const status = object({});

/** A kind in its first version. */
export const FirstWidget = kind({ ...names, version: "v1", spec, status });

const ServedWidget = kind({ ...names, version: "v1", storage: false, spec, status });

/** The same, stored in a second version. */
export const SecondWidget = kind({ ...names, version: "v2", versions: [ServedWidget], spec, status });

export const Gadget = kind({
  ...names,
  kind: "Gadget",
  plural: "gadgets",
  description: "A gadget.",
  version: "v1",
  spec,
  status,
});
