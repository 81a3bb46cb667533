import { cluster as clusterFields, ClusterResource, ownerReference } from "@capstan/contract/wire";
import {
  type BootstrapAuthor,
  type BootstrapContext,
  type BootstrapOutcome,
  ensureClusterToken,
  initLock,
  initOrJoin,
  packedDocument,
  ready,
  waiting,
  withCertificates,
} from "@capstan/kit/bootstrap";
import type { KubeObject } from "@capstan/schema";
import { permission } from "@capstan/kit";
import { ConfigCondition, ConfigEvent, ConfigReason } from "../api/conditions.ts";
import type { NodeInput, Role, Source } from "../render/node-input.ts";
import { authoritiesOf, formatOf, renderNodeDocument } from "../render/node-document.ts";
import { checkedVersion } from "../render/versions.ts";
import { ensureAuthorities } from "./authorities.ts";
import type { ConfigKind, Sections } from "./config-kind.ts";
import { readContents } from "./contents.ts";
import { extraConfigOf } from "./extra-config.ts";
import { installerSettingsOf } from "./installer-settings.ts";
import { findAgentToken, joinTokens } from "./join-token.ts";
import { RKE2ControlPlaneResource } from "./rke2-control-plane-resource.ts";

/** Some metadata services take no more, in bytes. */
const largeBytes = 16_384;

const sourceOf = (
  { cluster }: BootstrapContext<KubeObject>,
  { agent, registrationAddress, server }: Sections,
): Source => ({
  agent,
  server,
  cluster: {
    endpointHost: clusterFields.endpoint.get(cluster)?.host ?? "",
    registrationAddress,
    podCidrs: clusterFields.podCidrs.get(cluster) ?? [],
    serviceCidrs: clusterFields.serviceCidrs.get(cluster) ?? [],
    serviceDomain: clusterFields.serviceDomain.get(cluster),
  },
});

const certificatesAvailable = (context: BootstrapContext<KubeObject>): void =>
  context.condition({
    type: ConfigCondition.certificatesAvailable,
    status: "True",
    reason: ConfigReason.certificatesAvailable,
  });

/** The part of a machine's input that depends on its role, or why it has to wait. */
type RoleParts = Pick<NodeInput, "agentToken" | "certificates" | "role" | "server" | "token">;

const initParts = async <O extends KubeObject>(
  config: ConfigKind<O>,
  context: BootstrapContext<O>,
  place: { readonly controlPlane: KubeObject | undefined; readonly source: Source },
): Promise<RoleParts> => {
  const { controlPlane, source } = place;
  const certificates = await withCertificates(context, "init", () =>
    ensureAuthorities(context, authoritiesOf(config.distribution, source), controlPlane),
  );
  const owner = ownerReference(ClusterResource, context.cluster, { controller: true });
  const token = await ensureClusterToken(context, { owner });
  return { role: "init", certificates, token, agentToken: await findAgentToken(context) };
};

const joinParts = async <O extends KubeObject>(
  config: ConfigKind<O>,
  context: BootstrapContext<O>,
  controlPlane: KubeObject | undefined,
): Promise<{ readonly parts: RoleParts } | { readonly outcome: BootstrapOutcome }> => {
  const tokens = await joinTokens(context);
  if (tokens === undefined) {
    const message = `waiting for Secret ${context.cluster.metadata.name ?? ""}-token with the cluster's token`;
    return { outcome: waiting({ reason: ConfigReason.waitingForToken, message }) };
  }
  const registration = config.register(context, controlPlane);
  if ("outcome" in registration) return registration;
  certificatesAvailable(context);
  const role: Role = context.controlPlane ? "join" : "agent";
  return { parts: { role, certificates: new Map(), server: registration.url, ...tokens } };
};

const noteIfLarge = (context: BootstrapContext<KubeObject>, value: string | Uint8Array): void => {
  const bytes = Buffer.byteLength(value);
  if (bytes <= largeBytes) return;
  const message = `the bootstrap data has ${bytes} bytes, more than the ${largeBytes} that some metadata services accept: use an object store, smaller files, or ECDSA-P256 authorities`;
  context.event({ type: "Normal", reason: ConfigEvent.large, message });
};

const generate = async <O extends KubeObject>(
  config: ConfigKind<O>,
  context: BootstrapContext<O>,
): Promise<BootstrapOutcome> => {
  const { distribution } = config;
  const { field, version: wanted } = config.version(context);
  const version = checkedVersion(wanted, field, distribution.version);
  const extraConfig = extraConfigOf(context.object);
  const controlPlane = await config.controlPlane(context);
  const sections = config.sections(context.object, controlPlane);
  const source = sourceOf(context, sections);
  const installer = installerSettingsOf(context.object, distribution, source);
  const document = async (parts: RoleParts): Promise<BootstrapOutcome> => {
    const contents = await readContents(context, sections, { distribution, role: parts.role, source });
    const { postCommands, preCommands } = sections;
    const input = { ...parts, ...contents, version, source, preCommands, postCommands, extraConfig, installer };
    const text = renderNodeDocument(distribution, input);
    const format = formatOf(source);
    const value = sections.gzip ? packedDocument(text, format) : text;
    noteIfLarge(context, value);
    return ready({ value, format });
  };
  return initOrJoin(context, {
    init: async () => document(await initParts(config, context, { controlPlane, source })),
    join: async () => {
      const joining = await joinParts(config, context, controlPlane);
      return "outcome" in joining ? joining.outcome : document(joining.parts);
    },
  });
};

/** The verbs of the controller of one kind of config. */
export const configAuthor = <O extends KubeObject>(
  config: ConfigKind<O>,
  { concurrency }: { readonly concurrency: number },
): BootstrapAuthor<O> => ({
  kind: config.kind,
  concurrency,
  readyInputs: [ConfigCondition.certificatesAvailable],
  ...(config.controlPlaneKind !== undefined && { controlPlane: config.controlPlaneKind }),
  initLock: true,
  permissions: [permission(RKE2ControlPlaneResource, ["get"])],
  generate: (context) => generate(config, context),
  joined: async (context) => {
    if (context.controlPlane) await initLock(context).release();
  },
});
