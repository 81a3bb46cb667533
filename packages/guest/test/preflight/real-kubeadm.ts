import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Scenario } from "./scenario.ts";

/** Why a real kubeadm cannot be asked here, in one line; `undefined` when it can. */
export const missing = (kubeadm: string): string | undefined => {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "it needs Linux and root, for namespaces";
  return existsSync(kubeadm)
    ? undefined
    : "KUBEBUILDER_ASSETS names no folder with kubeadm: npm run kube-assets builds one with Go";
};

const which = (program: string): string =>
  spawnSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).stdout.trim();

/** Makes a program see less memory; `undefined` where it cannot be built. */
export const buildTracer = (folder: string): string | undefined => {
  const output = join(folder, "less-memory");
  const source = join(import.meta.dirname, "less-memory.c");
  const hasBuilt = process.arch === "x64" && spawnSync("cc", ["-O1", "-o", output, source]).status === 0;
  return hasBuilt ? output : undefined;
};

/** Folders that kubeadm looks into are empty, and the kernel's settings are the machine's own. */
const setup = `
for folder in /etc /run /var/lib; do mount -t tmpfs tmpfs "$folder"; done
[ /var/run -ef /run ] || mount --bind /run /var/run
printf 'Filename\\tType\\tSize\\tUsed\\tPriority\\n%s' "$SWAPS" >/run/swaps
mount --bind /run/swaps /proc/swaps
echo "$FORWARDING" >/proc/sys/net/ipv4/ip_forward
hostname worker-0
ip link set lo up 2>/dev/null || true
exec "$NODE" --conditions=@capstan/source "$DRIVER" "$FOLDER" "$KUBEADM" "$TRACER"
`;

/** What the real kubeadm prints in a scenario, line by line; what it says of the host's kernel is left out. */
export const realPreflight = async (
  scenario: Scenario & { readonly kubelet: string },
  programs: { readonly kubeadm: string; readonly tracer: string | undefined },
): Promise<readonly string[]> => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-preflight-"));
  try {
    writeFileSync(join(folder, "scenario.json"), JSON.stringify(scenario));
    copyFileSync(which("taskset"), join(folder, "taskset"));
    const env = {
      PATH: process.env["PATH"],
      NODE: process.execPath,
      DRIVER: join(import.meta.dirname, "in-namespace.ts"),
      FOLDER: folder,
      KUBEADM: programs.kubeadm,
      TRACER: programs.tracer ?? "",
      SWAPS: scenario.swap === true ? "/dev/sdb\tpartition\t524284\t0\t-2\n" : "",
      FORWARDING: scenario.forwarding === false ? "0" : "1",
    };
    const output = await new Promise<string>((resolve, reject) => {
      const args = [
        "--net",
        "--mount",
        "--uts",
        "--pid",
        "--fork",
        "--kill-child",
        "--mount-proc",
        "bash",
        "-euc",
        setup,
      ];
      execFile("unshare", args, { env, timeout: 60_000 }, (error, stdout, stderr) =>
        stdout === "" ? reject(new Error(`${error?.message ?? ""}${stderr}`)) : resolve(stdout),
      );
    });
    const { stdout, stderr } = JSON.parse(output) as { readonly stdout: string; readonly stderr: string };
    return [stdout, stderr].flatMap((text) => text.split("\n"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
