import { isJsonObject, type JsonObject } from "@capstan/schema";
import { readYamlValue } from "@capstan/kube-values/yaml";
import { elementalError } from "../errors.ts";

/** Where agents keep their configuration. */
export const agentConfigPath = "/etc/elemental/agent/config.yaml";

/** The part of a registration that every agent has from its boot medium. */
export interface AgentRegistration {
  readonly uri: string;
  readonly caCert: string;
  readonly token: string;
}

interface After {
  readonly powerOff: boolean;
  readonly reboot: boolean;
}

/** Settings of an agent. */
export interface AgentSettings {
  readonly workDir: string;
  readonly hostname: { readonly useExisting: boolean; readonly prefix: string };
  readonly debug: boolean;
  readonly osPlugin: string;
  readonly reconciliationMs: number;
  readonly insecureAllowHttp: boolean;
  readonly insecureSkipTlsVerify: boolean;
  readonly useSystemCertPool: boolean;
  readonly postInstall: After;
  readonly postReset: After;
}

/** The configuration of an agent. */
export interface AgentConfig {
  readonly registration: AgentRegistration;
  readonly agent: AgentSettings;
  /** As it was read, to be written again. */
  readonly raw: JsonObject;
}

const nanosecondsPerMs = 1_000_000;

const record = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
const text = (value: unknown, byDefault = ""): string =>
  typeof value === "string" && value !== "" ? value : byDefault;
const after = (value: unknown): After => {
  const { powerOff, reboot } = record(value);
  return { powerOff: powerOff === true, reboot: reboot === true };
};

const settingsOf = (agent: JsonObject): AgentSettings => {
  const { hostname, reconciliation, workDir, osPlugin } = agent;
  const name = record(hostname);
  return {
    workDir: text(workDir, "/var/lib/elemental/agent"),
    hostname: { useExisting: name["useExisting"] === true, prefix: text(name["prefix"]) },
    debug: agent["debug"] === true,
    osPlugin: text(osPlugin, "/usr/lib/elemental/plugins/elemental.so"),
    reconciliationMs:
      (typeof reconciliation === "number" && reconciliation > 0 ? reconciliation : 1e10) / nanosecondsPerMs,
    insecureAllowHttp: agent["insecureAllowHttp"] === true,
    insecureSkipTlsVerify: agent["insecureSkipTlsVerify"] === true,
    useSystemCertPool: agent["useSystemCertPool"] === true,
    postInstall: after(agent["postInstall"]),
    postReset: after(agent["postReset"]),
  };
};

const invalid = (field: string, problem: string, cause?: unknown): Error =>
  elementalError({
    code: "elemental.agent_config_invalid",
    reason: "AgentConfigInvalid",
    message: `the agent's configuration: ${field} ${problem}`,
    ...(cause === undefined ? {} : { cause }),
  });

/** Reads the configuration of an agent. Throws `elemental.agent_config_invalid` naming the field. */
export const readAgentConfig = (yaml: string): AgentConfig => {
  let raw: JsonObject;
  try {
    raw = record(readYamlValue(yaml));
  } catch (error) {
    throw invalid("the file", `is no YAML: ${(error as Error).message}`, error);
  }
  const { caCert, token, uri } = record(raw["registration"]);
  const agent = settingsOf(record(raw["agent"]));
  if (typeof uri !== "string" || !URL.canParse(uri)) {
    throw invalid("registration.uri", "is no URL; take it from spec.config.elemental.registration of the registration");
  }
  if (new URL(uri).protocol === "http:" && !agent.insecureAllowHttp) {
    throw invalid("registration.uri", "is plain HTTP; use HTTPS, or set agent.insecureAllowHttp");
  }
  if (text(token) === "") throw invalid("registration.token", "is missing");
  return { registration: { uri, caCert: text(caCert), token: text(token) }, agent, raw };
};

/** The configuration once the host has registered: what the registration says, at the place where the agent found it. */
export const registeredConfig = (before: AgentConfig, elemental: JsonObject): JsonObject => ({
  ...before.raw,
  ...(isJsonObject(elemental["agent"]) && { agent: { ...record(before.raw["agent"]), ...elemental["agent"] } }),
});
