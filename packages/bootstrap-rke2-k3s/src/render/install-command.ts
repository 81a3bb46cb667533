import { bootstrapSentinel } from "@capstan/contract";
import { withSuccessSentinel } from "@capstan/kit/bootstrap";
import type { Distribution } from "./distribution.ts";
import { isServer, type NodeInput } from "./node-input.ts";

/** A word of the shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const offlineScript = ({ source }: NodeInput): string => {
  const path = source.agent["airGappedInstallScriptPath"];
  return typeof path === "string" && path !== "" && path !== "/opt/install.sh" ? quoted(path) : "/opt/install.sh";
};

const checksumGuard = ({ source }: NodeInput): readonly string[] => {
  const checksum = source.agent["airGappedChecksum"];
  return typeof checksum === "string" && checksum !== ""
    ? [`[ "$(sha256sum /opt/rke2-artifacts/sha256sum*.txt | awk '{print $1}')" = "${checksum}" ]`]
    : [];
};

const install = ({ installer, name }: Distribution, input: NodeInput): readonly string[] => {
  const role = `${installer.roleVariable}=${quoted(isServer(input) ? "server" : "agent")}`;
  if (input.source.agent["airGapped"] === true) {
    return [...checksumGuard(input), `${installer.offline} ${role} sh ${offlineScript(input)}`];
  }
  const script = `/run/${name}-install.sh`;
  return [
    `curl -sfL --retry 5 -o ${script} ${installer.url}`,
    `${installer.versionVariable}=${quoted(input.version)} ${role} sh ${script}`,
  ];
};

const start = ({ installer, services }: Distribution, input: NodeInput): readonly string[] => {
  if (installer.starts) return [];
  const [service, other] = isServer(input) ? [services.server, services.agent] : [services.agent, services.server];
  return [`{ systemctl mask ${other} || true; }`, `systemctl enable ${service}`, `systemctl start ${service}`];
};

/**
 * Installs and starts the distribution, and says that it succeeded. One command: cloud-init runs commands without `set -e`, and what
 * comes from a pipe hides its failure.
 */
export const installCommand = (
  distribution: Distribution,
  input: NodeInput,
  scripts: readonly { readonly path: string }[],
): string =>
  withSuccessSentinel(
    [
      ...install(distribution, input),
      ...scripts.map(({ path }) => path),
      ...start(distribution, input),
      `mkdir -p ${bootstrapSentinel.slice(0, bootstrapSentinel.lastIndexOf("/"))}`,
    ].join(" && "),
  );
