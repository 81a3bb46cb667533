import { createHash } from "node:crypto";
import { CapstanError, isCapstanError, Secret } from "@capstan/contract";
import { connect, createClient, type Client, type Connection } from "@capstan/kube";
import { toBase64, fromBase64 } from "@capstan/kube-values";
import { createCertificateRequest } from "@capstan/pki";
import type { KubeObject } from "@capstan/schema";
import {
  initializeNode,
  markControlPlane,
  registerNode,
  startKubelet,
  skipsCloudController,
  type NodeFacts,
} from "../node/kubelet.ts";
import type { MachineContext } from "../node/machine-context.ts";
import { kubeadmComponents, reportStaticPods } from "../node/static-pods.ts";
import { CertificateSigningRequest, kubeletClientSigner } from "../workload/certificate-signer.ts";
import { discoverAuthority } from "./cluster-info.ts";
import { beforeJoin, beforeJoined } from "./before-phases.ts";
import { kubeadmError, object, readConfiguration, readNodeRegistration, type Json } from "./configuration.ts";
import { type ServedControlPlane, serveControlPlane, servedFrom } from "./control-plane.ts";
import type { KubeadmCall } from "./kubeadm-call.ts";
import { checkKubelet } from "./kubelet-check.ts";
import { kubeletVersionOf } from "./kubernetes-version.ts";
import { joinEtcd } from "./local-etcd.ts";
import { readPki } from "./pki-directory.ts";
import { type Endpoint, endpointOf, urlOf } from "../network/endpoint.ts";
import { failedDial } from "../network/passage.ts";
import { saveNode } from "../node/saved-node.ts";
import { readYamlValue } from "@capstan/kube-values/yaml";

/** kubeadm's default for `timeouts.discovery` and `timeouts.tlsBootstrap`. */
const timeoutMs = 300_000;
const pollMs = 500;

interface Joined {
  /** As the machine names it: host and port. */
  readonly address: string;
  readonly endpoint: Endpoint;
  readonly authority: string;
  readonly token: string;
}

/** `kubeadm join --config PATH`: discovery with token and pinned authority, TLS bootstrap, the machine's own Node. */
export const kubeadmJoin = async (machine: MachineContext, call: KubeadmCall): Promise<void> => {
  const { disk, console: output } = machine;
  const join = readConfiguration(disk, call.path).get("JoinConfiguration");
  if (join === undefined) throw kubeadmError(`${call.path}: no JoinConfiguration found`);
  beforeJoin(machine, call, join);
  const target = await discover(machine, join);
  const controlPlane = join["controlPlane"];
  const registration = readNodeRegistration(join["nodeRegistration"], {
    hostname: machine.hostname,
    controlPlane: controlPlane !== undefined,
  });
  const bootstrap = clientFor(machine, target, { token: new Secret(target.token) });
  try {
    const cluster = await clusterConfigurationOf(bootstrap.client, machine);
    const planned =
      controlPlane === undefined
        ? undefined
        : servedFrom(machine, cluster, object(object(controlPlane)["localAPIEndpoint"]));
    beforeJoined(machine, call, { join, cluster, served: planned });
    if (call.onlyChecks) return;
    const kubeletVersion = await kubeletVersionOf(machine, String(cluster["kubernetesVersion"] ?? ""));
    const kubelet = await kubeletConfigurationOf(bootstrap.client, machine);
    await checkKubelet(machine, { kubelet, registration, given: join["nodeRegistration"] }, "kubelet-start");
    const served = planned === undefined ? undefined : await joinControlPlane(machine, planned, registration.name);
    const facts: NodeFacts = {
      registration,
      address: machine.request.address,
      hostname: machine.hostname,
      controlPlane: controlPlane !== undefined,
      kubeletVersion,
      machineID: machine.request.id,
      // That of a control plane is its own.
      ...(served === undefined && { apiServer: target.address }),
    };
    await bootstrapKubelet(machine, target, bootstrap.client, facts);
    startKubelet(machine, target.authority, facts);
    if (served !== undefined) {
      const workload = await clusterOf(machine, target.authority);
      // Its Node is there by now, for a member without a Node is taken for one that was left behind.
      if (!served.externalEtcd) await joinEtcd(machine, served, workload, registration.name);
      await markControlPlane(workload.admin, registration.name, machine.signal);
      await reportStaticPods(workload.admin, facts, { ...machine, components: kubeadmComponents(served) });
    }
    saveNode(disk, { ...facts, authority: target.authority });
    const caCertPath = typeof join["caCertPath"] === "string" ? join["caCertPath"] : "/etc/kubernetes/pki/ca.crt";
    if (disk.stat(caCertPath) === undefined) disk.write(caCertPath, target.authority);
    if (skipsCloudController(facts, machine)) await runCloudController(machine, target.authority, registration.name);
  } finally {
    await bootstrap.connection.close();
  }
  output.print("kubeadm", "This node has joined the cluster");
};

