import { changed, filled, type Part, partOf } from "../../values/object-parts.ts";
import { podSpecDefaults } from "./pod-defaults.ts";

/** A template, which always has metadata, if only empty, with the defaults of what it is a template of. */
export const templateDefaults = (template: unknown, specDefaults: (spec: unknown) => Part): Part =>
  changed(filled(partOf(template), { metadata: {} }), "spec", specDefaults);

/** A spec with a template of Pods that has the defaults of Pods. */
export const withTemplateDefaults = (spec: Part): Part =>
  changed(spec, "template", (template) => templateDefaults(template, podSpecDefaults));
