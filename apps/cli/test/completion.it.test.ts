import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createApiServer } from "@capstan/apiserver";
import { silentLogger } from "@capstan/contract";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completionScript, shells } from "../src/completion/completion-script.ts";

const repository = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "capstan-completion-"));
const configMap = (name: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: "default", name },
});
const server = createApiServer({
  clock: systemClock,
  random: cryptoRandom,
  log: silentLogger,
  storage: "memory",
  manifests: [configMap("apple"), configMap("apricot"), configMap("banana")],
});

beforeAll(async () => {
  await server.start();
  writeFileSync(join(folder, "kubeconfig"), await server.adminKubeconfig(), { mode: 0o600 });
  const shim = join(folder, "capstan");
  const main = join(repository, "apps/cli/src/main.ts");
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" --conditions=@capstan/source "${main}" "$@"\n`);
  chmodSync(shim, 0o755);
  for (const shell of shells) writeFileSync(join(folder, `completion.${shell}`), completionScript(shell));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Asynchronous: the server that the command asks runs in this process. */
const run = (program: string, args: readonly string[], input = ""): Promise<string> =>
  new Promise((resolve, reject) => {
    const PATH = [folder, process.env["PATH"]].join(delimiter);
    const own = { PATH, HOME: folder, KUBECONFIG: join(folder, "kubeconfig"), TERM: "dumb" };
    // A busy machine takes longer than people wait.
    const env = { ...process.env, ...own, CAPSTAN_COMPLETION_TIMEOUT: "2m" };
    const child = spawn(program, args, { cwd: folder, env, stdio: ["pipe", "pipe", "inherit"] });
    let out = "";
    child.stdout.on("data", (data: Buffer) => (out += data.toString()));
    child.on("error", reject);
    child.on("close", () => resolve(out));
    child.stdin.end(input);
  });

/** What the key for completion offers behind a line, in a real shell. */
const offers: Readonly<Record<(typeof shells)[number], (line: string) => Promise<readonly string[]>>> = {
  bash: async (line) => {
    const words = line.split(" ").map((word) => `'${word}'`);
    const script = `. ./completion.bash\nCOMP_WORDS=(${words.join(" ")})\nCOMP_CWORD=${words.length - 1}\n_capstan\nprintf '%s\\n' "\${COMPREPLY[@]}"\n`;
    return (await run("bash", ["-u"], script)).trim().split("\n");
  },
  fish: async (line) => {
    const out = await run("fish", ["--no-config", "-c", `source ./completion.fish; complete -C '${line}'`]);
    return out
      .trim()
      .split("\n")
      .map((each) => each.split("\t")[0] ?? "");
  },
  // What stands on the line after the key; a shell of its own in a terminal, as there is no completion without one.
  zsh: async (line) => {
    const inner = `capstan() { if [[ $1 == __complete ]]; then command capstan "$@"; else print -r -- "R""AN<$*>"; fi }`;
    const script = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell ${JSON.stringify(`cd ${folder}; source ./completion.zsh`)}
zpty -w shell '${inner}'
zpty -w shell "${line}"$'\\t'
zpty -r shell answer '*RAN<*>*'
print -r -- "$answer"
zpty -d shell
`;
    const found = /RAN<(.*)>/.exec(await run("zsh", ["-f"], script))?.[1] ?? "";
    return [found.split(" ").at(-1) ?? ""];
  },
};

const missing = (program: string): string | undefined =>
  spawnSync(program, ["--version"]).status === 0 ? undefined : `${program} is not installed`;

describe.each(shells)("completion in %s", (shell) => {
  const reason = missing(shell);
  if (reason !== undefined) console.log(`completion in ${shell} is skipped: ${reason}`);
  it.skipIf(reason !== undefined).each([
    ["up --sim", ["--simulate"]],
    ["up --simulate lin", ["linode"]],
    ["manager --providers core,infra-l", ["core,infra-linode"]],
    ["rollout undo mach", ["machinedeployment/"]],
    ["describe configmaps ban", ["banana"]],
    ["describe configm", undefined],
    ["up --providers core,kubec", ["core,kubeconfig"]],
  ])("capstan %s", async (line, expected) => {
    const found = await offers[shell](`capstan ${line}`);
    if (expected === undefined) expect(found[0]).toMatch(/^configmap/);
    else expect(found.map((word) => word.trim())).toEqual(expected);
  });

  it.skipIf(reason !== undefined || shell === "zsh")(
    "capstan describe configmaps ap, where there are two",
    async () => {
      expect([...(await offers[shell]("capstan describe configmaps ap"))].toSorted()).toEqual(["apple", "apricot"]);
    },
  );
});

it("offers nothing where nobody answers, and values behind a word that bash parted", async () => {
  expect(await offers.bash("capstan describe configmaps x --kubeconfig /nowhere --namespace ")).toEqual([""]);
  expect(await offers.bash("capstan up --output = js")).toEqual(["json"]);
});
