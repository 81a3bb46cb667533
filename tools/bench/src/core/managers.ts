import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  components,
  createKubectl,
  startUpstreamManagers,
  type UpstreamManager,
} from "@capstan/tool-kube-assets/interop";
import { freePort } from "@capstan/testing";
import { startChild } from "../child-process.ts";
import { capstan } from "../capstan.ts";
import type { MeasureOptions } from "./options.ts";
import type { BenchServer } from "./server.ts";
import { until } from "./until.ts";

const run = promisify(execFile);

/** A process that runs controllers. */
export interface ManagerProcess {
  readonly name: string;
  readonly pid: number;
  readonly ended: string | undefined;
  log(): string;
  /** Where its metrics are. */
  readonly metricsUrl: string;
  stop(): Promise<void>;
}

/** Someone's managers, which are measured. */
export interface Contestant {
  readonly name: string;
  /** Installs and starts them; resolves when all of them work. `started` is called with each at once. */
  start(
    server: BenchServer,
    options: MeasureOptions,
    environment: { readonly signal: AbortSignal; readonly started: (manager: ManagerProcess) => void },
  ): Promise<void>;
}

/** Nothing restarts a manager here that had no turn on a busy machine and gave its Lease up. */
const patient = ["--lease-duration=120s", "--renew-deadline=100s"];

/** `capstan manager` with providers, all in one process. */
export const ours = (names: readonly string[]): Contestant => ({
  name: "capstan",
  start: async (server, { built, profile }, { signal, started }) => {
    const kubeconfig = join(server.folder, "manager.kubeconfig");
    writeFileSync(kubeconfig, server.kubeconfig("manager"), { mode: 0o600 });
    const diagnostics = `127.0.0.1:${await freePort()}`;
    const program = capstan(built ? "bundle" : "sources");
    const providers = `--providers=${names.join()}`;
    const access = `--kubeconfig=${kubeconfig}`;
    await run(program.command, [...program.args, "install", providers, access], { env: program.env, signal });
    const child = await startChild({
      name: "capstan-manager",
      ...program,
      args: [
        ...(profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]),
        ...program.args,
        "manager",
        providers,
        access,
        ...patient,
        "--allow-address=127.0.0.0/8",
        "--output=json",
        "--log-level=warn",
        `--diagnostics-address=${diagnostics}`,
        "--insecure-diagnostics",
      ],
      folder: server.folder,
    });
    started(Object.assign(child, { metricsUrl: `http://${diagnostics}/metrics` }));
    await until("the manager to be ready", () => child.log().includes('"type":"ready"'), { children: [child], signal });
  },
});

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** Managers of upstream's, by program, with upstream's defaults. */
export const upstream = (programs: readonly string[]): Contestant => ({
  name: "cluster-api",
  start: async (server, { kubeAssets, capiAssets }, { signal, started }) => {
    const { folder } = server;
    const kubeconfig = server.kubeconfig("bench");
    const managers: UpstreamManager[] = [];
    await startUpstreamManagers(
      {
        components: components.filter(({ program }) => programs.includes(program)),
        capiAssets,
        kubectl: createKubectl(kubeAssets, kubeconfig, folder),
        kubeconfig,
        folder,
        args: ["--insecure-diagnostics"],
      },
      (manager) => {
        managers.push(manager);
        started(Object.assign(manager, { metricsUrl: `http://${manager.diagnostics}/metrics` }));
      },
    );
    const isReady = async (manager: UpstreamManager): Promise<boolean> =>
      /acquired lease/i.test(manager.log()) && (await answers(`http://${manager.health}/readyz`));
    const all = async (): Promise<boolean> => (await Promise.all(managers.map(isReady))).every(Boolean);
    await until("upstream's managers to lead and to be ready", all, { children: managers, signal });
  },
});
