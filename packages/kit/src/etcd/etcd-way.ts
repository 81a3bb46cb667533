import { createSecureContext, type SecureContext } from "node:tls";
import type { Clock } from "@capstan/contract";
import type { Client } from "@capstan/kube";
import { type CertificateAndKey, issueCertificate } from "@capstan/pki";
import { EtcdClient } from "./etcd-client.ts";
import { etcdFailed } from "./etcd-failed.ts";

/** The way to the members of one cluster's etcd: through a port of a Pod on the Node of each. */
export interface EtcdWay {
  readonly workload: Client;
  /** The authority of etcd, which signs the client certificate. */
  readonly authority: CertificateAndKey;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The Pod in kube-system whose port 2379 is that of the member on a Node. Default: the static Pod `etcd-<node>`. */
  readonly podOn?: (node: string) => Promise<string> | string;
  /** Nodes whose member could not be reached this way, with what that failed with: they are not waited for again. Default: they are. */
  readonly unreachable?: Map<string, unknown>;
}

const newIdentity = async ({ authority, clock }: EtcdWay): Promise<SecureContext> => {
  const { certificate, key } = await issueCertificate(authority, {
    now: clock.now(),
    commonName: "cluster-api.x-k8s.io",
    usages: ["client"],
    algorithm: "ECDSA-P256",
  });
  return createSecureContext({ ca: authority.certificate, cert: certificate, key });
};

/** A look asks several members, some of them twice: all by one certificate. */
const identities = new WeakMap<EtcdWay, Promise<SecureContext>>();

const connect = async (way: EtcdWay, node: string): Promise<EtcdClient> => {
  const { podOn, signal, workload } = way;
  const pod = podOn === undefined ? `etcd-${node}` : await podOn(node);
  const identity = identities.get(way) ?? newIdentity(way);
  identities.set(way, identity);
  return EtcdClient.on(pod, workload, await identity, signal);
};

/**
 * Connects to the member on a Node, calls `work` and returns its result. Throws `kit.etcd_failed` when the member does not answer or
 * refuses, and what the API server says when there is no way to it.
 */
export const withMember = async <T>(
  way: EtcdWay,
  node: string,
  work: (client: EtcdClient) => Promise<T>,
): Promise<T> => {
  const { unreachable } = way;
  if (unreachable?.has(node)) throw unreachable.get(node);
  let client: EtcdClient | undefined;
  try {
    client = await connect(way, node);
    return await work(client);
  } catch (error) {
    if (client?.isBroken !== false) unreachable?.set(node, error);
    throw error;
  } finally {
    client?.close();
  }
};

/** Does the same with the first of several Nodes whose member answers. Throws the failure of the last one. */
export const withAnyMember = async <T>(
  way: EtcdWay,
  nodes: readonly string[],
  work: (client: EtcdClient) => Promise<T>,
): Promise<T> => {
  let failure: unknown = etcdFailed("members", "no Machine has a Node");
  for (const node of nodes) {
    try {
      return await withMember(way, node, work);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
};
