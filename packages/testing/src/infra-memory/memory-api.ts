import type { MemoryCloud, MemoryLoadBalancer, MemoryServer, NewMemoryServer } from "./memory-cloud.ts";
import { memoryError } from "../cloud-calls.ts";

interface Call {
  readonly signal: AbortSignal;
}

/** Customer's API of the cloud in memory. */
export interface MemoryApi {
  readonly limitBytes: number;
  list(call: Call): Promise<readonly MemoryServer[]>;
  create(server: NewMemoryServer, call: Call): Promise<MemoryServer>;
  boot(id: string, call: Call): Promise<void>;
  /** Sets the further tags of a server. */
  tag(id: string, tags: readonly string[], call: Call): Promise<void>;
  delete(id: string, call: Call): Promise<void>;
  loadBalancers(call: Call): Promise<readonly MemoryLoadBalancer[]>;
  balance(tag: string, members: readonly string[], call: Call): Promise<void>;
  unbalance(tag: string, call: Call): Promise<void>;
}

/** Opens the cloud with a token. Calls throw `memory.unauthorized` when it is not accepted. */
export const memoryApi = (cloud: MemoryCloud, token?: string): MemoryApi => {
  const asCustomer =
    <T>(work: () => T) =>
    (): T => {
      if (cloud.accepts(token)) return work();
      throw memoryError("unauthorized", "Unauthorized", "the token is not accepted", "never");
    };
  return {
    limitBytes: cloud.userDataLimitBytes,
    list: (call) =>
      cloud.calls.make(
        "list",
        asCustomer(() => [...cloud.servers.values()]),
        call,
      ),
    create: (server, call) =>
      cloud.calls.make(
        "create",
        asCustomer(() => cloud.create(server)),
        call,
      ),
    boot: (id, call) =>
      cloud.calls.make(
        "boot",
        asCustomer(() => cloud.boot(id)),
        call,
      ),
    tag: (id, tags, call) =>
      cloud.calls.make(
        "tag",
        asCustomer(() => cloud.tag(id, tags)),
        call,
      ),
    delete: (id, call) =>
      cloud.calls.make(
        "delete",
        asCustomer(() => cloud.delete(id)),
        call,
      ),
    loadBalancers: (call) =>
      cloud.calls.make(
        "list",
        asCustomer(() => [...cloud.loadBalancers.values()]),
        call,
      ),
    balance: (tag, members, call) =>
      cloud.calls.make(
        "balance",
        asCustomer(() => cloud.balance(tag, members)),
        call,
      ),
    unbalance: (tag, call) =>
      cloud.calls.make(
        "unbalance",
        asCustomer(() => void cloud.loadBalancers.delete(tag)),
        call,
      ),
  };
};
