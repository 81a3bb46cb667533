import { bootstrapSentinel } from "@capstan/contract";
import { bootstrapFormats } from "@capstan/contract/wire";
import { withSuccessSentinel } from "@capstan/kit/bootstrap";
import type { Distribution } from "./distribution.ts";
import { lastingSentinel } from "./ignition-node.ts";
import { isServer, type NodeInput } from "./node-input.ts";

/** A word of the shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const offlineScript = ({ source }: NodeInput): string => {
  const path = source.agent["airGappedInstallScriptPath"];
  return typeof path === "string" && path !== "" && path !== "/opt/install.sh" ? quoted(path) : "/opt/install.sh";
};

/** The files of the image are those that were meant. */
const checksumTest = ({ source }: NodeInput): string | undefined => {
  const { airGapped, airGappedChecksum: checksum } = source.agent;
  if (airGapped !== true || typeof checksum !== "string" || checksum === "") return undefined;
  return `[ "$(sha256sum /opt/rke2-artifacts/sha256sum*.txt | awk '{print $1}')" = "${checksum}" ]`;
};

/** A comparison says nothing when it fails: this does, last of all. */
const whyFailed = (input: NodeInput): string => {
  const test = checksumTest(input);
  if (test === undefined) return "";
  return ` || { ${test} || echo 'error: the files in /opt/rke2-artifacts do not have the checksum of airGappedChecksum' >&2; false; }`;
};

/** A command with variables before it. */
const withVariables = (variables: Readonly<Record<string, string>>, command: string): string =>
  [...Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`), command].join(" ");

/** Those variables that programs read to find a proxy. */
const proxiesOf = (variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => /_proxy$/i.test(name)));

const install = ({ installer, name }: Distribution, input: NodeInput): readonly string[] => {
  const { url = installer.url, variables = {} } = input.installer ?? {};
  const ordered = Object.fromEntries(Object.entries(variables).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  const role = withVariables(ordered, `${installer.roleVariable}=${quoted(isServer(input) ? "server" : "agent")}`);
  if (input.source.agent["airGapped"] === true) {
    return [...[checksumTest(input) ?? []].flat(), `${installer.offline} ${role} sh ${offlineScript(input)}`];
  }
  const script = `/run/${name}-install.sh`;
  return [
    withVariables(proxiesOf(ordered), `curl -sfL --retry 5 -o ${script} ${url === installer.url ? url : quoted(url)}`),
    `${installer.versionVariable}=${quoted(input.version)} ${role} sh ${script}`,
  ];
};

const start = ({ installer, services }: Distribution, input: NodeInput): readonly string[] => {
  if (installer.starts) return [];
  const [service, other] = isServer(input) ? [services.server, services.agent] : [services.agent, services.server];
  return [`{ systemctl mask ${other} || true; }`, `systemctl enable ${service}`, `systemctl start ${service}`];
};

/** Returns the command that sets SELinux labels on the installer's files, where SELinux is present. */
const relabel = ({ services }: Distribution): string => {
  const units = Object.values(services).map((service) => `/usr/local/lib/systemd/system/${service}`);
  return `{ restorecon ${units.join(" ")} 2>/dev/null || true; }`;
};

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));

/**
 * Installs and starts the distribution, and says that it succeeded. One command: cloud-init runs commands without `set -e`, and what
 * comes from a pipe hides its failure.
 */
export const installCommand = (
  distribution: Distribution,
  input: NodeInput,
  { format, scripts }: { readonly format: string; readonly scripts: readonly { readonly path: string }[] },
): string => {
  const isIgnition = format === bootstrapFormats.ignition;
  const commands = withSuccessSentinel(
    [
      ...install(distribution, input),
      ...scripts.map(({ path }) => path),
      ...(isIgnition && !distribution.installer.starts ? [relabel(distribution)] : []),
      ...start(distribution, input),
      `mkdir -p ${folderOf(bootstrapSentinel)}`,
      ...(isIgnition ? [`mkdir -p ${folderOf(lastingSentinel)}`, `echo success > ${lastingSentinel}`] : []),
    ].join(" && "),
  );
  const command = commands + whyFailed(input);
  // To the shell's `set -e` only the last command of a list has failed.
  return isIgnition ? `${command} || exit 1` : command;
};
