import { isJsonObject } from "@capstan/schema";
import type { ArmCall, ArmClient } from "../arm/arm-client.ts";
import { armError, azureError, failureIn } from "../arm/arm-error.ts";
import { nameIn } from "../arm/operation.ts";
import type { ResourceRef } from "../arm/resource-id.ts";

/** A script for the shell of a system. */
export interface MachineCommand {
  readonly os: "Linux" | "Windows";
  readonly lines: readonly string[];
}

/** State of a command, with its output, of which Azure shows the last 4096 bytes. `lost`: Azure no longer knows the command. */
export type CommandOutput =
  | { readonly state: "running" | "lost" }
  | { readonly state: "ended"; readonly stdout: string; readonly stderr: string };

const commandIds = { Linux: "RunShellScript", Windows: "RunPowerShellScript" } as const;

/** The two outputs in a message of the agent. */
export const outputsIn = (message: string): { readonly stdout: string; readonly stderr: string } => {
  const [, rest = ""] = message.split("\n[stdout]\n");
  const [stdout = "", stderr = ""] = rest.split("\n[stderr]\n");
  return { stdout, stderr };
};

/** Linux answers with both outputs in one message, Windows with one for each. */
const outputsOf = (body: unknown): { readonly stdout: string; readonly stderr: string } => {
  const value = isJsonObject(body) && Array.isArray(body["value"]) ? body["value"].filter(isJsonObject) : [];
  const messages = value.map(
    ({ code, message }) => [String(code), typeof message === "string" ? message : ""] as const,
  );
  const by = (part: string): string => messages.find(([code]) => code.includes(part))?.[1] ?? "";
  const both = messages.map(([, message]) => message).find((message) => message.includes("\n[stdout]\n"));
  return both === undefined ? { stdout: by("StdOut"), stderr: by("StdErr") } : outputsIn(both);
};

/** Begins a command inside a virtual machine, and answers with how to ask what it printed. */
export const startCommand = async (
  client: ArmClient,
  vm: ResourceRef,
  { lines, os }: MachineCommand,
  call: ArmCall,
): Promise<string> => {
  const doing = `run a command in ${nameIn(vm.id)}`;
  const body = { commandId: commandIds[os], script: lines };
  const { headers } = await client.send(
    "POST",
    `${vm.id}/runCommand`,
    { doing, apiVersion: vm.apiVersion, body },
    call,
  );
  const [address] = [headers["location"]].flat();
  if (address === undefined) throw azureError("unavailable", `could not ${doing}: the response contains no result`);
  return address;
};

/** Returns the state of a command, and its output once it is over. */
export const commandOutput = async (client: ArmClient, address: string, call: ArmCall): Promise<CommandOutput> => {
  const doing = "read what a command printed";
  if (!client.knows(address)) return { state: "lost" };
  const { body, status } = await client.follow(address, doing, call);
  if (status === 202) return { state: "running" };
  if (status === 404) return { state: "lost" };
  if (status >= 400) throw armError(doing, failureIn(body, status));
  return { state: "ended", ...outputsOf(body) };
};
