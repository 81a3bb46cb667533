import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);
const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";

/** The real kubeadm. */
export const kubeadm: string = join(assets, "kubeadm");

/** Why it cannot be asked, in one line; `undefined` when it can. */
export const kubeadmMissing = (): string | undefined =>
  assets === "" || !existsSync(kubeadm)
    ? "KUBEBUILDER_ASSETS names no folder with kubeadm: npm run kube-assets builds one with Go"
    : undefined;

/** What a program said, and whether it liked what it was given. */
export interface Said {
  readonly succeeded: boolean;
  readonly text: string;
}

/** Runs a program to its end. */
export const ask = async (program: string, args: readonly string[]): Promise<Said> => {
  try {
    const { stdout, stderr } = await execute(program, args, { timeout: 60_000 });
    return { succeeded: true, text: `${stdout}${stderr}` };
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { readonly stdout?: string; readonly stderr?: string };
    return { succeeded: false, text: `${stdout}${stderr}` };
  }
};
