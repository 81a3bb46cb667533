import {
  certificateFiles,
  cloudInitDocument,
  type ClusterCertificate,
  exactFile,
  type FileEntry,
  type MachineSetup,
  type Ntp,
  printedByJinja,
  rootFile,
  yamlText,
} from "@capstan/kit/bootstrap";
import { bootstrapFormats } from "@capstan/contract/wire";
import { dataDirectory, type Distribution } from "./distribution.ts";
import { isServer, type NodeInput, type Source } from "./node-input.ts";
import { ignitionNode } from "./ignition-node.ts";
import { installCommand } from "./install-command.ts";
import { mapReferences } from "./references.ts";
import { configOf } from "./row.ts";
import { additionalConfig, additionalSections } from "./user-data.ts";

/** The authorities of a distribution, and where the first server has them. */
export const authoritiesOf = (distribution: Distribution, source: Source): readonly ClusterCertificate[] => {
  const folder = `${dataDirectory(distribution, source)}/server/tls`;
  return distribution.authorities.map(({ file, purpose }) => ({
    purpose,
    files: { certificate: `${folder}/${file}.crt`, key: `${folder}/${file}.key` },
  }));
};

/** The format of a machine's document. */
export const formatOf = ({ agent }: Source): string =>
  agent["format"] === bootstrapFormats.ignition ? bootstrapFormats.ignition : bootstrapFormats.cloudConfig;

/** Escapes texts read from other objects for Jinja, which must not render them; for Ignition they stay unchanged. */
const asItIs = (source: Source, texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  formatOf(source) === bootstrapFormats.ignition
    ? texts
    : Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, printedByJinja(text)]));

const configFile = (
  distribution: Distribution,
  input: NodeInput,
  referenced: Readonly<Record<string, string>>,
): FileEntry => {
  const { agentToken, extraConfig, role, server, source, token } = input;
  // It is etcd that is begun.
  const hasDatastore = "datastore-endpoint" in referenced;
  const config = {
    ...(role === "init" && distribution.initKey !== undefined && !hasDatastore && { [distribution.initKey]: true }),
    ...(server !== undefined && { server }),
    ...asItIs(source, { token, ...(agentToken !== undefined && isServer(input) && { "agent-token": agentToken }) }),
    ...configOf(distribution.rows, input),
    ...asItIs(source, referenced),
    ...extraConfig,
  };
  return rootFile(`${distribution.configDirectory}/config.yaml`, yamlText(config));
};

const manifestFiles = (distribution: Distribution, input: NodeInput, manifests: NodeInput["manifests"]) => {
  const folder = `${dataDirectory(distribution, input.source)}/server/manifests`;
  return Object.entries(manifests).map(([name, content]) =>
    exactFile({ path: `${folder}/${name}`, owner: "root:root", permissions: "0640" }, content),
  );
};

const setupOf = (distribution: Distribution, input: NodeInput): MachineSetup => {
  const { agent } = input.source;
  const scripts = distribution.hardening?.(input) ?? [];
  const references = mapReferences(distribution, input);
  const own = isServer(input) ? (distribution.manifests?.(input) ?? {}) : {};
  const ownManifests = Object.fromEntries(Object.entries(own).map(([name, text]) => [name, Buffer.from(text)]));
  const ntp = agent["ntp"] as Ntp | undefined;
  return {
    files: [
      ...scripts,
      ...references.files,
      ...input.registryFiles,
      ...input.files,
      ...(isServer(input) ? manifestFiles(distribution, input, input.manifests) : []),
      ...(input.role === "init" ? certificateFiles(authoritiesOf(distribution, input.source), input.certificates) : []),
      ...manifestFiles(distribution, input, ownManifests),
      configFile(distribution, input, references.config),
    ],
    commands: [
      ...input.preCommands,
      installCommand(distribution, input, { scripts, format: formatOf(input.source) }),
      ...input.postCommands,
    ],
    ...(ntp !== undefined && ntp.enabled !== false && { ntp: { ...ntp, enabled: true } }),
  };
};

/** The document with which a machine becomes a Node, in the format that is asked for. The same input gives the same text. */
export const renderNodeDocument = (distribution: Distribution, input: NodeInput): string => {
  const setup = setupOf(distribution, input);
  const { additionalUserData } = input.source.agent;
  return formatOf(input.source) === bootstrapFormats.ignition
    ? ignitionNode(distribution, setup, additionalConfig(additionalUserData))
    : cloudInitDocument({ ...setup, more: additionalSections(additionalUserData) });
};
