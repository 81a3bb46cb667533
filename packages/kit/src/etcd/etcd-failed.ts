import { CapstanError } from "@capstan/contract";

/** A member of etcd that does not answer, or refuses a call. */
export const etcdFailed = (call: string, why: string): CapstanError =>
  new CapstanError({ code: "kit.etcd_failed", reason: "EtcdFailed", message: `etcd: ${call}: ${why}` });
