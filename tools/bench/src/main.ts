import { linodeBench } from "./linode.ts";

const benches: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = { linode: linodeBench };

const [name, ...args] = process.argv.slice(2);
const bench = benches[name ?? ""];
if (bench === undefined) {
  console.log(
    `usage: npm run bench -- <name> [arguments]\n\n  linode [machines]   Machines on the simulated Linode, default 200, beside a tenth of them`,
  );
  process.exitCode = name === undefined || name === "--help" ? 0 : 1;
} else {
  await bench(args);
}
