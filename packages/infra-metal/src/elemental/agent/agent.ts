import type { Clock, Logger, Random } from "@capstan/contract";
import { isCapstanError } from "@capstan/contract";
import { isJsonObject, type JsonObject } from "@capstan/schema";
import { ElementalCondition, ElementalReason, type HostPhase } from "../api/elemental-conditions.ts";
import { elementalError } from "../errors.ts";
import { httpRequests, type Requests } from "../http/requests.ts";
import type { HostState } from "../server/host-state.ts";
import {
  agentConfigPath,
  readAgentConfig,
  registeredConfig,
  type AgentConfig,
  type AgentSettings,
} from "./agent-config.ts";
import { installedBundle, removeComponents } from "./components/install-components.ts";
import { ElementalClient, type ReportedCondition } from "./elemental-client.ts";
import type { HostSystem } from "./host-system.ts";
import { forgetIdentity, keyPath, loadIdentity } from "./identity.ts";
import type { OsPlugin } from "./os-plugin.ts";
import { forgetRuns, runOnce, type RunMemory, type RunPlace } from "./run-once.ts";

/** Outcome of an agent command. The program that runs it exits, too, and the host powers off or reboots if the outcome says so. */
export type AgentOutcome = "done" | "power-off" | "reboot";

export interface AgentOptions {
  readonly system: HostSystem;
  readonly plugin: OsPlugin;
  /** Default `/etc/elemental/agent/config.yaml`. */
  readonly configPath?: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

interface Opened {
  readonly config: AgentConfig;
  readonly client: ElementalClient;
  readonly requests: Requests;
}

/** The agent of a host: it registers the host, has the operating system installed, bootstraps it, and resets it. */
export class HostAgent {
  readonly #options: AgentOptions;

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  /** Makes the host known. Tries until it succeeds. */
  register(): Promise<AgentOutcome> {
    return this.#with(async (opened) => {
      const { client, config } = opened;
      await this.#untilDone(opened, this.#failedAs("registrationReady", "registrationFailed"), async () => {
        const known = await client.registration();
        const told = isJsonObject(known.config["elemental"]) ? known.config["elemental"] : {};
        const { hostname, workDir } = settingsIn(opened, told);
        const host = await this.#hostname({ ...config.agent, hostname });
        const labels = { labels: known.hostLabels, annotations: known.hostAnnotations };
        if ((await client.report(host, { phase: "Registering" })) === undefined) {
          if ((await client.register(host, labels)) === "conflict") throw nameTaken(host);
        }
        await this.#moveTo(workDir, config.agent);
        await this.#remember(workDir, config, known.config);
        await this.#options.plugin.installHostname(host);
        await client.report(host, { phase: "Finalizing Registration", condition: done("registrationReady") });
      });
      return "done";
    });
  }

  /** Has the operating system installed. Tries until it succeeds. */
  install(): Promise<AgentOutcome> {
    return this.#with(async (opened) => {
      const { plugin } = this.#options;
      const told = await this.#told(opened.config.agent);
      const { elemental } = told;
      const cloudConfigFailed = this.#failedAs("installationReady", "cloudConfigInstallationFailed");
      await this.#untilDone(opened, cloudConfigFailed, async () => {
        const state = await this.#phase(opened, "Installing");
        if (!state.installed) await plugin.installCloudInit(told.cloudConfig);
      });
      await this.#untilDone(opened, this.#failedAs("installationReady", "installationFailed"), async () => {
        const state = await this.#phase(opened, "Installing");
        if (state.installed) return;
        await plugin.install(elemental["install"]);
        await this.#report(opened, { installed: true, condition: done("installationReady") });
      });
      return this.#afterwards(settingsIn(opened, elemental).postInstall);
    });
  }

  /** Does what is to be done, again and again, until the host has to reboot. */
  run(): Promise<AgentOutcome> {
    return this.#with(async (opened) => {
      const { clock, plugin, signal } = this.#options;
      const told = await this.#told(opened.config.agent);
      const { reconciliationMs, workDir } = settingsIn(opened, told.elemental);
      const host = await this.#hostname(opened.config.agent);
      const place: RunPlace = { ...this.#options, ...opened, host, workDir };
      const memory: RunMemory = { phase: "Running" };
      for (;;) {
        signal.throwIfAborted();
        try {
          const next = await runOnce(place, memory);
          if (next === "reboot") await plugin.reboot();
          if (next !== "again") return "reboot";
        } catch (error) {
          signal.throwIfAborted();
          this.#warn("the agent tries again", error);
        }
        await clock.sleep(reconciliationMs, { signal });
      }
    });
  }

  /** Takes everything back: the host is no one's again. Tries until it succeeds. */
  reset(): Promise<AgentOutcome> {
    return this.#with(async (opened) => {
      const { plugin, signal, system } = this.#options;
      const { agent } = opened.config;
      const { elemental } = await this.#told(agent);
      const { workDir } = agent;
      // The OS plugin may remove what the agent has written down.
      const host = await this.#hostname(agent);
      await this.#untilDone(opened, this.#failedAs("resetReady", "resetFailed"), async () => {
        await opened.client.report(host, { phase: "Resetting" });
        await opened.client.remove(host);
        if ((await installedBundle({ system, workDir })) !== "") {
          const problem = await removeComponents({ system, workDir, signal });
          if (problem !== undefined) this.#options.log.warn("the components are not removed", { problem });
        }
        await plugin.reset(elemental["reset"]);
        await opened.client.report(host, { reset: true, condition: done("resetReady") });
      });
      await this.#forget(workDir);
      return this.#afterwards(settingsIn(opened, elemental).postReset);
    });
  }

  async #with(work: (opened: Opened) => Promise<AgentOutcome>): Promise<AgentOutcome> {
    const { clock, configPath = agentConfigPath, plugin, signal, system } = this.#options;
    const text = await system.files.read(configPath);
    if (text === undefined) throw configMissing(configPath);
    const config = readAgentConfig(Buffer.from(text).toString("utf8"));
    const { agent, registration } = config;
    await plugin.init({ workDir: agent.workDir, configPath, debug: agent.debug });
    const requests = httpRequests({
      authority: registration.caCert === "" ? undefined : registration.caCert,
      trustsPublic: agent.useSystemCertPool || registration.caCert === "",
      trustsAll: agent.insecureSkipTlsVerify,
    });
    const identity = await loadIdentity(system.files, agent.workDir);
    try {
      const client = new ElementalClient({ registration, identity, requests, clock, signal });
      return await work({ config, client, requests });
    } finally {
      await requests.close();
    }
  }

  /** The name under which the host registers: once it has one, it keeps it. */
  async #hostname({ hostname, workDir }: AgentSettings): Promise<string> {
    const { plugin, random, system } = this.#options;
    const path = hostnamePath(workDir);
    const stored = await system.files.read(path);
    if (stored !== undefined) return Buffer.from(stored).toString("utf8").trim();
    const name = hostname.useExisting ? await plugin.getHostname() : randomName(random);
    const host = `${hostname.prefix}${name}`.toLowerCase();
    await system.files.write(path, host, { mode: 0o644 });
    return host;
  }

  /** Copies the identity of the host to the folder that the registration names, before the configuration names that folder. */
  async #moveTo(workDir: string, { workDir: before }: AgentSettings): Promise<void> {
    const { files } = this.#options.system;
    if (workDir === before) return;
    for (const { mode, pathIn } of identityFiles) {
      const bytes = await files.read(pathIn(before));
      if (bytes !== undefined) await files.write(pathIn(workDir), bytes, { mode });
    }
  }

  /** Writes the settings of the registration to files, for the commands that follow. */
  async #remember(workDir: string, config: AgentConfig, told: JsonObject): Promise<void> {
    const { configPath = agentConfigPath, system } = this.#options;
    await system.files.write(toldPath(workDir), JSON.stringify(told), { mode: 0o640 });
    const elemental = isJsonObject(told["elemental"]) ? told["elemental"] : {};
    // JSON is YAML.
    const written = JSON.stringify(registeredConfig(config, elemental), undefined, 2);
    await system.files.write(configPath, `${written}\n`, { mode: 0o640 });
  }

  async #told({ workDir }: AgentSettings): Promise<{ readonly cloudConfig: unknown; readonly elemental: JsonObject }> {
    const stored = await this.#options.system.files.read(toldPath(workDir));
    if (stored === undefined) throw notRegistered();
    const told = JSON.parse(Buffer.from(stored).toString("utf8")) as JsonObject;
    const { cloudConfig, elemental } = told;
    return { cloudConfig, elemental: isJsonObject(elemental) ? elemental : {} };
  }

  async #forget(workDir: string): Promise<void> {
    const { files } = this.#options.system;
    await files.remove(hostnamePath(workDir));
    await files.remove(toldPath(workDir));
    await forgetRuns(files, workDir);
    await forgetIdentity(files, workDir);
  }

  async #report(opened: Opened, report: Parameters<ElementalClient["report"]>[1]): Promise<HostState> {
    const host = await this.#hostname(opened.config.agent);
    const state = await opened.client.report(host, report);
    if (state === undefined) throw notKnown(host);
    return state;
  }

  /** A host without a name has no one to report to. */
  async #reportIfKnown({ client, config }: Opened, report: Parameters<ElementalClient["report"]>[1]): Promise<void> {
    const stored = await this.#options.system.files.read(hostnamePath(config.agent.workDir));
    if (stored !== undefined) await client.report(Buffer.from(stored).toString("utf8").trim(), report);
  }

  #phase(opened: Opened, phase: HostPhase): Promise<HostState> {
    return this.#report(opened, { phase });
  }

  #failedAs(
    type: keyof typeof ElementalCondition,
    reason: keyof typeof ElementalReason,
  ): (message: string) => ReportedCondition {
    return (message) => ({
      type: ElementalCondition[type],
      status: "False",
      severity: "Error",
      reason: ElementalReason[reason],
      message,
    });
  }

  /** Does something until it succeeds. What goes wrong is reported as a condition, where the API can be reached. */
  async #untilDone(
    opened: Opened,
    failure: (message: string) => ReportedCondition,
    work: () => Promise<void>,
  ): Promise<void> {
    const { clock, signal } = this.#options;
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        signal.throwIfAborted();
        this.#warn("the agent tries again", error);
        await this.#reportIfKnown(opened, { condition: failure((error as Error).message) }).catch(() => undefined);
        signal.throwIfAborted();
        await clock.sleep(opened.config.agent.reconciliationMs, { signal });
      }
    }
  }

  async #afterwards({ powerOff, reboot }: AgentSettings["postInstall"]): Promise<AgentOutcome> {
    const { plugin } = this.#options;
    if (powerOff) {
      await plugin.powerOff();
      return "power-off";
    }
    if (!reboot) return "done";
    await plugin.reboot();
    return "reboot";
  }

  #warn(message: string, error: unknown): void {
    const code = isCapstanError(error) ? error.code : undefined;
    this.#options.log.warn(message, { code, error: (error as Error).message });
  }
}

