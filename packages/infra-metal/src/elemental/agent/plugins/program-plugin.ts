import { isJsonObject, type JsonObject } from "@capstan/schema";
import { elementalError } from "../../errors.ts";
import type { HostSystem } from "../host-system.ts";
import type { OsPlugin, PluginContext } from "../os-plugin.ts";

/** Installing an operating system takes its time. */
const timeoutMs = 60 * 60_000;
const maxOutputBytes = 2 ** 20;

const failed = (program: string, method: string, problem: string): Error =>
  elementalError({
    code: "elemental.plugin_failed",
    reason: "PluginFailed",
    message: `the OS plugin ${program} failed at ${method}: ${problem}`,
    retry: { kind: "backoff" },
  });

/** Upstream's plugins are libraries of Go; a program of the same name stands in for one. */
export const programOf = (osPlugin: string): string => osPlugin.replace(/\.so$/, "");

/**
 * An OS plugin that is a program. For each call it is started with one line of JSON at its standard input,
 * `{"method": "install", "context": {...}, "params": {...}}`, and prints one as its last line: `{"result": ...}` or `{"error": "..."}`.
 */
export const programPlugin = (
  program: string,
  { signal, system }: { readonly system: HostSystem; readonly signal: AbortSignal },
): OsPlugin => {
  let context: PluginContext | undefined;
  const call = async (method: string, params: JsonObject = {}): Promise<unknown> => {
    const stdin = `${JSON.stringify({ method, context, params })}\n`;
    const { output, status } = await system.run({ program, stdin, timeoutMs, outputBytes: maxOutputBytes, signal });
    const line = output.trimEnd().split("\n").at(-1) ?? "";
    if (status !== 0) throw failed(program, method, `it ended with status ${status ?? "none in time"}: ${line}`);
    const answer = parsed(line);
    if (answer === undefined) throw failed(program, method, "its last line is no JSON object");
    if (answer["error"] !== undefined) throw failed(program, method, String(answer["error"]));
    return answer["result"];
  };
  const told = async (method: string, params?: JsonObject): Promise<void> => {
    await call(method, params);
  };
  return {
    init: async (given) => {
      context = given;
      await told("init");
    },
    getHostname: async () => String(await call("getHostname")),
    installHostname: (hostname) => told("installHostname", { hostname }),
    installCloudInit: (cloudConfig) => told("installCloudInit", { cloudConfig }),
    install: (config) => told("install", { config }),
    bootstrap: ({ config, format }) => told("bootstrap", { format, config }),
    reconcileOsVersion: async (osVersionManagement) =>
      (await call("reconcileOsVersion", { osVersionManagement })) === true,
    triggerReset: () => told("triggerReset"),
    reset: (config) => told("reset", { config }),
    powerOff: () => told("powerOff"),
    reboot: () => told("reboot"),
  };
};

const parsed = (line: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
