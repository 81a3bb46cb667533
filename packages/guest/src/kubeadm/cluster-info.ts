import { createHmac, timingSafeEqual } from "node:crypto";
import { CapstanError, type Clock } from "@capstan/contract";
import { fromBase64 } from "@capstan/kube-values";
import { caCertHashes } from "@capstan/pki";
import { Agent, request } from "undici";
import { readYamlValue } from "@capstan/kube-values/yaml";
import { type Endpoint, urlOf } from "../network/endpoint.ts";
import { kubeadmError, object, type Json } from "./configuration.ts";

export interface DiscoveryInput {
  readonly endpoint: Endpoint;
  readonly token: string;
  /** Pins `sha256:<hex>`; empty only with `unsafeSkipCAVerification`. */
  readonly caCertHashes: readonly string[];
  readonly unsafeSkipCAVerification: boolean;
  /** Longest wait for the endpoint and the signature, in milliseconds. */
  readonly timeoutMs: number;
  readonly pollMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  /** Throws where nothing gets to the endpoint. */
  readonly checkWay: () => void;
}

interface ClusterInfo {
  readonly kubeconfig: string;
  /** Detached signature made with the token, if the cluster knows the token. */
  readonly signature: string | undefined;
}

/**
 * kubeadm's token discovery: reads `kube-public/cluster-info` without trust, checks the signature made with the token and
 * the pinned hash of the authority, then reads it once more over verified TLS. Returns the authority as PEM.
 * Throws `guest.kubeadm_failed` in kubeadm's words.
 */
export const discoverAuthority = async (input: DiscoveryInput): Promise<string> => {
  const [id = "", secret = ""] = input.token.split(".");
  const info = await waitForSignature(input, id);
  if (!signatureMatches(info.signature ?? "", info.kubeconfig, id, secret)) {
    throw kubeadmError("failed to verify JWS signature of received cluster info object, can't trust this API Server");
  }
  const authority = authorityOf(info.kubeconfig);
  if (!input.unsafeSkipCAVerification) {
    const hashes = caCertHashes(authority);
    if (input.caCertHashes.length === 0) {
      throw kubeadmError("caCertHashes is empty and unsafeSkipCAVerification is not set");
    }
    if (!hashes.some((hash) => input.caCertHashes.includes(hash))) {
      throw kubeadmError(
        `cluster CA found in cluster-info ConfigMap is invalid: none of the public keys ${JSON.stringify(hashes)} are pinned`,
      );
    }
  }
  const verified = await readClusterInfo(input, id, authority);
  if (verified.kubeconfig !== info.kubeconfig) {
    throw kubeadmError(
      "the second kubeconfig from the cluster-info ConfigMap (using validated TLS) was different from the first one",
    );
  }
  return authority;
};

const waitForSignature = async (input: DiscoveryInput, id: string): Promise<ClusterInfo> => {
  const deadline = input.clock.now() + input.timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const info = await readClusterInfo(input, id, undefined);
      if (info.signature !== undefined) return info;
      last = kubeadmError(
        `could not find a JWS signature in the cluster-info ConfigMap for token ID ${JSON.stringify(id)}`,
      );
    } catch (error) {
      input.signal.throwIfAborted();
      last = error;
    }
    if (input.clock.now() >= deadline) {
      throw new CapstanError({
        code: "guest.kubeadm_failed",
        reason: "DiscoveryFailed",
        message: `couldn't validate the identity of the API Server: ${(last as Error).message}`,
        retry: { kind: "never" },
        cause: last,
      });
    }
    input.log(`[discovery] ${(last as Error).message}; trying again`);
    await input.clock.sleep(input.pollMs, { signal: input.signal });
  }
};

const readClusterInfo = async (
  input: DiscoveryInput,
  id: string,
  authority: string | undefined,
): Promise<ClusterInfo> => {
  input.checkWay();
  const dispatcher = new Agent({
    connect: {
      ...(authority === undefined ? { rejectUnauthorized: false } : { ca: authority }),
      ...(input.endpoint.serverName !== undefined && { servername: input.endpoint.serverName }),
    },
    connections: 1,
  });
  try {
    const url = `${urlOf(input.endpoint)}/api/v1/namespaces/kube-public/configmaps/cluster-info`;
    const response = await request(url, { dispatcher, signal: input.signal, headersTimeout: 5000, bodyTimeout: 5000 });
    if (response.statusCode !== 200) {
      await response.body.dump();
      throw kubeadmError(`failed to request the cluster-info ConfigMap: HTTP ${response.statusCode}`);
    }
    const { data } = (await response.body.json()) as { readonly data?: Readonly<Record<string, string>> };
    return { kubeconfig: data?.["kubeconfig"] ?? "", signature: data?.[`jws-kubeconfig-${id}`] };
  } finally {
    await dispatcher.destroy();
  }
};

/** The signature is a JWS with detached content: header and HMAC, nothing between the two dots. */
const signatureMatches = (signature: string, content: string, id: string, secret: string): boolean => {
  const [header = "", payload, mac = ""] = signature.split(".");
  if (payload !== "") return false;
  const expected = createHmac("sha256", secret)
    .update(`${header}.${Buffer.from(content).toString("base64url")}`)
    .digest();
  const given = Buffer.from(mac, "base64url");
  const { alg, kid } = JSON.parse(Buffer.from(header, "base64url").toString("utf8")) as { alg?: string; kid?: string };
  return alg === "HS256" && kid === id && given.length === expected.length && timingSafeEqual(given, expected);
};

/** The authority of the one cluster that the published kubeconfig holds; it names no user and no context. */
const authorityOf = (kubeconfig: string): string => {
  const [first] = (object(readYamlValue(kubeconfig))["clusters"] ?? []) as readonly Json[];
  const data = object(first?.["cluster"])["certificate-authority-data"];
  if (typeof data !== "string") throw kubeadmError("the cluster-info ConfigMap holds no certificate authority");
  return fromBase64(data);
};
