import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { afterAll, expect, it } from "vitest";

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
  for (const folder of [packs, ours]) mkdirSync(folder, { recursive: true });
  const packages = readdirSync(join(repository, "packages")).map((name) => join(repository, "packages", name));
  for (const folder of [...packages, join(repository, "apps/cli")]) {
    run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", packs], folder);
    const target = join(ours, basename(folder));
    mkdirSync(target);
    const pack = readdirSync(packs).find((name) => name.startsWith(`capstan-${basename(folder)}-0`)) ?? "";
    run("tar", ["xzf", join(packs, pack), "-C", target, "--strip-components=1"], root);
  }
  for (const name of readdirSync(modules)) {
    if (!name.includes("capstan")) symlinkSync(join(modules, name), join(root, "node_modules", name));
  }
};

it.skipIf(!existsSync(join(repository, "apps/cli/dist/main.js")))(
  "a provider written outside builds, passes its tests and runs with the packages as they are published (skipped without npm run build)",
  () => {
    install();
    const command = join(root, "node_modules/@capstan/cli/dist/main.js");
    run(process.execPath, [command, "new", "provider", "big-cloud"], root);
    const folder = join(root, "capstan-infra-big-cloud");
    run("tsc", ["-p", "tsconfig.build.json"], folder);
    run("tsc", [], folder);
    expect(run("vitest", ["run"], folder)).toContain("passed");
    const what = ["--providers", "core,bootstrap-kubeadm,.", "--simulate", ".", "-f", "example/cluster.yaml"];
    const until = ["--until", "running", "--timeout", "120s"];
    const said = run(process.execPath, [command, "up", "--in-memory", ...what, ...until], folder);
    expect(said).toContain("providers core, bootstrap-kubeadm, infra-big-cloud run");
    expect(said).toContain("every Machine runs");
  },
  600_000,
);
