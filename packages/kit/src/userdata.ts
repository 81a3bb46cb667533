export { cloudConfig } from "./userdata/cloud-config.ts";
export type { CloudConfigOptions } from "./userdata/cloud-config.ts";
export { documentType, multipart } from "./userdata/multipart.ts";
export type { DocumentPart } from "./userdata/multipart.ts";
export { yamlText } from "./userdata/yaml-text.ts";
export type { YamlOptions } from "./userdata/yaml-text.ts";
