export type { Distribution } from "./render/distribution.ts";
export type { NodeInput, Role, Source } from "./render/node-input.ts";
export { k3s } from "./render/k3s.ts";
export { renderNodeDocument } from "./render/node-document.ts";
export { registryFiles } from "./render/registries.ts";
export type { RegistrySecrets } from "./render/registries.ts";
export { rke2 } from "./render/rke2.ts";
