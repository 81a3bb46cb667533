import type { Call } from "@capstan/kit";

/** A server as Acme shows it. */
export interface Server {
  readonly id: string;
  readonly name: string;
  readonly tag: string;
  readonly labels: readonly string[];
  readonly state: "provisioning" | "booting" | "running" | "off" | "deleting";
  readonly address: string;
}

export interface NewServer {
  readonly name: string;
  /** Tag by which the server is found again. */
  readonly tag: string;
  readonly labels: readonly string[];
  readonly size: string;
  /** Standard base64. */
  readonly userData: string;
}

/** A load balancer as Acme shows it. It forwards port 6443 to that port of its servers. */
export interface LoadBalancer {
  readonly id: string;
  readonly tag: string;
  readonly host: string;
  readonly port: number;
  /** Ids of servers. */
  readonly servers: readonly string[];
}

/** Calls that the provider makes to Acme. Failures are `CapstanError`s with codes `acme.*`. */
export interface AcmeApi {
  servers(call: Call): Promise<readonly Server[]>;
  createServer(server: NewServer, call: Call): Promise<Server>;
  /** Replaces all. */
  label(id: string, labels: readonly string[], call: Call): Promise<void>;
  /** One that is not there is success. */
  deleteServer(id: string, call: Call): Promise<void>;
  loadBalancers(call: Call): Promise<readonly LoadBalancer[]>;
  createLoadBalancer(balancer: { readonly tag: string }, call: Call): Promise<LoadBalancer>;
  /** Replaces all. */
  balance(id: string, servers: readonly string[], call: Call): Promise<void>;
  deleteLoadBalancer(id: string, call: Call): Promise<void>;
}
