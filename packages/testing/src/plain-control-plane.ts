export { PlainConfig, PlainControlPlane } from "./plain-control-plane/plain-kinds.ts";
export { createPlainControlPlaneProvider, plainControlPlaneAuthor } from "./plain-control-plane/plain-provider.ts";
