import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const repository = join(import.meta.dirname, "../../../..");
const modules = join(repository, "node_modules");
const root = mkdtempSync(join(tmpdir(), "capstan-outside-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const run = (program: string, args: readonly string[], cwd: string): string =>
  execFileSync(program, args, {
    cwd,
    encoding: "utf8",
    env: { PATH: [join(modules, ".bin"), process.env["PATH"]].join(delimiter), HOME: root },
  });

/** What `npm install` would lay down: our packages as they are published, and the repository's copies of everybody else's. */
const install = (): void => {
  const packs = join(root, "packs");
  const ours = join(root, "node_modules/@capstan");
  mkdirSync(ours, { recursive: true });
  const program = join(repository, "tools/packs/src/main.ts");
  run(process.execPath, ["--conditions=@capstan/source", program, packs], root);
  for (const pack of readdirSync(packs)) {
    const target = join(ours, pack.replace(/^capstan-(.*)-\d+\.\d+\.\d+\.tgz$/, "$1"));
    mkdirSync(target);
    run("tar", ["xzf", join(packs, pack), "-C", target, "--strip-components=1"], root);
  }
  for (const name of readdirSync(modules)) {
    if (!name.includes("capstan")) symlinkSync(join(modules, name), join(root, "node_modules", name));
  }
};

const installed = join(root, "node_modules/@capstan/cli/bin/capstan.js");
const ofTheClone = join(repository, "apps/cli/bin/capstan.js");

describe.skipIf(!existsSync(join(repository, "apps/cli/dist/main.js")))(
  "a provider written outside, with the packages as they are published (skipped without npm run build)",
  () => {
    beforeAll(install);

    it.each([
      { role: "infra", beside: "core, bootstrap-kubeadm", simulate: "." },
      { role: "bootstrap", beside: "core, infra-linode", simulate: "linode" },
    ])(
      "of role $role builds, passes its tests, and runs by its own command and by that of a clone",
      ({ role, beside, simulate }) => {
        run(process.execPath, [installed, "new", "provider", "big-cloud", "--role", role], root);
        const folder = join(root, `capstan-${role}-big-cloud`);
        run("tsc", ["-p", "tsconfig.build.json"], folder);
        run("tsc", [], folder);
        expect(run("vitest", ["run"], folder)).toContain("passed");
        const what = [
          "--providers",
          `${beside.replace(" ", "")},.`,
          "--simulate",
          simulate,
          "-f",
          "example/cluster.yaml",
        ];
        const until = ["--until", "running", "--timeout", "120s"];
        for (const command of [installed, ofTheClone]) {
          const said = run(process.execPath, [command, "up", "--in-memory", ...what, ...until], folder);
          expect(said).toContain(`providers ${beside}, ${role}-big-cloud run`);
          expect(said).toContain("every Machine is running");
        }
      },
      600_000,
    );
  },
);