const discover = async (machine: MachineContext, join: Json): Promise<Joined> => {
  const discovery = object(join["discovery"]);
  if (discovery["bootstrapToken"] === undefined) {
    throw kubeadmError("the guest model joins by discovery.bootstrapToken only");
  }
  const { apiServerEndpoint, token, caCertHashes, unsafeSkipCAVerification } = object(discovery["bootstrapToken"]);
  if (typeof apiServerEndpoint !== "string" || apiServerEndpoint === "") {
    throw kubeadmError("discovery.bootstrapToken.apiServerEndpoint is empty");
  }
  if (!URL.canParse(`https://${apiServerEndpoint}`)) {
    throw kubeadmError(`discovery.bootstrapToken.apiServerEndpoint ${apiServerEndpoint} is not host:port`);
  }
  if (typeof token !== "string" || !/^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(token)) {
    throw kubeadmError("discovery.bootstrapToken.token is not of the form [a-z0-9]{6}.[a-z0-9]{16}");
  }
  const endpoint = endpointOf(new URL(`https://${apiServerEndpoint}`), machine.request);
  const authority = await discoverAuthority({
    endpoint,
    token,
    caCertHashes: Array.isArray(caCertHashes) ? caCertHashes.map(String) : [],
    unsafeSkipCAVerification: unsafeSkipCAVerification === true,
    timeoutMs,
    pollMs,
    clock: machine.clock,
    signal: machine.signal,
    log: (line) => machine.console.print("kubeadm", line),
    checkWay: () => checkWay(machine, apiServerEndpoint),
  });
  return { address: apiServerEndpoint, endpoint, authority, token };
};

/** Throws in kubeadm's words where a firewall drops what goes to the API server, or its name leads nowhere. */
const checkWay = (machine: MachineContext, endpoint: string): void => {
  const dial = failedDial(machine, new URL(`https://${endpoint}`));
  if (dial === undefined) return;
  throw kubeadmError(
    `failed to request the cluster-info ConfigMap: Get "https://${endpoint}/api/v1/namespaces/kube-public/configmaps/cluster-info?timeout=10s": ${dial}`,
  );
};

const clientFor = (
  machine: MachineContext,
  target: Joined,
  credentials:
    | { readonly token: Secret<string> }
    | { readonly clientCertificate: string; readonly clientKey: Secret<string> },
): { readonly connection: Connection; readonly client: Client } => {
  const connection = connect({
    url: urlOf(target.endpoint),
    ca: target.authority,
    ...(target.endpoint.serverName !== undefined && { serverName: target.endpoint.serverName }),
    ...credentials,
    clock: machine.clock,
    connections: 1,
  });
  return { connection, client: createClient(connection) };
};

/** kubeadm's `kubernetesAPICall`: how long an API server that does not answer is asked again, and how often. */
const apiCall = { timeoutMs: 60_000, pollMs: 500 };

const unanswered = (error: unknown): boolean =>
  isCapstanError(error, "kube.unavailable") || isCapstanError(error, "kube.timeout");

