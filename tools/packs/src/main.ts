import { join, resolve } from "node:path";
import { packPackages } from "./pack-packages.ts";

const repository = join(import.meta.dirname, "../../..");
const [folder] = process.argv.slice(2);
// npm starts scripts in the folder of the repository, and says where the user stands.
const target = folder === undefined ? join(repository, "dist/packs") : resolve(process.env["INIT_CWD"] ?? "", folder);
const packs = packPackages(repository, target);
console.log(`${packs.length} packages packed into ${target}. In a package that uses them:
  npm install --no-save ${join(target, "*.tgz")}`);
