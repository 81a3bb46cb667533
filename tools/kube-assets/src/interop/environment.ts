import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiServer } from "@capstan/apiserver";
import { applyInstallation, silentView } from "@capstan/cli/up";
import { Secret } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { type Client, connect, createCache, createClient } from "@capstan/kube";
import { parseKubeconfig } from "@capstan/pki";
import { createLogger, createManager, cryptoRandom, systemClock } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { freePort } from "@capstan/testing";
import { installCapstan, type InstalledCapstan } from "./capstan-manager.ts";
import { components } from "./components.ts";
import { createKubectl, type Kubectl } from "./kubectl.ts";
import type { RunningManager } from "./process.ts";
import { runProgram } from "./program.ts";
import { startUpstreamManagers } from "./upstream-managers.ts";

/** An API server to run managers on. */
export interface Server {
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** Capstan's own. */
export const startCapstanServer = async (): Promise<Server> => {
  const server = createApiServer({
    clock: systemClock,
    random: cryptoRandom,
    log: createLogger({ level: "warn", format: "text" }),
  });
  await server.start();
  return { kubeconfig: await server.adminKubeconfig(), stop: () => server.stop() };
};

/** Kubernetes' own, as a reference. */
export const startReferenceServer = (assets: string): Promise<Server> => startKubeApiserver({ assets });

export interface InteropOptions {
  readonly start: () => Promise<Server>;
  /** Folder with kubectl. */
  readonly kubeAssets: string;
  /** Folder with the managers. */
  readonly capiAssets: string;
  /** Runs in a manager of ours in this process. */
  readonly provider: ProviderV1;
  /** Upstream's managers to run, by program. Default: all. */
  readonly upstream?: readonly string[];
  /** Arguments of upstream's managers after their defaults. Default: none. */
  readonly upstreamArgs?: readonly string[];
  /** Capstan's providers to run, each in a process and under an account of its own. Default: none. */
  readonly capstan?: readonly string[];
}

/** Upstream's managers and ours on one API server. */
export class InteropEnvironment {
  readonly client: Client;
  readonly managers: RunningManager[] = [];
  readonly #options: InteropOptions;
  readonly #kubeconfig: string;
  readonly #kubectl: Kubectl;
  readonly #folder = mkdtempSync(join(tmpdir(), "capstan-interop-"));
  readonly #cleanups: (() => Promise<unknown>)[] = [];
  readonly #connection: ReturnType<typeof connect>;

  private constructor(options: InteropOptions, server: Server) {
    this.#options = options;
    this.#kubeconfig = server.kubeconfig;
    this.#cleanups.push(
      async () => rmSync(this.#folder, { recursive: true, force: true }),
      () => server.stop(),
    );
    this.#kubectl = createKubectl(options.kubeAssets, server.kubeconfig, this.#folder);
    const config = parseKubeconfig(server.kubeconfig);
    this.#connection = connect({
      clock: systemClock,
      url: config.server,
      ca: config.certificateAuthority ?? "",
      clientCertificate: config.clientCertificate ?? "",
      clientKey: new Secret(config.clientKey ?? ""),
    });
    this.#cleanups.push(() => this.#connection.close());
    this.client = createClient(this.#connection);
  }

  /** Resolves when everything is installed and started; managers in processes of their own need not be ready yet. */
  static async start(options: InteropOptions): Promise<InteropEnvironment> {
    const environment = new InteropEnvironment(options, await options.start());
    try {
      const ours = await environment.#installCapstan();
      await environment.#startUpstream();
      for (const each of ours) environment.#add(await each.start());
      await environment.#startProvider();
      return environment;
    } catch (error) {
      await environment.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    for (const cleanup of this.#cleanups.toReversed()) await cleanup();
  }

  /** Runs kubectl as the administrator; its output. */
  async kubectl(args: readonly string[], input?: string): Promise<string> {
    return this.#kubectl.run(args, input);
  }

  async apply(objects: readonly KubeObject[], options?: { readonly dryRun?: boolean }): Promise<void> {
    await this.#kubectl.apply(objects, options);
  }

  /** Runs clusterctl as the administrator; its output. */
  clusterctl(args: readonly string[]): Promise<string> {
    // It looks for newer releases of itself unless it is told not to.
    const env = { KUBECONFIG: this.kubeconfigFile, HOME: this.#folder, CLUSTERCTL_DISABLE_VERSIONCHECK: "true" };
    return runProgram(join(this.#options.capiAssets, "clusterctl"), args, { env });
  }

  /** File with an administrator's kubeconfig. */
  get kubeconfigFile(): string {
    return this.#kubectl.kubeconfigFile;
  }

  readonly #add = (manager: RunningManager): void => {
    this.managers.push(manager);
    this.#cleanups.push(() => manager.stop());
  };

  async #installCapstan(): Promise<readonly InstalledCapstan[]> {
    const places = { kubeconfig: this.#kubeconfig, folder: this.#folder, kubectl: this.#kubectl };
    const installed: InstalledCapstan[] = [];
    for (const provider of this.#options.capstan ?? []) {
      installed.push(await installCapstan({ provider, ...places, webhookPort: await freePort() }));
    }
    return installed;
  }

  async #startUpstream(): Promise<void> {
    const { capiAssets, upstream, upstreamArgs = [] } = this.#options;
    const wanted = components.filter(({ program }) => upstream?.includes(program) ?? true);
    const places = { capiAssets, kubeconfig: this.#kubeconfig, folder: this.#folder, kubectl: this.#kubectl };
    await startUpstreamManagers({ components: wanted, args: upstreamArgs, ...places }, this.#add);
  }

  async #startProvider(): Promise<void> {
    const { provider } = this.#options;
    const end = new AbortController();
    await applyInstallation(this.client, [provider], {
      systemNamespace: undefined,
      namespaces: [],
      watchFilter: undefined,
      clock: systemClock,
      view: silentView,
      signal: end.signal,
    });
    const cache = createCache({ connection: this.#connection, random: cryptoRandom });
    const client = createClient(this.#connection, { observer: cache });
    const manager = createManager({ client, cache, clock: systemClock, random: cryptoRandom });
    provider.register({ add: (controller) => manager.add(controller) });
    const run = manager.run({ signal: end.signal });
    run.catch(() => undefined);
    this.#cleanups.push(async () => {
      end.abort();
      await run.catch(() => undefined);
    });
    await Promise.race([manager.ready(), run]);
  }
}