const readConfigMap = async (client: Client, name: string, { clock, signal }: MachineContext) => {
  const path = `/api/v1/namespaces/kube-system/configmaps/${name}`;
  const giveUpAt = clock.now() + apiCall.timeoutMs;
  for (;;) {
    try {
      return await client.request<{ readonly data?: Readonly<Record<string, string>> }>({
        method: "GET",
        path,
        signal,
      });
    } catch (error) {
      if (!unanswered(error) || clock.now() >= giveUpAt) throw error;
      await clock.sleep(apiCall.pollMs, { signal });
    }
  }
};

/** The first thing the token is used for: a refused one ends the join here, as with kubeadm. */
const clusterConfigurationOf = async (client: Client, machine: MachineContext): Promise<Json> => {
  try {
    const config = await readConfigMap(client, "kubeadm-config", machine);
    return object(readYamlValue(config.data?.["ClusterConfiguration"] ?? "{}"));
  } catch (error) {
    machine.signal.throwIfAborted();
    throw new CapstanError({
      code: "guest.kubeadm_failed",
      reason: isCapstanError(error) ? error.reason : "JoinFailed",
      message: `unable to fetch the kubeadm-config ConfigMap: ${(error as Error).message}`,
      retry: { kind: "never" },
      cause: error,
    });
  }
};

/** The settings of the cluster's kubelets; of lenient machines no one asks. */
const kubeletConfigurationOf = async (client: Client, machine: MachineContext): Promise<Json> => {
  if (machine.lenient) return {};
  const { data } = await readConfigMap(client, "kubelet-config", machine);
  return object(readYamlValue(data?.["kubelet"] ?? "{}"));
};

const joinControlPlane = async (
  machine: MachineContext,
  served: ServedControlPlane,
  name: string,
): Promise<ServedControlPlane> => {
  readPki(machine.disk, served);
  await serveControlPlane(machine, served, { name }, { fresh: false });
  machine.console.print("kubeadm", "[control-plane-join] the control plane of this machine serves the cluster");
  return served;
};

/** TLS bootstrap: asks for a client certificate with the token, then registers the Node with the certificate alone. */
const bootstrapKubelet = async (
  machine: MachineContext,
  target: Joined,
  client: Client,
  facts: NodeFacts,
): Promise<void> => {
  const { name } = facts.registration;
  const { request, key } = await createCertificateRequest({
    commonName: `system:node:${name}`,
    organizations: ["system:nodes"],
  });
  const requestName = `node-csr-${createHash("sha256")
    .update(request)
    .digest("base64url")
    .replaceAll(/[^a-zA-Z0-9]/g, "")
    .toLowerCase()}`;
  await client.create(
    CertificateSigningRequest,
    {
      apiVersion: "certificates.k8s.io/v1",
      kind: "CertificateSigningRequest",
      metadata: { name: requestName },
      spec: {
        request: toBase64(request),
        signerName: kubeletClientSigner,
        usages: ["digital signature", "client auth"],
      },
    },
    { signal: machine.signal },
  );
  const certificate = await waitForCertificate(machine, client, requestName);
  const node = clientFor(machine, target, { clientCertificate: certificate, clientKey: new Secret(key) });
  try {
    await registerNode(node.client, facts, machine);
  } finally {
    await node.connection.close();
  }
};

const waitForCertificate = async (machine: MachineContext, client: Client, name: string): Promise<string> => {
  const deadline = machine.clock.now() + timeoutMs;
  while (machine.clock.now() < deadline) {
    const request = await client.get<KubeObject>(CertificateSigningRequest, { name }, { signal: machine.signal });
    const certificate = (request["status"] as { readonly certificate?: string } | undefined)?.certificate;
    if (certificate !== undefined) return fromBase64(certificate);
    await machine.clock.sleep(50, { signal: machine.signal });
  }
  throw kubeadmError("timed out waiting for the kubelet's client certificate to be signed");
};

const clusterOf = async (machine: MachineContext, authority: string) => {
  const cluster = await machine.workloads.find(authority);
  if (cluster === undefined) throw kubeadmError("the cluster's control plane is gone");
  return cluster;
};

const runCloudController = async (machine: MachineContext, authority: string, name: string): Promise<void> => {
  const { admin } = await clusterOf(machine, authority);
  await initializeNode(admin, name, { providerID: machine.request.providerID, signal: machine.signal });
};
