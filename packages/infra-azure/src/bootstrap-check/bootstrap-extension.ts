import type { DesiredExtension } from "../cloud/vm-extension.ts";
import { checkCommand } from "./check-command.ts";

/** The machine that the check is for. */
export interface CheckedMachine {
  readonly os: "Linux" | "Windows";
  /** `CpuArchitectureType` of its size. */
  readonly architecture: string | undefined;
  /** Time limit for bootstrapping, in milliseconds. */
  readonly waitMs: number;
}

const publisher = "Microsoft.Azure.ContainerUpstream";

/** Name and type of the extension that checks bootstrapping; CustomScript stays free for the user. */
export const bootstrapExtensionName = (os: CheckedMachine["os"]): string => `CAPZ.${os}.Bootstrapping`;

/** The extension that checks bootstrapping: what it runs comes from here, in settings that no one can read again. */
export const bootstrapExtension = ({ architecture, os, waitMs }: CheckedMachine): DesiredExtension => ({
  name: bootstrapExtensionName(os),
  type: bootstrapExtensionName(os),
  publisher,
  version: os === "Linux" && architecture?.toLowerCase() === "arm64" ? "1.1" : "1.0",
  protectedSettings: { commandToExecute: checkCommand(os, waitMs) },
});
