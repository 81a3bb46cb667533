import { CapstanError } from "@capstan/contract";

const never = { kind: "never" } as const;

/** There is no etcd of the Cluster that can be asked. */
export const noEtcd = (message: string): CapstanError =>
  new CapstanError({ code: "etcd.not_reachable", reason: "NotReachable", message, retry: never });

/** It could cost etcd its quorum, or use data that are not sound. */
export const refused = (message: string): CapstanError =>
  new CapstanError({ code: "etcd.refused", reason: "Refused", message, retry: never });
