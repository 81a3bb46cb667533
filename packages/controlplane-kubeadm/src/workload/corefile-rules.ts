/** A change of Corefiles between two releases of CoreDNS. */
export type CorefileChange =
  /** A plugin that is in every server block with one of others. */
  | { readonly kind: "addPlugin"; readonly plugin: string; readonly where: readonly string[] }
  | { readonly kind: "addOption"; readonly plugin: string; readonly option: string; readonly args: readonly string[] }
  /** `argument`: only where it is the first one. */
  | { readonly kind: "removeOption"; readonly plugin: string; readonly option: string; readonly argument?: string }
  | { readonly kind: "keepFirstArgument"; readonly plugin: string; readonly option: string }
  /** The plugin proxy becomes forward, with what that knows of its options. */
  | { readonly kind: "forwardInsteadOfProxy" }
  /** Forwarding of other zones moves into server blocks of these zones. */
  | { readonly kind: "ownServersForStubZones" }
  /** The option transfer of kubernetes becomes the plugin transfer. */
  | { readonly kind: "transferPlugin" };

export interface CorefileRule {
  /** The release that needs the change. */
  readonly since: string;
  /** The last release on the way to which the change is made. Default: all from then on. */
  readonly until?: string;
  readonly change: CorefileChange;
}

const at = (since: string, change: CorefileChange): CorefileRule => ({ since, until: since, change });

/** Every change that a Corefile needs on the way from 1.1.3, in order. From 1.8.3 on, all releases of version 1 read the same. */
export const corefileRules: readonly CorefileRule[] = [
  {
    since: "1.1.4",
    until: "1.3.1",
    change: { kind: "removeOption", plugin: "proxy", option: "protocol", argument: "https_google" },
  },
  at("1.2.1", { kind: "addPlugin", plugin: "loop", where: ["forward", "proxy"] }),
  { since: "1.4.0", change: { kind: "keepFirstArgument", plugin: "kubernetes", option: "endpoint" } },
  at("1.5.0", { kind: "forwardInsteadOfProxy" }),
  { since: "1.4.0", until: "1.5.0", change: { kind: "ownServersForStubZones" } },
  { since: "1.5.0", until: "1.7.1", change: { kind: "removeOption", plugin: "kubernetes", option: "upstream" } },
  at("1.5.0", { kind: "addPlugin", plugin: "ready", where: ["kubernetes"] }),
  { since: "1.6.0", until: "1.7.1", change: { kind: "removeOption", plugin: "kubernetes", option: "resyncperiod" } },
  at("1.6.5", { kind: "addOption", plugin: "health", option: "lameduck", args: ["5s"] }),
  at("1.7.0", { kind: "addOption", plugin: "forward", option: "max_concurrent", args: ["1000"] }),
  at("1.8.0", { kind: "transferPlugin" }),
];
