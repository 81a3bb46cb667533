import { apiserverBench } from "./apiserver/bench.ts";
import { controlPlaneBench } from "./control-plane/bench.ts";
import { coreBench } from "./core/bench.ts";
import { evaluationsBench } from "./evaluations.ts";
import { fleetBench } from "./fleet.ts";
import { fuzzBench } from "./fuzz.ts";
import { fuzzMetalBench } from "./fuzz-metal.ts";
import { linodeBench } from "./linode.ts";
import { runtimeBench } from "./runtime.ts";
import { soakBench } from "./soak.ts";
import { startBench } from "./start.ts";

const benches: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  apiserver: apiserverBench,
  "control-plane": controlPlaneBench,
  core: coreBench,
  evaluations: evaluationsBench,
  "fleet-azure": fleetBench("azure"),
  "fleet-elemental": fleetBench("elemental"),
  "fleet-linode": fleetBench("linode"),
  "fleet-metal": fleetBench("metal"),
  fuzz: fuzzBench,
  "fuzz-metal": fuzzMetalBench,
  linode: linodeBench,
  runtime: runtimeBench,
  soak: soakBench,
  start: startBench,
};

const usage = `usage: npm run bench -- <name> [arguments]

  apiserver [--quick] [--storage memory|sqlite] [--baseline DIR] [--rounds N] [--only REGEX] [--profile DIR] [--built]
            [--audit]
                      speed and memory of the embedded API server; beside a real one when DIR (default
                      $KUBEBUILDER_ASSETS) holds etcd and kube-apiserver; from built packages instead of sources;
                      a server with an audit log beside one without
  apiserver --soak DURATION [--storage memory|sqlite]
                      memory under churn, for example for 3m
  apiserver --stops [--storage memory|sqlite] [--only REGEX]
                      how long single hostile requests keep the event loop
  control-plane [--clusters N] [--members M] [--server embedded|kube] [--beside] [--built] [--settle DURATION]
       [--timeout DURATION] [--profile DIR]
                      KubeadmControlPlanes on machines that boot in memory, default 50 clusters of 3 members: created, left
                      alone, upgraded and deleted; next to upstream's managers (CAPI_ASSETS, KUBEBUILDER_ASSETS)
  core [workers...] [--clusters C --workers W] [--server embedded|kube] [--beside] [--built] [--settle DURATION]
       [--timeout DURATION] [--profile DIR]
                      core and the kubeadm bootstrap on an infrastructure in memory: one cluster with each number of workers,
                      default 100, or C clusters with W each; next to upstream's managers (CAPI_ASSETS, KUBEBUILDER_ASSETS)
  evaluations         how long templates, expressions and documents of users keep the event loop, the worst that are known
  fleet-azure, fleet-elemental, fleet-linode, fleet-metal [--clusters N] [--machines N] [--families]
                      a fleet on one account with its real limits, default 12 clusters of 4 machines, on a virtual clock:
                      requests per machine, and how much longer it takes than the limits alone do; what was asked for
  fuzz [--requests N] [--seed S] [--parallel N]
                      made-up requests to the embedded API server, default 100000: none may be answered with 500
  fuzz-metal [--inputs N] [--seed S]
                      made-up packets and requests of DHCP, HTTP and gRPC to the services that machines call, default
                      100000: none may be answered with another machine's data
  linode [machines]   Machines on the simulated Linode, default 200, beside a tenth of them
  runtime [objects]   the budgets of cache and manager, default 10000 objects of each of six kinds
  soak [--machines N] memory while Machines are made and deleted, default 2000, eight at a time, on a virtual clock
  start               from the start of \`capstan manager\` to its first reconcile, and its memory: from sources, from
                      what \`npm run build\` and \`npm run bundle\` have made, if they have (Linux)`;

/** Arguments that cannot be read are the user's to fix: one line, and how it is meant. */
const isUsageError = (error: unknown): error is Error =>
  error instanceof Error &&
  (("code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")) || error.message.startsWith("--"));

const [name, ...args] = process.argv.slice(2);
const bench = benches[name ?? ""];
if (bench === undefined || args.includes("--help")) {
  console.log(usage);
  process.exitCode = name === undefined || name === "--help" || bench !== undefined ? 0 : 1;
} else {
  try {
    await bench(args);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    console.error(`${error.message}\n\n${usage}`);
    process.exitCode = 2;
  }
}
