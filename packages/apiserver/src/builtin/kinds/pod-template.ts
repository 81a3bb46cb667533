import { changed, type Part, partOf } from "./object-parts.ts";
import { podSpecDefaults } from "./pod-defaults.ts";

/** A spec with a template of Pods that has the defaults of Pods. */
export const withTemplateDefaults = (spec: Part): Part =>
  changed(spec, "template", (template) => changed(partOf(template), "spec", podSpecDefaults));
