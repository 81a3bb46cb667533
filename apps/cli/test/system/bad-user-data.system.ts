import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { files } from "./bad-user-data-cases.ts";
import { given, metadata, recorded, serveIncludes, shown } from "./bad-user-data-world.ts";
import { bootMachine, buildRoot, unavailable } from "./cloud-init-root.ts";

const reason = unavailable();
if (reason !== undefined) console.log(`the real cloud-init is skipped: ${reason}`);

interface RealBoot {
  /** By path, in base64. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly errors: readonly string[];
  readonly log: string;
}

/** About two seconds a case. `../bad-user-data.it.test.ts` holds the guest model to the same record. */
it.skipIf(reason !== undefined)(
  "bad user data does with the real cloud-init what is recorded",
  async () => {
    const root = buildRoot();
    const { userDataOf, close } = await serveIncludes();
    const bodies = given.map(([name], index) => [name, Buffer.from(userDataOf(index)).toString("base64")]);
    const booted = await bootMachine({
      root,
      script: readFileSync(join(import.meta.dirname, "many-boots.py"), "utf8"),
      timeoutMs: 1_500_000,
      files: ["/root/left.json"],
      place: {
        "/etc/cloud/cloud.cfg.d/99-zz-final.cfg": {
          content: "cloud_final_modules: [write-files-deferred, scripts-user]\n",
        },
        "/root/cases.json": {
          content: JSON.stringify({ metadata, paths: files, cases: Object.fromEntries(bodies) }),
        },
      },
    });
    close();
    const real = JSON.parse(booted.file("/root/left.json") ?? "{}") as Readonly<Record<string, RealBoot>>;
    const left = Object.entries(real).map(([name, boot]) => {
      const contents = Object.entries(boot.files).filter(([, content]) => content !== null);
      return [
        name,
        Object.fromEntries(contents.map(([path, content]) => [path, shown(Buffer.from(content ?? "", "base64"))])),
      ];
    });
    expect(Object.fromEntries(left), booted.log.slice(-2000)).toEqual(recorded);
  },
  1_800_000,
);
