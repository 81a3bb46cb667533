export { cloudConfig } from "./userdata/cloud-config.ts";
export type { CloudConfigOptions } from "./userdata/cloud-config.ts";
export { yamlText } from "./userdata/yaml-text.ts";
export type { YamlOptions } from "./userdata/yaml-text.ts";
