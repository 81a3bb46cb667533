import * as wire from "@capstan/contract/wire";
import * as bootstrap from "@capstan/kit/bootstrap";
import type { BootstrapAuthor, BootstrapContext, BootstrapOutcome } from "@capstan/kit/bootstrap";
import { caCertHashes } from "@capstan/pki";
import { AcmeConfig } from "../api/acme-config.v1alpha1.ts";
import { bootstrapAcmeDefaults, type BootstrapAcmeProviderOptions } from "../options.ts";
import { certificates, initDocument, joinDocument, type Setup } from "../render/documents.ts";

type Context = BootstrapContext<AcmeConfig>;

const waitFor = (what: string, requeueAfterMs: number): BootstrapOutcome =>
  bootstrap.waiting({ reason: "NotAvailable", message: `waiting for ${what}`, requeueAfterMs });

const done = (value: string): BootstrapOutcome => bootstrap.ready({ value, format: wire.bootstrapFormats.cloudConfig });

/** Returns the setup of a machine, apart from the token. */
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
  const pairs = await bootstrap.withCertificates(context, "init", () =>
    bootstrap.ensureCertificates(context, certificates, { owner, algorithm: "ECDSA-P256" }),
  );
  const token = await bootstrap.ensureClusterToken(context, { owner });
  return done(initDocument({ ...setup, token }, pairs));
};

const join = async (context: Context, setup: Omit<Setup, "token">, pollMs: number): Promise<BootstrapOutcome> => {
  const token = await bootstrap.findClusterToken(context);
  if (token === undefined) return waitFor("the cluster's token", pollMs);
  const { authority, pairs } = await bootstrap.withCertificates(context, "join", async () => ({
    authority: await bootstrap.clusterAuthority(context),
    pairs: context.controlPlane ? await bootstrap.requireCertificates(context, certificates) : undefined,
  }));
  return done(joinDocument({ ...setup, token }, caCertHashes(authority.certificate), pairs));
};

/** Returns the author of AcmeConfigs, which renders the document of a config's machine. */
export const acmeConfigAuthor = ({
  pollMs = bootstrapAcmeDefaults.pollMs,
}: BootstrapAcmeProviderOptions): BootstrapAuthor<AcmeConfig> => ({
  kind: AcmeConfig,
  readyInputs: ["CertificatesAvailable"],
  initLock: true,
  generate: async (context) => {
    const endpoint = wire.cluster.endpoint.get(context.cluster);
    if (endpoint === undefined) return waitFor("Cluster.spec.controlPlaneEndpoint", pollMs);
    const setup = await setupOf(context, endpoint);
    return bootstrap.initOrJoin(context, {
      init: () => init(context, setup),
      join: () => join(context, setup, pollMs),
    });
  },
  joined: async (context) => {
    if (context.controlPlane) await bootstrap.initLock(context).release();
  },
});
