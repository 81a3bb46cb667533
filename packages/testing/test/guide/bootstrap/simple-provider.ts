import type { ProviderV1 } from "@capstan/contract/v1";
import * as wire from "@capstan/contract/wire";
import { defineProvider } from "@capstan/kit";
import * as bootstrap from "@capstan/kit/bootstrap";
import type { BootstrapAuthor, BootstrapContext, BootstrapOutcome } from "@capstan/kit/bootstrap";
import { caCertHashes } from "@capstan/pki";
import { certificates, initDocument, joinDocument, type Setup } from "./documents.ts";
import { SimpleConfig, SimpleConfigTemplate } from "./simple-config.ts";

type Context = BootstrapContext<SimpleConfig>;

const waitFor = (what: string): BootstrapOutcome =>
  bootstrap.waiting({ reason: "NotAvailable", message: `waiting for ${what}`, requeueAfterMs: 10_000 });

const done = (value: string): BootstrapOutcome => bootstrap.ready({ value, format: wire.bootstrapFormats.cloudConfig });

/** What every machine is told, apart from the token. */
const setupOf = async (context: Context, endpoint: wire.Endpoint): Promise<Omit<Setup, "token">> => {
  const { call, client, cluster, machine, object } = context;
  const read = bootstrap.contentReader({ client, namespace: object.metadata.namespace ?? "", call });
  return {
    clusterName: cluster.metadata.name ?? "",
    version: wire.machine.version.require(machine),
    endpoint: wire.formatEndpoint(endpoint),
    files: await bootstrap.resolveFiles(object.spec?.files, read),
    commands: object.spec?.commands ?? [],
  };
};

/** Certificates and token outlive every single machine: they are the Cluster's. */
const init = async (context: Context, setup: Omit<Setup, "token">): Promise<BootstrapOutcome> => {
  const owner = wire.ownerReference(wire.ClusterResource, context.cluster, { controller: true });
  const pairs = await bootstrap.ensureCertificates(context, certificates, { owner, algorithm: "ECDSA-P256" });
  context.condition({ type: "CertificatesAvailable", status: "True", reason: "Available" });
  const token = await bootstrap.ensureClusterToken(context, { owner });
  return done(initDocument({ ...setup, token }, pairs));
};

const join = async (context: Context, setup: Omit<Setup, "token">): Promise<BootstrapOutcome> => {
  const token = await bootstrap.findClusterToken(context);
  if (token === undefined) return waitFor("the cluster's token");
  const authority = await bootstrap.clusterAuthority(context);
  const pairs = context.controlPlane ? await bootstrap.requireCertificates(context, certificates) : undefined;
  context.condition({ type: "CertificatesAvailable", status: "True", reason: "Available" });
  return done(joinDocument({ ...setup, token }, caCertHashes(authority.certificate), pairs));
};

export const author: BootstrapAuthor<SimpleConfig> = {
  kind: SimpleConfig,
  readyInputs: ["CertificatesAvailable"],
  permissions: bootstrap.initLockPermissions,
  generate: async (context) => {
    const endpoint = wire.cluster.endpoint.get(context.cluster);
    if (endpoint === undefined) return waitFor("Cluster.spec.controlPlaneEndpoint");
    const setup = await setupOf(context, endpoint);
    return bootstrap.initOrJoin(context, { init: () => init(context, setup), join: () => join(context, setup) });
  },
  joined: async (context) => {
    if (context.controlPlane) await bootstrap.initLock(context).release();
  },
};

/** Found by `capstan up --providers` under this name. */
export const createProvider = (): ProviderV1 =>
  defineProvider({
    name: "bootstrap-simple",
    kinds: [SimpleConfig, SimpleConfigTemplate],
    register: (host) => host.add(bootstrap.bootstrapConfig(author)),
  });
