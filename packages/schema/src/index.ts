export { apiVersionOf, resource } from "./resource.ts";
export type { KubeObject, ObjectMeta, OwnerReference, Resource } from "./resource.ts";
