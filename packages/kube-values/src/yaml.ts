export {
  isShortYaml,
  readGoYamlValue,
  readYaml,
  readYaml11Value,
  readYamlTexts,
  readYamlValue,
  YamlError,
} from "./yaml/read-yaml.ts";
export type { YamlDocument, YamlLimits } from "./yaml/read-yaml.ts";
export { goYamlText } from "./yaml/write-go-yaml.ts";