const hostnamePath = (workDir: string): string => `${workDir}/hostname`;
const identityFiles = [
  { pathIn: hostnamePath, mode: 0o644 },
  { pathIn: keyPath, mode: 0o640 },
] as const;
const toldPath = (workDir: string): string => `${workDir}/registration.json`;

/** The settings of the agent's own file, with what the registration says over them. */
const settingsIn = ({ config }: Opened, elemental: JsonObject): AgentSettings =>
  readAgentConfig(JSON.stringify(registeredConfig(config, elemental))).agent;

const done = (type: keyof typeof ElementalCondition): ReportedCondition => ({
  type: ElementalCondition[type],
  status: "True",
  reason: ElementalReason.done,
});

const randomName = (random: Random): string => {
  const hex = Buffer.from(random.bytes(16)).toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};

const configMissing = (path: string): Error =>
  elementalError({
    code: "elemental.agent_config_invalid",
    reason: "AgentConfigInvalid",
    message: `the agent's configuration: there is no file ${path}; write registration.uri, caCert and token into it`,
  });

const nameTaken = (host: string): Error =>
  elementalError({
    code: "elemental.host_name_taken",
    reason: ElementalReason.registrationFailed,
    message: `there is another ElementalHost ${host}; delete it, or give hosts other names by spec.config.elemental.agent.hostname of the registration`,
    retry: { kind: "backoff" },
  });

const notRegistered = (): Error =>
  elementalError({
    code: "elemental.not_registered",
    reason: ElementalReason.registrationFailed,
    message: "the host has not registered; run the agent's register first",
  });

const notKnown = (host: string): Error =>
  elementalError({
    code: "elemental.host_unknown",
    reason: ElementalReason.registrationFailed,
    message: `the registration does not know the host ${host}; run the agent's reset, then register`,
    retry: { kind: "backoff" },
  });
