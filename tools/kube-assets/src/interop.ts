export { components } from "./interop/components.ts";
export type { Component } from "./interop/components.ts";
export { createGuestCloud } from "./interop/guest-cloud.ts";
export type { GuestCloud } from "./interop/guest-cloud.ts";
export { createKubectl } from "./interop/kubectl.ts";
export type { Kubectl } from "./interop/kubectl.ts";
export { startUpstreamManagers } from "./interop/upstream-managers.ts";
export type { UpstreamManager, UpstreamOptions } from "./interop/upstream-managers.ts";
