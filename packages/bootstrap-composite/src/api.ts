export { defaultMerge } from "./api/composite-config-spec.ts";
export { CompositeConfig } from "./api/composite-config.ts";
export { CompositeConfigTemplate } from "./api/composite-config-template.ts";
