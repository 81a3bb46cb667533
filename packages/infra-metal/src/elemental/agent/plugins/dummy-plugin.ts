import { bootstrapFormats } from "@capstan/contract/wire";
import { own } from "@capstan/schema";
import { elementalError } from "../../errors.ts";
import type { HostFiles } from "../host-system.ts";
import type { OsPlugin, PluginContext } from "../os-plugin.ts";

/** Where bootstrap data goes, by its format. */
export const bootstrapPaths: Readonly<Record<string, string>> = {
  [bootstrapFormats.cloudConfig]: "/etc/cloud/cloud.cfg.d/elemental-capi-bootstrap.cfg",
  [bootstrapFormats.ignition]: "/usr/local/bin/ignition/data/elemental-capi-bootstrap.conf",
};

/** In the agent's folder: the next boot is one that resets. */
export const needsResetFile = "needs.reset";

export interface DummyPluginOptions {
  readonly files: HostFiles;
  readonly hostname: () => Promise<string>;
  readonly setHostname?: (hostname: string) => Promise<void>;
  readonly reboot?: () => Promise<void>;
  readonly powerOff?: () => Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

const refused = (message: string): Error =>
  elementalError({ code: "elemental.plugin_refused", reason: "PluginRefused", message, retry: { kind: "backoff" } });

/**
 * An OS plugin that writes down what it is asked for and leaves the operating system as it is: bootstrap data goes where cloud-init or
 * Ignition look for it.
 */
export const dummyPlugin = ({ files, hostname, powerOff, reboot, setHostname }: DummyPluginOptions): OsPlugin => {
  let workDir = "";
  const inWorkDir = (name: string): string => `${workDir}/${name}`;
  // JSON is YAML.
  const writeDown = (name: string, value: unknown): Promise<void> =>
    files.write(inWorkDir(name), `${JSON.stringify(value ?? {}, undefined, 2)}\n`);
  return {
    init: async (context: PluginContext) => {
      workDir = context.workDir;
    },
    getHostname: hostname,
    installHostname: async (name) => {
      await files.write("/etc/hostname", `${name}\n`, { mode: 0o644 });
      await setHostname?.(name);
    },
    installCloudInit: (cloudConfig) =>
      files.write("/etc/cloud/cloud.cfg.d/elemental.cfg", `#cloud-config\n${JSON.stringify(cloudConfig ?? {})}\n`),
    install: (config) => writeDown("install.yaml", config),
    bootstrap: async ({ config, format }) => {
      const path = own(bootstrapPaths, format);
      if (path === undefined) throw refused(`bootstrap data of the format ${format} is not known here`);
      const present = await files.read(path);
      if (present !== undefined && Buffer.from(present).toString("utf8") !== config) {
        throw refused(`the host was given other bootstrap data before, in ${path}; reset the host`);
      }
      await files.write(path, config);
    },
    reconcileOsVersion: async (wanted) => {
      await writeDown("os-version.yaml", wanted);
      return false;
    },
    triggerReset: async () => {
      await files.write(inWorkDir(needsResetFile), "");
      await reboot?.();
    },
    reset: async (config) => {
      await writeDown("reset.yaml", config);
      for (const path of Object.values(bootstrapPaths)) await files.remove(path);
      await files.remove(inWorkDir(needsResetFile));
    },
    powerOff: powerOff ?? nothing,
    reboot: reboot ?? nothing,
  };
};
