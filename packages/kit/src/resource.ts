export type { Waiting } from "./engine/author.ts";
export type { Identity } from "./engine/identity.ts";
export { resource } from "./roles/resource/resource.ts";
export type { Difference, ResourceAuthor, ResourceContext } from "./roles/resource/author.ts";
