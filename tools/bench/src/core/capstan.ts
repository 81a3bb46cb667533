import { join } from "node:path";

const repository = join(import.meta.dirname, "../../../..");

/** How the `capstan` command is run: from sources, or from what `npm run bundle` has made; with the flags it has as a program. */
export const capstan = (
  built: boolean,
): { readonly command: string; readonly args: readonly string[]; readonly cwd: string } => ({
  command: process.execPath,
  args: [
    "--max-semi-space-size=16",
    ...(built ? ["apps/cli/dist/bundle/capstan.mjs"] : ["--conditions=@capstan/source", "apps/cli/src/main.ts"]),
  ],
  cwd: repository,
});
